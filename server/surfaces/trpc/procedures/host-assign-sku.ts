// host.assignSku
import { assignSku, assignSkuInput } from "@/server/usecases/hosts/assign-sku";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const hostAssignSku = changing.input(assignSkuInput).mutation(async ({ ctx, input }) => answer(await assignSku(ctx.backend, ctx.actor, ctx.request, input)));
