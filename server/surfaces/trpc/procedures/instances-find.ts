// instances.find: which a name, an id or the beginning of one may mean.
import { z } from "zod";
import { findInstances } from "@/server/usecases/instances/find-instances";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const instancesFind = reading.input(z.strictObject({ text: z.string().min(1).max(256) })).query(async ({ ctx, input }) => answer(await findInstances(ctx.backend, ctx.actor, input)));
