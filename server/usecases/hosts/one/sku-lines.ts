// What a SKU wants against what was found, line by line.
import type { HardwareInventory } from "@/server/domain/inventory/inventory";
import { skuDifference } from "@/server/domain/inventory/sku";
import type { SkuComponents } from "@/server/domain/inventory/sku";
import type { HostInventoryView } from "@/server/contract/answers/hosts";

/** What the SKU names, each as wanted; what differs has what was found beside it. */
function wantedLines(sku: SkuComponents): readonly { readonly what: string; readonly wanted: string }[] {
  return [
    { what: "manufacturer", wanted: sku.manufacturer },
    { what: "product", wanted: sku.product },
    { what: "CPU count", wanted: String(sku.cpus.count) },
    { what: "CPU model", wanted: sku.cpus.model },
    { what: "memory bytes", wanted: sku.memoryBytes },
    ...sku.storage.map(({ media, count, capacityBytes }) => ({
      what: `${media} of ${capacityBytes} bytes`,
      wanted: String(count),
    })),
    { what: "InfiniBand devices", wanted: String(sku.infiniband) },
  ];
}

/** Each line of the SKU, and behind them what was found and it does not name. Pure. */
export function skuLines(sku: SkuComponents, found: HardwareInventory): HostInventoryView["components"] {
  const differences = skuDifference(sku, found);
  const wanted = wantedLines(sku);
  const extra = differences.filter(({ what }) => !wanted.some((line) => line.what === what));
  return [
    ...wanted.map((line) => {
      const difference = differences.find(({ what }) => what === line.what);
      return { ...line, found: difference?.found ?? line.wanted, same: difference === undefined };
    }),
    ...extra.map((difference) => ({ ...difference, same: false })),
  ];
}
