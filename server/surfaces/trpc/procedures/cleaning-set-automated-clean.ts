// cleaning.setAutomatedClean: whether hosts are cleaned by themselves, for a site or for one host.
import { z } from "zod";
import { setHostAutomatedClean } from "@/server/usecases/cleaning/set-host-automated-clean";
import { setSiteAutomatedClean } from "@/server/usecases/cleaning/set-site-automated-clean";
import { answer, changing, hostId } from "@/server/surfaces/trpc/trpc";

export const cleaningSetSiteAutomatedClean = changing
  .input(z.strictObject({ siteId: z.uuid("must be the id of a site"), automatedClean: z.boolean(), policyVersion: z.int().min(1).optional() }))
  .mutation(async ({ ctx, input }) => answer(await setSiteAutomatedClean(ctx.backend, ctx.actor, ctx.request, input)));

export const cleaningSetHostAutomatedClean = changing
  .input(z.strictObject({ hostId, automatedClean: z.boolean().nullable() }))
  .mutation(async ({ ctx, input }) => answer(await setHostAutomatedClean(ctx.backend, ctx.actor, ctx.request, input)));
