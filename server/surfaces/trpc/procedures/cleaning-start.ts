// cleaning.start: cleans one host by hand, by a list of steps or a runbook.
import { z } from "zod";
import { manualWorkInput } from "@/server/usecases/cleaning/manual-work";
import { startCleaning } from "@/server/usecases/cleaning/start-cleaning";
import { askOfHostInput } from "@/server/usecases/hosts/ask-of-host";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const cleaningStart = changing
  .input(z.strictObject({ ...askOfHostInput.shape, ...manualWorkInput }))
  .mutation(async ({ ctx, input }) => answer(await startCleaning(ctx.backend, ctx.actor, ctx.request, input)));
