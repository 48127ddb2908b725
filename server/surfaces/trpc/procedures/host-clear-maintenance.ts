// host.clearMaintenance
import { z } from "zod";
import { clearMaintenance } from "@/server/usecases/hosts/clear-maintenance";
import { answer, changing, hostId } from "@/server/surfaces/trpc/trpc";

export const hostClearMaintenance = changing.input(z.strictObject({ hostId })).mutation(async ({ ctx, input }) => answer(await clearMaintenance(ctx.backend, ctx.actor, ctx.request, input)));
