// cleaning.removeRunbook
import { z } from "zod";
import { removeRunbook } from "@/server/usecases/cleaning/remove-runbook";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const cleaningRemoveRunbook = changing
  .input(z.strictObject({ id: z.uuid("must be the id of a runbook"), version: z.int().min(1) }))
  .mutation(async ({ ctx, input }) => answer(await removeRunbook(ctx.backend, ctx.actor, ctx.request, input)));
