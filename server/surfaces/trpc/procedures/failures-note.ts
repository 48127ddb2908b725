// failures.note: owner, note and snooze of a group of failures.
import { noteFailure, noteFailureInput } from "@/server/usecases/failures/note-failure";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const failuresNote = changing.input(noteFailureInput).mutation(async ({ ctx, input }) => answer(await noteFailure(ctx.backend, ctx.actor, ctx.request, input)));
