// cleaning.estimate: what a manual cleaning of one host will take.
import { z } from "zod";
import { estimateCleaning } from "@/server/usecases/cleaning/estimate-cleaning";
import { manualWorkInput } from "@/server/usecases/cleaning/manual-work";
import { answer, hostId, reading } from "@/server/surfaces/trpc/trpc";

export const cleaningEstimate = reading
  .input(z.strictObject({ hostId, ...manualWorkInput }))
  .query(async ({ ctx, input }) => answer(await estimateCleaning(ctx.backend, ctx.actor, input)));
