// queue.hosts: who waits for cleaning at one site, a page.
import { z } from "zod";
import { queueHosts as read } from "@/server/usecases/queue/queue-hosts";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const queueHosts = reading
  .input(z.strictObject({
    siteId: z.uuid("must be the id of a site"),
    cursor: z.string().max(1000).nullable().default(null),
    limit: z.int().min(1).max(500).default(100),
    /** Sent by infinite queries; pages only go forward. */
    direction: z.enum(["forward", "backward"]).optional(),
  }))
  .query(async ({ ctx, input }) => answer(await read(ctx.backend, ctx.actor, input)));
