// One SKU as stored, in the form that documents and acts use.
import { stepName } from "@/server/domain/cleaning/steps/step";
import { readStoredSku } from "@/server/domain/hosts/inventory/sku";
import { memberRevision } from "@/server/domain/sites/difference";
import type { SkuEntry } from "@/server/domain/sites/document";
import type { Reader } from "@/server/db/prisma";

export interface SkuRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly priorities: SkuEntry["priorities"];
  /** Null if the stored value is no SKU; `faults` says why. */
  readonly entry: SkuEntry | null;
  readonly faults: readonly string[];
  /** The stored components, as JSON. */
  readonly stored: string;
  /** Distinguishes states of a SKU, including those made by a document. */
  readonly revision: string;
}

/** Priorities of clean steps set for a SKU. */
export async function readSkuPriorities(reader: Reader, id: string): Promise<SkuEntry["priorities"]> {
  const overrides = await reader.stepOverride.findMany({
    where: { scope: "sku", scopeId: id },
    orderBy: [{ interface: "asc" }, { step: "asc" }],
  });
  return Object.fromEntries(overrides.map((one) => [stepName(one), one.priority]));
}

/** Null if there is no SKU with that name. */
export async function readSku(reader: Reader, name: string): Promise<SkuRecord | null> {
  const row = await reader.sku.findUnique({ where: { name } });
  if (row === null) return null;
  const { id, createdAt, components } = row;
  const priorities = await readSkuPriorities(reader, id);
  const sku = readStoredSku(components);
  const entry = sku.ok ? { name, components: sku.components, priorities } : null;
  return {
    id,
    name,
    createdAt,
    priorities,
    entry,
    faults: sku.ok ? [] : sku.faults,
    stored: JSON.stringify(components, null, 2),
    revision: memberRevision(entry ?? { components, priorities }),
  };
}
