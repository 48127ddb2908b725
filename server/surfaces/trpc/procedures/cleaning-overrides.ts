// cleaning.overrides: the priorities that people set, all or of one scope.
import { z } from "zod";
import { listOverrides } from "@/server/usecases/cleaning/list-overrides";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const cleaningOverrides = reading
  .input(z.strictObject({ scopeId: z.uuid().optional() }))
  .query(async ({ ctx, input }) => answer(await listOverrides(ctx.backend, ctx.actor, input)));
