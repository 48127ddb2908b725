// host.gates: the fourteen gates with their evidence.
import { z } from "zod";
import { getGates } from "@/server/usecases/hosts/get-gates";
import { answer, hostId, reading } from "@/server/surfaces/trpc/trpc";

export const hostGates = reading.input(z.strictObject({ hostId, reclamationId: z.uuid().optional() })).query(async ({ ctx, input }) => answer(await getGates(ctx.backend, ctx.actor, input)));
