// database.afterRestore, database.isCurrent
import { z } from "zod";
import { afterRestore } from "@/server/usecases/database/after-restore";
import { databaseIsCurrent } from "@/server/usecases/database/database-is-current";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

const input = z.strictObject({ reason: z.string().max(500) });

export const databaseAfterRestore = changing.input(input).mutation(async ({ ctx, input: asked }) => answer(await afterRestore(ctx.backend, ctx.actor, ctx.request, asked)));
export const databaseCurrent = changing.input(input).mutation(async ({ ctx, input: asked }) => answer(await databaseIsCurrent(ctx.backend, ctx.actor, ctx.request, asked)));
