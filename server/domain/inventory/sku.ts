// A SKU says what a host is made of; the difference to what was found must be empty (docs/design/lifecycle.md#inventory-and-sku).
import { z } from "zod";
import { byteCount, mediaKinds } from "@/server/domain/inventory/inventory";
import type { HardwareInventory } from "@/server/domain/inventory/inventory";
import { platformBaseline } from "@/server/domain/inventory/platform";
import { knownMembers } from "@/server/domain/stored";

export const skuComponents = z.strictObject({
  manufacturer: z.string(),
  product: z.string(),
  cpus: z.strictObject({ count: z.int().min(1), model: z.string() }),
  memoryBytes: byteCount,
  /** Counts and classes, never serials. */
  storage: z.array(
    z.strictObject({ media: z.enum(mediaKinds), count: z.int().min(0), capacityBytes: byteCount }),
  ),
  infiniband: z.int().min(0),
  /** What BIOS, firmware and BMC must be like; cleaning brings them there. */
  baseline: platformBaseline.optional(),
});
export type SkuComponents = z.infer<typeof skuComponents>;

/** A SKU as it is stored: without what the version beside this one also wants of a host (docs/adr/0024-rolling-upgrade.md). */
export const storedComponents = knownMembers(skuComponents);

export interface SkuDifference {
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
}

/** What differs between a SKU and a found inventory, in words; empty when they are equal. Media that are left out of cleaning are the caller's to leave out. Pure. */
export function skuDifference(sku: SkuComponents, found: HardwareInventory): readonly SkuDifference[] {
  const rows: SkuDifference[] = [];
  const compare = (what: string, wanted: string, foundText: string): void => {
    if (wanted !== foundText) rows.push({ what, wanted, found: foundText });
  };
  compare("manufacturer", sku.manufacturer, found.system.manufacturer);
  compare("product", sku.product, found.system.product);
  compare("CPU count", String(sku.cpus.count), String(found.cpus.length));
  for (const model of new Set(found.cpus.map((cpu) => cpu.model)))
    compare("CPU model", sku.cpus.model, model);
  compare("memory bytes", sku.memoryBytes, found.memoryBytes);
  const storageClass = (media: string, capacity: string): string => `${media} of ${capacity} bytes`;
  const counts = new Map<string, number>();
  for (const device of [...found.storage, ...(found.unnamed ?? [])]) {
    const key = storageClass(device.media, device.capacityBytes);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const row of sku.storage) {
    const key = storageClass(row.media, row.capacityBytes);
    compare(key, String(row.count), String(counts.get(key) ?? 0));
    counts.delete(key);
  }
  for (const [key, count] of counts) compare(key, "0", String(count));
  compare(
    "InfiniBand devices",
    String(sku.infiniband),
    String(found.infiniband.filter((d) => !d.dpu).length),
  );
  return rows;
}
