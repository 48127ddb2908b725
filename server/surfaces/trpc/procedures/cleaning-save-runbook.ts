// cleaning.saveRunbook: a new one, or a change of one. What is wrong with it, the act says, every fault at once.
import { saveRunbook, saveRunbookInput } from "@/server/usecases/cleaning/save-runbook";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const cleaningSaveRunbook = changing.input(saveRunbookInput).mutation(async ({ ctx, input }) => answer(await saveRunbook(ctx.backend, ctx.actor, ctx.request, input)));
