// instances.list: a tenant's own, or all.
import { z } from "zod";
import { listInstances } from "@/server/usecases/instances/list-instances";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const instancesList = reading
  .input(
    z.strictObject({
      filter: z.string().max(200).default(""),
      status: z.enum(["open", "ended", "all"]).default("open"),
      cursor: z.string().max(1000).nullish(),
      limit: z.int().min(1).max(200).default(100),
      /** Sent by infinite queries; pages only go forward. */
      direction: z.enum(["forward", "backward"]).optional(),
    }),
  )
  .query(async ({ ctx, input }) => answer(await listInstances(ctx.backend, ctx.actor, { text: input.filter.trim(), status: input.status, cursor: input.cursor ?? null, limit: input.limit })));
