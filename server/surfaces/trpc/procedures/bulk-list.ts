// bulk.list: acts on many hosts that were started, newest first.
import { listBulk } from "@/server/usecases/bulk/bulk-progress";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const bulkList = reading.query(async ({ ctx }) => answer(await listBulk(ctx.backend, ctx.actor)));
