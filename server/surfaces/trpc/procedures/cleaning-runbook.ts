// cleaning.runbook: one runbook.
import { z } from "zod";
import { getRunbook } from "@/server/usecases/cleaning/runbooks";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const cleaningRunbook = reading
  .input(z.strictObject({ id: z.uuid("must be the id of a runbook") }))
  .query(async ({ ctx, input }) => answer(await getRunbook(ctx.backend, ctx.actor, input)));
