// cleaning.setTraits: which runbooks may run on a host.
import { z } from "zod";
import { traits } from "@/server/domain/cleaning/traits";
import { setTraits } from "@/server/usecases/cleaning/set-traits";
import { answer, changing, hostId } from "@/server/surfaces/trpc/trpc";

export const cleaningSetTraits = changing.input(z.strictObject({ hostId, traits })).mutation(async ({ ctx, input }) => answer(await setTraits(ctx.backend, ctx.actor, ctx.request, { hostId: input.hostId, change: { kind: "all", traits: input.traits } })));
