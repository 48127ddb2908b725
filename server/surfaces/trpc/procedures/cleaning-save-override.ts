// cleaning.saveOverride: the priority of a step for a site, a SKU or a host.
import { z } from "zod";
import { overrideName } from "@/server/usecases/cleaning/override-input";
import { saveOverride } from "@/server/usecases/cleaning/save-override";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const cleaningSaveOverride = changing
  .input(z.strictObject({ ...overrideName, priority: z.number() }))
  .mutation(async ({ ctx, input }) => answer(await saveOverride(ctx.backend, ctx.actor, ctx.request, input)));
