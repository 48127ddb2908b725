// One SKU as it is stored, in the form that documents and acts have.
import { stepName } from "@/server/domain/cleaning/steps/step";
import { storedComponents } from "@/server/domain/inventory/sku";
import { memberRevision } from "@/server/domain/site/difference";
import type { SkuEntry } from "@/server/domain/site/document";
import type { Reader } from "@/server/db/prisma";

export interface SkuRecord {
  readonly id: string;
  readonly entry: SkuEntry;
  readonly createdAt: Date;
}

/** Null: there is no SKU of that name. */
export async function readSku(reader: Reader, name: string): Promise<SkuRecord | null> {
  const row = await reader.sku.findUnique({ where: { name } });
  if (row === null) return null;
  const overrides = await reader.stepOverride.findMany({
    where: { scope: "sku", scopeId: row.id },
    orderBy: [{ interface: "asc" }, { step: "asc" }],
  });
  return {
    id: row.id,
    createdAt: row.createdAt,
    entry: {
      name: row.name,
      components: storedComponents.parse(row.components),
      priorities: Object.fromEntries(overrides.map((one) => [stepName(one), one.priority])),
    },
  };
}

/** Tells states of a SKU apart, also those that a document has made. Pure. */
export const skuRevision = (entry: SkuEntry): string => memberRevision(entry);
