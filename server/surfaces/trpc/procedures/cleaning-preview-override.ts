// cleaning.previewOverride: what the order would become, and the ties that would be made.
import { z } from "zod";
import { overrideName } from "@/server/usecases/cleaning/override-input";
import { previewOverride } from "@/server/usecases/cleaning/preview-override";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const cleaningPreviewOverride = reading
  .input(z.strictObject({ ...overrideName, priority: z.number().nullable() }))
  .query(async ({ ctx, input }) => answer(await previewOverride(ctx.backend, ctx.actor, input)));
