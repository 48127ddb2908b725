// host.reclamation: step runs, devices, timeline and log of one reclamation.
import { z } from "zod";
import { getReclamation } from "@/server/usecases/hosts/get-reclamation";
import { answer, hostId, reading } from "@/server/surfaces/trpc/trpc";

export const hostReclamation = reading
  .input(z.strictObject({ hostId, reclamationId: z.uuid().optional() }))
  .query(async ({ ctx, input }) => answer(await getReclamation(ctx.backend, ctx.actor, input)));
