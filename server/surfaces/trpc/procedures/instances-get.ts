// instances.get
import { z } from "zod";
import { getInstance } from "@/server/usecases/instances/list-instances";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const instancesGet = reading.input(z.strictObject({ id: z.uuid("must be the id of an instance") })).query(async ({ ctx, input }) => answer(await getInstance(ctx.backend, ctx.actor, input)));
