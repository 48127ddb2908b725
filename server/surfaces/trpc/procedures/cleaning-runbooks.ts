// cleaning.runbooks: all runbooks, by name.
import { listRunbooks } from "@/server/usecases/cleaning/runbooks";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const cleaningRunbooks = reading.query(async ({ ctx }) => answer(await listRunbooks(ctx.backend, ctx.actor)));
