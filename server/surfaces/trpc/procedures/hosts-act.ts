// hosts.act: one intent of many hosts, with a result for each.
import { z } from "zod";
import { hostIntents } from "@/server/domain/hosts/host-actions";
import { actOnHosts, mostHosts } from "@/server/usecases/hosts/act-on-hosts";
import { answer, changing, hostId } from "@/server/surfaces/trpc/trpc";

export const hostActInput = z.strictObject({
  target: z.union([z.strictObject({ hostIds: z.array(hostId).min(1).max(mostHosts) }), z.strictObject({ filter: z.string().max(1000) })]),
  intent: z.enum(hostIntents),
});

export const hostsAct = changing.input(hostActInput).mutation(async ({ ctx, input }) => answer(await actOnHosts(ctx.backend, ctx.actor, ctx.request, input)));
