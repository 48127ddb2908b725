// bulk.progress: counts by status, and a page of the hosts of an act.
import { z } from "zod";
import { bulkProgress as read } from "@/server/usecases/bulk/bulk-progress";
import { bulkStatuses } from "@/server/usecases/bulk/bulk-shapes";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const bulkProgress = reading
  .input(z.strictObject({
    id: z.uuid("must be the id of an act"),
    statuses: z.array(z.enum(bulkStatuses)).default([]),
    cursor: z.string().max(1000).nullable().default(null),
    limit: z.int().min(0).max(1000).default(100),
    /** Sent by infinite queries; pages only go forward. */
    direction: z.enum(["forward", "backward"]).optional(),
  }))
  .query(async ({ ctx, input }) => answer(await read(ctx.backend, ctx.actor, input)));
