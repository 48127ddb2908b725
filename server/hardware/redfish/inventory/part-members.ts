// Members that Redfish's resources of parts have in common, and what they say as members of a report.
import { z } from "zod";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { part } from "@/server/domain/hosts/parts/part";
import type { Part } from "@/server/domain/hosts/parts/part";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import { text } from "@/server/hardware/redfish/resources/references";

export const number = z.number().nullish().catch(null);
export const status = z.object({ State: text, Health: text }).nullish().catch(null);
export const location = z
  .object({ PartLocation: z.object({ ServiceLabel: text }).nullish().catch(null) })
  .nullish()
  .catch(null);
export type Location = z.infer<typeof location>;

export const common = {
  Id: text,
  Name: text,
  Model: text,
  Manufacturer: text,
  SerialNumber: text,
  Status: status,
};

/** A resource that says something else than what its list promises: its kind is then not told. */
export class Unreadable extends Error {}

/** Undefined: empty, or a word for nothing. */
export const filled = (value: string | null | undefined): string | undefined => {
  const trimmed = (value ?? "").trim();
  return trimmed === "" || /^n\/?a$/i.test(trimmed) ? undefined : trimmed;
};

/** Members that are known, cut to what a report may hold. */
export const known = (more: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(more).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.slice(0, name === "serial" ? 128 : 256)]],
    ),
  );

export const serialOf = (value: string | null | undefined): string | undefined => {
  const serial = filled(value);
  return serial === undefined || isPlaceholderSerial(serial) ? undefined : serial;
};

export const faultOf = (found: z.infer<typeof status>): string | undefined =>
  found?.Health == null || found.Health === "OK" ? undefined : `its BMC reports health ${found.Health}`;

export const isAbsent = (found: z.infer<typeof status>): boolean => found?.State === "Absent";

/** The first of what a part's place is called, cut to what a report may hold. */
export const slotOf = (...names: ReadonlyArray<string | null | undefined>): string | undefined =>
  names
    .map(filled)
    .find((name) => name !== undefined)
    ?.slice(0, 128);

export const labelOf = (found: Location): string | null | undefined => found?.PartLocation?.ServiceLabel;

/** Mebibytes as whole bytes; undefined if the number makes no sense. */
export const bytesOf = (mebibytes: number | null | undefined): string | undefined =>
  mebibytes != null && Number.isSafeInteger(Math.trunc(mebibytes)) && mebibytes >= 1
    ? (BigInt(Math.trunc(mebibytes)) * 1024n * 1024n).toString()
    : undefined;

/** Anything that does not fit is not a part of the report; the kind is then not told. */
export function checked(candidate: object): Part {
  const parsed = part.safeParse(candidate);
  if (!parsed.success) throw new Unreadable(parsed.error.issues.map(({ path }) => path.join(".")).join(", "));
  return parsed.data;
}

/** GT/s per lane by generation of PCI Express. */
const speeds: ReadonlyMap<string, number> = new Map([
  ["Gen1", 2.5],
  ["Gen2", 5],
  ["Gen3", 8],
  ["Gen4", 16],
  ["Gen5", 32],
  ["Gen6", 64],
]);

const lanes = (count: number | null | undefined): number | undefined =>
  count != null && Number.isInteger(count) && count > 0 && count <= 64 ? count : undefined;

export const pcieInterface = z
  .object({ LanesInUse: number, MaxLanes: number, MaxPCIeType: text })
  .nullish()
  .catch(null);

export function linkOf(found: z.infer<typeof pcieInterface>): Part["link"] {
  const members = {
    width: lanes(found?.LanesInUse),
    maxWidth: lanes(found?.MaxLanes),
    // A BMC reads the speed of an idle link, too, so only the maximum says something.
    maxSpeed: speeds.get(found?.MaxPCIeType ?? ""),
  };
  const told = Object.entries(members).filter(([, value]) => value !== undefined);
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

/** Reads what only adds to a part. */
export interface Details {
  readonly newGather: () => Gather;
  /** Whether the call has the time for it. */
  readonly spare: () => boolean;
}

/** Undefined: the BMC does not have it or cannot say it, or there is no time left for it. */
export async function detail(
  { newGather, spare }: Details,
  path: string | null | undefined,
): Promise<unknown> {
  if (path == null || !spare()) return undefined;
  try {
    return await newGather().resource("detail", path);
  } catch (error) {
    if (error instanceof CannotTell && error.error.kind !== "unreachable") return undefined;
    throw error;
  }
}

const counters = z
  .object({ CorrectableECCErrorCount: number, UncorrectableECCErrorCount: number })
  .nullish()
  .catch(null);

/** Redfish's MemoryMetrics, and what NVIDIA's BMCs add to them and to a GPU's Memory (NvidiaMemoryMetrics, NvidiaMemory). */
const metrics = z.object({
  LifeTime: counters,
  Oem: z
    .object({
      Nvidia: z
        .object({
          RowRemapping: z
            .object({ CorrectableRowRemappingCount: number, UncorrectableRowRemappingCount: number })
            .nullish()
            .catch(null),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

const flag = z.boolean().nullish().catch(null);
const remapping = z.object({
  Oem: z
    .object({
      Nvidia: z.object({ RowRemappingFailed: flag, RowRemappingPending: flag }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

const countOf = (value: number | null | undefined): number | undefined =>
  value != null && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const sum = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined || right === undefined ? undefined : countOf(left + right);

/** What counters and the state of a part's memory say of its errors; undefined: nothing. */
export function eccOf(counted: unknown, memory: unknown, more: unknown = undefined): Part["ecc"] {
  const found = metrics.safeParse(counted).data;
  const remapped = [counted, more].map((body) => {
    const rows = metrics.safeParse(body).data?.Oem?.Nvidia?.RowRemapping;
    return sum(countOf(rows?.CorrectableRowRemappingCount), countOf(rows?.UncorrectableRowRemappingCount));
  });
  const state = remapping.safeParse(memory).data?.Oem?.Nvidia;
  const members = {
    lifetimeCorrected: countOf(found?.LifeTime?.CorrectableECCErrorCount),
    lifetimeUncorrected: countOf(found?.LifeTime?.UncorrectableECCErrorCount),
    remappedRows: remapped.find((rows) => rows !== undefined),
    remapPending: state?.RowRemappingPending ?? undefined,
    remapFailed: state?.RowRemappingFailed ?? undefined,
  };
  const told = Object.entries(members).filter(([, value]) => value !== undefined);
  return told.length === 0 ? undefined : Object.fromEntries(told);
}
