// What a SKU says of parts, and how that compares with what was found (docs/parts.md#compared-with-the-sku).
import { z } from "zod";
import type { HardwareInventory, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { partFault } from "@/server/domain/hosts/parts/fault";
import { nameOfPart, partKinds, partWords } from "@/server/domain/hosts/parts/part";
import type { Part, PartKind, PartsReport } from "@/server/domain/hosts/parts/part";

/** Parts of one class, counted. A member that is left out is not compared. */
export const partClass = z.strictObject({
  count: z.int().min(0).max(512),
  model: z.string().max(256).optional(),
  memoryBytes: z
    .string()
    .regex(/^\d{1,24}$/, "a whole number of bytes, as decimal digits")
    .optional(),
  memoryType: z.string().max(64).optional(),
  /** Active NVLinks of each GPU. How many are used depends on how the machine is built, so only a SKU can say it. */
  nvlinks: z.int().min(0).max(64).optional(),
});
export type PartClass = z.infer<typeof partClass>;

const classes = z.array(partClass).max(64).optional();

/** By kind. A kind that is left out is not compared; an empty list says that the host has none. */
export const skuPartClasses = z.strictObject({
  gpu: classes,
  nic: classes,
  dpu: classes,
  memory: classes,
  nvswitch: classes,
  /** By model, besides the sizes in `storage`. */
  drive: classes,
});
export type SkuPartClasses = z.infer<typeof skuPartClasses>;

export const skuPartKinds = [...partKinds, "drive"] as const satisfies readonly (keyof SkuPartClasses)[];
export type SkuPartKind = (typeof skuPartKinds)[number];

export const skuPartWords = {
  ...partWords,
  drive: { one: "drive", many: "drives" },
} as const satisfies Record<SkuPartKind, { readonly one: string; readonly many: string }>;

/** One line of the comparison. `fault`: a part that is there and not as it should be. `untold`: a kind that nobody reported. */
export interface PartLine {
  readonly kind: "class" | "fault" | "untold";
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly same: boolean;
}

const gib = 2n ** 30n;
const mib = 2n ** 20n;

/** Whole GiB, else whole MiB, else bytes. Pure. */
export function sizeText(bytes: string): string {
  const size = BigInt(bytes);
  if (size > 0n && size % gib === 0n) return `${size / gib} GiB`;
  return size > 0n && size % mib === 0n ? `${size / mib} MiB` : `${bytes} bytes`;
}

type Described = Omit<PartClass, "count">;

/** Such as "GPU NVIDIA H100 80GB HBM3, 81559 MiB". Pure. */
export function classText(kind: SkuPartKind, { model, memoryType, memoryBytes, nvlinks }: Described): string {
  const named = [skuPartWords[kind].one, model ?? ""].filter((each) => each !== "").join(" ");
  const size = memoryBytes === undefined ? "" : sizeText(memoryBytes);
  return [named, memoryType ?? "", size, nvlinks === undefined ? "" : `${nvlinks} NVLinks`]
    .filter((each) => each !== "")
    .join(", ");
}

/** A driver reports a little more or less of a GPU's memory from version to version. */
const isSameSize = (wanted: string, found: string | undefined): boolean => {
  if (found === undefined) return false;
  const apart = BigInt(wanted) - BigInt(found);
  return apart < gib && -apart < gib;
};

/** Whether the class describes this part. What the class names and nobody reported does not match. */
const isOf = (wanted: Described, found: Described): boolean =>
  (wanted.model === undefined || wanted.model === found.model) &&
  (wanted.memoryType === undefined || wanted.memoryType === found.memoryType) &&
  (wanted.memoryBytes === undefined || isSameSize(wanted.memoryBytes, found.memoryBytes)) &&
  (wanted.nvlinks === undefined || wanted.nvlinks === found.nvlinks);

/** A part or a drive, as far as it is compared. */
interface Compared extends Described {
  readonly slot?: string | undefined;
  readonly serial?: string | undefined;
}

/** What is compared of a part: models of GPUs, NICs, DPUs and drives, type and size of memory modules, whose vendors are many. */
function describedOf(kind: SkuPartKind, { model, memoryType, memoryBytes, nvlinks }: Described): Described {
  if (kind === "memory")
    return {
      ...(memoryType === undefined ? {} : { memoryType }),
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
    };
  return {
    ...(model === undefined ? {} : { model }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(nvlinks === undefined ? {} : { nvlinks }),
  };
}

const ofDrive = ({ model, slot, serial }: StorageDevice): Compared => ({ model, slot, serial });
const ofPart = ({ nvlinks, model, slot, serial, memoryBytes, memoryType }: Part): Compared => ({
  ...{ model, slot, serial, memoryBytes, memoryType },
  ...(nvlinks === undefined ? {} : { nvlinks: nvlinks.active }),
});

/** Further parts are only counted. */
const mostNamed = 4;

const placeText = ({ slot, serial }: Compared): string =>
  [slot === undefined ? "no slot" : `slot ${slot}`, serial === undefined ? "" : `serial ${serial}`]
    .filter((each) => each !== "")
    .join(", ");

/** How many were found, and where: a part that the SKU does not name must be found by whoever repairs it. */
function namedText(found: readonly Compared[]): string {
  const named = found.slice(0, mostNamed).map(placeText).join("; ");
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : "";
  return `${found.length} (${named}${more})`;
}

function counted(kind: SkuPartKind, wanted: readonly PartClass[], found: readonly Compared[]): PartLine[] {
  const counts = wanted.map(() => 0);
  const rest = new Map<string, Compared[]>();
  for (const each of found) {
    const at = wanted.findIndex((one) => isOf(one, each));
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
    else {
      const key = classText(kind, describedOf(kind, each));
      rest.set(key, [...(rest.get(key) ?? []), each]);
    }
  }
  return [
    ...wanted.map((one, at): PartLine => {
      const foundCount = counts[at] ?? 0;
      return {
        kind: "class",
        what: classText(kind, one),
        wanted: String(one.count),
        found: String(foundCount),
        same: foundCount === one.count,
      };
    }),
    ...[...rest].map(([what, parts]): PartLine => ({
      kind: "class",
      what,
      wanted: "0",
      found: namedText(parts),
      same: false,
    })),
  ];
}

/** Why a kind is not known from a report; null: it is. Pure. */
export function untoldReason(report: PartsReport | undefined, kind: PartKind): string | null {
  if (report === undefined) return "boot an agent image of this release, which reports parts";
  if (report.told.includes(kind)) return null;
  return report.untold.find((each) => each.kind === kind)?.reason ?? "its agent does not know this kind";
}

const total = (wanted: readonly PartClass[]): string =>
  String(wanted.reduce((sum, { count }) => sum + count, 0));

function linesOf(kind: PartKind, wanted: readonly PartClass[], report: PartsReport | undefined): PartLine[] {
  const reason = untoldReason(report, kind);
  // safety: parts: what nobody reported is not there
  if (reason !== null || report === undefined)
    return [
      {
        kind: "untold",
        what: skuPartWords[kind].many,
        wanted: total(wanted),
        found: `not reported by the agent: ${reason ?? ""}`,
        same: false,
      },
    ];
  const own = report.found.filter((each) => each.kind === kind);
  return [...counted(kind, wanted, own.map(ofPart)), ...faultLines(own)];
}

const faultLines = (parts: readonly Part[]): PartLine[] =>
  parts.flatMap((each) => {
    const fault = partFault(each);
    return fault === null
      ? []
      : [{ kind: "fault" as const, what: nameOfPart(each), wanted: "no fault", found: fault, same: false }];
  });

/** A line for each class that the SKU names, for each part that it does not, and for each fault of a part of a compared kind. Pure. */
export function partLines(wanted: SkuPartClasses, found: HardwareInventory): readonly PartLine[] {
  return skuPartKinds.flatMap((kind) => {
    const own = wanted[kind];
    if (own === undefined) return [];
    return kind === "drive"
      ? counted(kind, own, found.storage.map(ofDrive))
      : linesOf(kind, own, found.parts);
  });
}

/** Kinds that a SKU does not compare. Pure. */
export const notCompared = (wanted: SkuPartClasses | undefined): readonly SkuPartKind[] =>
  skuPartKinds.filter((kind) => wanted?.[kind] === undefined);

const classKey = (one: Described): string =>
  JSON.stringify([one.model, one.memoryType, one.memoryBytes, one.nvlinks]);

function classesOf(kind: SkuPartKind, found: readonly Described[]): PartClass[] {
  const rows = new Map<string, PartClass>();
  for (const each of found) {
    const described = describedOf(kind, each);
    const key = classKey(described);
    rows.set(key, { ...described, count: (rows.get(key)?.count ?? 0) + 1 });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** What a SKU that is made from this host says of parts; undefined if its agent reports none. Kinds that it could not list are left out. Pure. */
export function proposedParts({
  parts,
  storage,
}: Pick<HardwareInventory, "parts" | "storage">): SkuPartClasses | undefined {
  if (parts === undefined) return undefined;
  return Object.fromEntries(
    skuPartKinds.flatMap((kind): [SkuPartKind, PartClass[]][] => {
      if (kind === "drive") return [[kind, classesOf(kind, storage.map(ofDrive))]];
      return parts.told.includes(kind)
        ? [[kind, classesOf(kind, parts.found.filter((each) => each.kind === kind).map(ofPart))]]
        : [];
    }),
  );
}

/** The first part of the host with a fault, in words; null: none. A SKU made from such a host would not match it. Pure. */
export function firstFault(parts: PartsReport | undefined): string | null {
  const [line] = faultLines(parts?.found ?? []);
  return line === undefined ? null : `${line.what}: ${line.found}`;
}
