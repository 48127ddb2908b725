// queue.setLimits: the limits of a site's admission.
import { z } from "zod";
import { policy } from "@/server/domain/cleaning/policy";
import { setSiteAdmission } from "@/server/usecases/cleaning/set-site-admission";
import { answer, changing } from "@/server/surfaces/trpc/trpc";

export const queueSetLimits = changing
  .input(z.strictObject({ siteId: z.uuid("must be the id of a site"), limits: policy.shape.admission, policyVersion: z.int().min(1).optional() }))
  .mutation(async ({ ctx, input }) => answer(await setSiteAdmission(ctx.backend, ctx.actor, ctx.request, input)));
