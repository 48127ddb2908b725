// bulk.preview: who of a selection can do an intent, stored; `bulk.start` runs exactly that. It writes a row, so it is asked as a mutation.
import { bulkPreviewInput } from "@/server/usecases/bulk/bulk-args";
import { previewBulk } from "@/server/usecases/bulk/preview-bulk";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const bulkPreview = changing.input(bulkPreviewInput).mutation(async ({ ctx, input }) => answer(await previewBulk(ctx.backend, ctx.actor, ctx.request, input)));
