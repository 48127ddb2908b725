// hosts.list: one page of the hosts table.
import { z } from "zod";
import { hostSorts, listHosts } from "@/server/usecases/hosts/list-hosts";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const hostsListInput = z.strictObject({
  filter: z.string().max(1000).default(""),
  sort: z.enum(hostSorts).default("since"),
  descending: z.boolean().default(true),
  cursor: z.string().max(1000).nullish(),
  limit: z.int().min(1).max(200).default(100),
  /** Sent by infinite queries; pages only go forward. */
  direction: z.enum(["forward", "backward"]).optional(),
});

export const hostsList = reading.input(hostsListInput).query(async ({ ctx, input }) => answer(await listHosts(ctx.backend, ctx.actor, { ...input, cursor: input.cursor ?? null })));
