// instances.history
import { z } from "zod";
import { instanceHistory } from "@/server/usecases/instances/instance-history";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const instancesHistory = reading.input(z.strictObject({ id: z.uuid("must be the id of an instance") })).query(async ({ ctx, input }) => answer(await instanceHistory(ctx.backend, ctx.actor, input)));
