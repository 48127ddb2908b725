// instances.release: gives instances up, with a result for each.
import { z } from "zod";
import { releaseInstances } from "@/server/usecases/instances/release-instances";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const instancesRelease = changing
  .input(z.strictObject({ ids: z.array(z.uuid("must be the id of an instance")).min(1).max(200) }))
  .mutation(async ({ ctx, input }) => answer(await releaseInstances(ctx.backend, ctx.actor, ctx.request, input.ids)));
