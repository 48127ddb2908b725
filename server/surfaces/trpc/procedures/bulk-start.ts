// bulk.start: runs a stored preview. It answers at once; `bulk.progress` says how it goes.
import { z } from "zod";
import { startBulk } from "@/server/usecases/bulk/start-bulk";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const bulkStart = changing
  .input(z.strictObject({ id: z.uuid("must be the id of a preview") }))
  .mutation(async ({ ctx, input }) => answer(await startBulk(ctx.backend, ctx.actor, ctx.request, input)));
