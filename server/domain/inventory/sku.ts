// A SKU says what a host is made of; the difference to what was found must be empty (docs/design/lifecycle.md#inventory-and-sku).
import { z } from "zod";
import { byteCount, mediaKinds } from "@/server/domain/inventory/inventory";
import type { HardwareInventory, Media } from "@/server/domain/inventory/inventory";
import { platformBaseline } from "@/server/domain/inventory/platform";
import { knownMembers } from "@/server/domain/stored";
import { issueWords } from "@/server/domain/schema-words";

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

/** A SKU that is stored and says what this release does not take. */
export interface UnreadableSku {
  readonly name: string;
  /** Each with its place, such as `cpus.count: …`. */
  readonly faults: readonly string[];
}

export type StoredSku =
  | { readonly ok: true; readonly components: SkuComponents }
  | { readonly ok: false; readonly faults: readonly string[] };

/** One that cannot be read says why; the others do not suffer from it. Pure. */
export function readStoredSku(stored: unknown): StoredSku {
  const parsed = storedComponents.safeParse(stored, { error: issueWords });
  return parsed.success
    ? { ok: true, components: parsed.data }
    : {
        ok: false,
        faults: parsed.error.issues.map(
          ({ path, message }) =>
            `${path.length === 0 ? "components" : path.map(String).join(".")}: ${message}`,
        ),
      };
}

/** What to do about one, as a sentence. Pure. */
export const unreadableWords = ({ name, faults }: UnreadableSku): string =>
  `The SKU ${name} cannot be read (${faults.join("; ")}). It is left unchanged: repair or delete it on the SKUs page, with reclaim skus change or delete, or name it in a site document.`;

export const skuParts = [
  "manufacturer",
  "product",
  "cpuCount",
  "cpuModel",
  "memory",
  "storage",
  "infiniband",
] as const;
export type SkuPart = (typeof skuParts)[number];

/** One line of a SKU against a host. */
export interface SkuLine {
  readonly part: SkuPart;
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly same: boolean;
}
export type SkuDifference = Omit<SkuLine, "same">;

export const storageClass = (media: string, capacityBytes: string): string =>
  `${media} of ${capacityBytes} bytes`;

/** How many drives of each class were found: those that nobody can name count, too. Pure. */
export function storageCounts(
  found: HardwareInventory,
): Map<string, { readonly media: Media; readonly capacityBytes: string; count: number }> {
  const counts = new Map<string, { media: Media; capacityBytes: string; count: number }>();
  for (const { media, capacityBytes } of [...found.storage, ...(found.unnamed ?? [])]) {
    const key = storageClass(media, capacityBytes);
    const row = counts.get(key);
    if (row === undefined) counts.set(key, { media, capacityBytes, count: 1 });
    else row.count += 1;
  }
  return counts;
}

/** InfiniBand devices that are the host's own: a DPU is not. */
export const infinibandCount = (found: HardwareInventory): number =>
  found.infiniband.filter(({ dpu }) => !dpu).length;

function storageLines(
  wanted: SkuComponents["storage"],
  found: HardwareInventory,
  line: (part: SkuPart, what: string, wanted: string, found: string) => SkuLine,
): SkuLine[] {
  const counts = storageCounts(found);
  const named = wanted.map(({ media, count, capacityBytes }) => {
    const key = storageClass(media, capacityBytes);
    const there = counts.get(key)?.count ?? 0;
    counts.delete(key);
    return line("storage", key, String(count), String(there));
  });
  return [...named, ...[...counts].map(([key, { count }]) => line("storage", key, "0", String(count)))];
}

/** A memory module has at least this. What firmware and kernel keep for themselves differs from boot to boot, and from kernel to kernel, by less. */
const leastModuleBytes = 2n ** 30n;

/** Whether two hosts have the same modules by what their kernels tell of memory. Pure. */
export function isSameMemory(a: string, b: string): boolean {
  const apart = BigInt(a) - BigInt(b);
  return (
    /* safety: sku: a memory module that is missing or added */ apart < leastModuleBytes &&
    -apart < leastModuleBytes
  );
}

/** An agent that does not tell how many CPUs there are lists none (`guestInventory`); a host has one at least. */
const told = (cpus: readonly object[]): string => (cpus.length === 0 ? "not told" : String(cpus.length));

/**
 * Each part that the SKU names, and what was found and it does not name. Whether a host matches a SKU is decided by this alone: by BOM validation, by
 * matching and on every page. Media that are left out of cleaning are the caller's to leave out. Pure.
 */
export function skuComparison(sku: SkuComponents, found: HardwareInventory): readonly SkuLine[] {
  const line = (part: SkuPart, what: string, wanted: string, foundText: string): SkuLine => ({
    part,
    what,
    wanted,
    found: foundText,
    same: wanted === foundText,
  });
  const others = [...new Set(found.cpus.map(({ model }) => model))].filter((m) => m !== sku.cpus.model);
  return [
    line("manufacturer", "manufacturer", sku.manufacturer, found.system.manufacturer),
    line("product", "product", sku.product, found.system.product),
    line("cpuCount", "CPU count", String(sku.cpus.count), told(found.cpus)),
    line("cpuModel", "CPU model", sku.cpus.model, others.length === 0 ? sku.cpus.model : others.join(", ")),
    {
      ...line("memory", "memory bytes", sku.memoryBytes, found.memoryBytes),
      same: isSameMemory(sku.memoryBytes, found.memoryBytes),
    },
    ...storageLines(sku.storage, found, line),
    line("infiniband", "InfiniBand devices", String(sku.infiniband), String(infinibandCount(found))),
  ];
}

/** What differs; empty when the host matches the SKU. Pure. */
export const skuDifference = (sku: SkuComponents, found: HardwareInventory): readonly SkuDifference[] =>
  skuComparison(sku, found)
    .filter(({ same }) => !same)
    .map(({ same: _, ...difference }) => difference);

export const differenceWords = (rows: readonly SkuDifference[]): string =>
  rows.map((row) => `${row.what}: ${row.wanted} wanted, ${row.found} found`).join("; ");
