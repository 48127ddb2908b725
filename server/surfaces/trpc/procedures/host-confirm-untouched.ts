// host.confirmUntouched
import { z } from "zod";
import { confirmUntouched } from "@/server/usecases/hosts/confirm-untouched";
import { answer, changing, hostId } from "@/server/surfaces/trpc/trpc";

export const hostConfirmUntouched = changing.input(z.strictObject({ hostId, reason: z.string().max(1000) })).mutation(async ({ ctx, input }) => answer(await confirmUntouched(ctx.backend, ctx.actor, ctx.request, input)));
