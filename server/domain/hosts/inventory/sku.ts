// A SKU says what a host consists of. There must be no difference to what was found (docs/design/lifecycle.md#inventory-and-sku).
import { z } from "zod";
import { byteCount, mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import type { HardwareInventory, Media } from "@/server/domain/hosts/inventory/inventory";
import { platformBaseline } from "@/server/domain/hosts/inventory/platform";
import { partLines, skuPartClasses } from "@/server/domain/hosts/parts/sku-parts";
import type { PartLine } from "@/server/domain/hosts/parts/sku-parts";
import { knownMembers } from "@/server/domain/stored";
import { formatIssue } from "@/server/domain/schema-text";

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
  /** Kinds that are left out are not compared. */
  parts: skuPartClasses.optional(),
  /** Names of tests that its hosts must pass, besides those of the site's policy. */
  tests: z.array(z.string().min(1).max(128)).max(64).optional(),
  /** Requirements on BIOS, firmware and BMC, which cleaning establishes. */
  baseline: platformBaseline.optional(),
});
export type SkuComponents = z.infer<typeof skuComponents>;

/** What a tenant may know of a machine before it has one. */
export const skuContents = skuComponents
  .pick({ manufacturer: true, product: true, cpus: true, memoryBytes: true, storage: true, parts: true })
  .readonly();
export type SkuContents = z.infer<typeof skuContents>;

/** Pure. */
export const contentsOf = ({
  manufacturer,
  product,
  cpus,
  memoryBytes,
  storage,
  parts,
}: SkuComponents): SkuContents => ({
  ...{ manufacturer, product, cpus, memoryBytes, storage },
  ...(parts === undefined ? {} : { parts }),
});

/** A SKU as stored, without requirements that another running version added (docs/adr/0024-rolling-upgrade.md). */
export const storedComponents = knownMembers(skuComponents);

/** A stored SKU that this release does not accept. */
export interface UnreadableSku {
  readonly name: string;
  /** Each with its path, such as `cpus.count: …`. */
  readonly faults: readonly string[];
}

export type StoredSku =
  | { readonly ok: true; readonly components: SkuComponents }
  | { readonly ok: false; readonly faults: readonly string[] };

/** An unreadable SKU reports its faults and does not affect the others. Pure. */
export function readStoredSku(stored: unknown): StoredSku {
  const parsed = storedComponents.safeParse(stored, { error: formatIssue });
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
export const unreadableText = ({ name, faults }: UnreadableSku): string =>
  `The SKU ${name} cannot be read (${faults.join("; ")}). It is left unchanged: repair or delete it on the SKUs page, with reclaim skus change or delete, or name it in a site document.`;

export const skuParts = [
  "manufacturer",
  "product",
  "cpuCount",
  "cpuModel",
  "memory",
  "storage",
  "infiniband",
  "part",
  "partFault",
  "partNotReported",
] as const;
export type SkuPart = (typeof skuParts)[number];

/** One line of a SKU compared with a host. */
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

/** How many drives of each class were found, including those without an identity. Pure. */
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

/** InfiniBand devices that belong to the host. A DPU does not count. */
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

/** Minimum size of a memory module. What firmware and kernel reserve varies between boots and kernels by less than this. */
const leastModuleBytes = 2n ** 30n;

/** Whether two hosts have the same memory modules, judging by what their kernels report. Pure. */
export function isSameMemory(a: string, b: string): boolean {
  const apart = BigInt(a) - BigInt(b);
  return apart < leastModuleBytes && -apart < leastModuleBytes;
}

/** A host has at least one CPU. An agent that does not report their number lists none (`guestInventory`). */
const told = (cpus: readonly object[]): string => (cpus.length === 0 ? "not told" : String(cpus.length));

/** 2: with parts. Evidence of before has no number. */
export const comparisonVersion = 2;

const partOfLine = {
  class: "part",
  fault: "partFault",
  untold: "partNotReported",
} as const satisfies Record<PartLine["kind"], SkuPart>;

/**
 * Each part that the SKU names, plus what was found and is not in it. This comparison alone decides whether a host matches a SKU: in BOM validation,
 * in matching and on every page. The caller leaves out media excluded from cleaning. Pure.
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
    ...(sku.parts === undefined ? [] : partLines(sku.parts, found)).map(({ kind, ...row }) => ({
      part: partOfLine[kind],
      ...row,
    })),
  ];
}

/** The differences; empty if the host matches the SKU. Pure. */
export const skuDifference = (sku: SkuComponents, found: HardwareInventory): readonly SkuDifference[] =>
  skuComparison(sku, found)
    .filter(({ same }) => !same)
    .map(({ same: _, ...difference }) => difference);

function differenceText({ part, what, wanted, found }: SkuDifference): string {
  if (part === "partFault") return `${what}: ${found}`;
  return part === "partNotReported"
    ? `${what}: ${wanted} wanted, ${found}`
    : `${what}: ${wanted} wanted, ${found} found`;
}

export const formatDifference = (rows: readonly SkuDifference[]): string =>
  rows.map(differenceText).join("; ");
