// failures.groups: failed hosts grouped by what their messages have in common.
import { failureGroups } from "@/server/usecases/failures/failure-groups";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const failuresGroups = reading.query(async ({ ctx }) => answer(await failureGroups(ctx.backend, ctx.actor)));
