// host.setMaintenance
import { z } from "zod";
import { setMaintenance } from "@/server/usecases/hosts/set-maintenance";
import { answer, changing, hostId } from "@/server/surfaces/trpc/trpc";

export const hostSetMaintenance = changing.input(z.strictObject({ hostId, reason: z.string().max(1000) })).mutation(async ({ ctx, input }) => answer(await setMaintenance(ctx.backend, ctx.actor, ctx.request, input)));
