// brakes.lift
import { z } from "zod";
import { liftBrake } from "@/server/usecases/queue/lift-brake";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const brakesLift = changing.input(z.strictObject({ brakeId: z.uuid("must be the id of a brake") })).mutation(async ({ ctx, input }) => answer(await liftBrake(ctx.backend, ctx.actor, ctx.request, input)));
