// Which SKU a host without one gets automatically (docs/adr/0050-enrolment.md).
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import {
  formatDifference,
  readStoredSku,
  skuDifference,
  unreadableText,
} from "@/server/domain/hosts/inventory/sku";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";

export interface NamedSku {
  readonly name: string;
  readonly components: SkuComponents;
}

export type SkuMatch<Sku extends NamedSku> =
  | { readonly ok: true; readonly sku: Sku }
  | { readonly ok: false; readonly reason: string };

const noMatch = (reason: string): { readonly ok: false; readonly reason: string } => ({ ok: false, reason });

/** Further names are only counted. */
const maxNames = 5;

function listed(skus: readonly NamedSku[]): string {
  const names = skus.map(({ name }) => name).sort();
  const shown = names.slice(0, maxNames).join(", ");
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}

/** The SKU of the same product with the fewest differences; of several, the first by name. */
function closest(skus: readonly NamedSku[], found: HardwareInventory): string {
  const { manufacturer, product } = found.system;
  const rows = skus
    .filter(({ components }) => components.product === product)
    .map((sku) => ({ name: sku.name, differences: skuDifference(sku.components, found) }))
    .sort((a, b) => a.differences.length - b.differences.length || (a.name < b.name ? -1 : 1));
  const [nearest] = rows;
  return nearest === undefined
    ? `no SKU is of ${manufacturer} ${product}`
    : `no SKU matches; it differs from ${nearest.name}: ${formatDifference(nearest.differences)}`;
}

/** The only SKU that the host matches, or why a person has to decide. Pure. */
export function matchSku<Sku extends NamedSku>(
  skus: readonly Sku[],
  found: HardwareInventory,
): SkuMatch<Sku> {
  // An unreadable SKU might be the host's, so a single match among the others is not enough.
  for (const { name, components } of skus) {
    const read = readStoredSku(components);
    if (!read.ok) return noMatch(unreadableText({ name, faults: read.faults }));
  }
  const equal = skus.filter(({ components }) => skuDifference(components, found).length === 0);
  const [sku] = equal;
  if (sku === undefined) return noMatch(closest(skus, found));
  // safety: matching: several SKUs are a person's to choose from
  if (equal.length > 1) return noMatch(`several SKUs match: ${listed(equal)}`);
  // An inventory without drives may come from something that cannot see them. Only a person can state that there are none.
  // safety: matching: a SKU without drives is assigned by hand
  if (!sku.components.storage.some(({ count }) => count > 0))
    return noMatch(`${sku.name} matches but lists no drives: assign it if the host has none`);
  return { ok: true, sku };
}
