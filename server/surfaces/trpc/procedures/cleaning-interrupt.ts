// cleaning.abort, cleaning.hold, cleaning.resume: of the cleaning that runs on a host.
import { z } from "zod";
import { abortCleaning, holdCleaning, holdInput, resumeCleaning } from "@/server/usecases/cleaning/interrupt";
import { askOfHostInput } from "@/server/usecases/hosts/ask-of-host";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const cleaningAbort = changing.input(askOfHostInput).mutation(async ({ ctx, input }) => answer(await abortCleaning(ctx.backend, ctx.actor, ctx.request, input)));

export const cleaningResume = changing.input(askOfHostInput).mutation(async ({ ctx, input }) => answer(await resumeCleaning(ctx.backend, ctx.actor, ctx.request, input)));

export const cleaningHold = changing
  .input(z.strictObject({ ...askOfHostInput.shape, ...holdInput, until: z.date().optional() }))
  .mutation(async ({ ctx, input }) => answer(await holdCleaning(ctx.backend, ctx.actor, ctx.request, input)));
