// cleaning.catalogue: every clean step as it is for a site, a SKU, a host or a hardware type.
import { z } from "zod";
import { stepCodeOf } from "@/server/hardware/registry";
import { readCatalogue } from "@/server/usecases/cleaning/catalogue";
import { answer, reading } from "@/server/surfaces/trpc/trpc";

const siteId = z.uuid("must be the id of a site");

const subject = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("site"), siteId }),
  z.strictObject({ kind: z.literal("sku"), skuId: z.uuid("must be the id of a SKU"), siteId: siteId.optional() }),
  z.strictObject({ kind: z.literal("host"), host: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal("hardwareType"), hardwareType: z.string().min(1).max(64), siteId: siteId.optional() }),
]);

export const cleaningCatalogue = reading.input(subject).query(async ({ ctx, input }) => answer(await readCatalogue(ctx.backend, ctx.actor, input, stepCodeOf)));
