// cleaning.sitePolicy: a site's policy in force.
import { z } from "zod";
import { readSitePolicy } from "@/server/usecases/cleaning/read-site-policy";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

export const cleaningSitePolicy = reading.input(z.strictObject({ siteId: z.uuid("must be the id of a site") })).query(async ({ ctx, input }) => answer(await readSitePolicy(ctx.backend, ctx.actor, input)));
