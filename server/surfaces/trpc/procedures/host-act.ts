// host.act: one intent of one host, as the person saw it.
import { z } from "zod";
import { hostIntents } from "@/server/domain/hosts/host-actions";
import { askOfHostInput } from "@/server/usecases/hosts/ask-of-host";
import { hostIntentActs } from "@/server/usecases/hosts/host-intent-acts";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const hostAct = changing
  .input(z.strictObject({ ...askOfHostInput.shape, intent: z.enum(hostIntents) }))
  .mutation(async ({ ctx, input: { intent, ...input } }) => answer(await hostIntentActs[intent](ctx.backend, ctx.actor, ctx.request, input)));
