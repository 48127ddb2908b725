// The storage devices that a host is known to have. The list is frozen at Init (docs/design/sanitization.md#known-devices).
import { createHash } from "node:crypto";
import { z } from "zod";
import { deviceKey, isNamed, unknownPlace } from "@/server/domain/hosts/inventory/inventory";
import type { StorageDevice, UnnamedDevice } from "@/server/domain/hosts/inventory/inventory";
import type { AnsweredDevice } from "@/server/domain/cleaning/sanitization/dispositions";
import type { MediaRule } from "@/server/domain/cleaning/sanitization/media-rules";
import { exclusion } from "@/server/domain/cleaning/sanitization/media-rules";

/**
 * An entry of a storage inventory that may hold data but cannot be treated and proven as a drive: it has no serial, is listed in a
 * way that is not understood, or cannot be told apart from another. It blocks `storageSanitized` until a person decides (docs/adr/0019).
 */
export const unresolvedStorage = z.object({
  /** Equal for the same entry in every reading, and different if anything in it changes. */
  key: z.string(),
  source: z.enum(["bmc", "agent"]),
  /** Where it is, as text: "slot 3 of /redfish/v1/…". */
  place: z.string(),
  slot: z.string().nullable(),
  serial: z.string().nullable(),
  model: z.string().nullable(),
  /** What is wrong with it and what to do, as a sentence. */
  reason: z.string(),
});
export type UnresolvedStorage = z.infer<typeof unresolvedStorage>;

/** An entry with its key, derived from its place and everything else it says. Pure. */
export function unresolved(entry: Omit<UnresolvedStorage, "key">): UnresolvedStorage {
  const { source, place, slot, serial, model, reason } = entry;
  const said = createHash("sha256")
    .update(JSON.stringify([source, place, slot, serial, model, reason]))
    .digest("hex")
    .slice(0, 16);
  return { ...entry, key: `${source}:${serial ?? place}:${said}` };
}

export interface KnownDevice extends StorageDevice {
  /** The sources that know it. Only `agent`: nobody expected it. */
  readonly sources: readonly ("bmc" | "agent" | "debt")[];
  /** Only the BMC reaches it, so a controller step must erase it. Missing in lists of earlier versions. */
  readonly outOfBand?: true;
}

export interface DeviceList {
  readonly expected: readonly KnownDevice[];
  /** The BMC's own media, and those that a rule of the site excludes, each with the reason. */
  readonly excluded: readonly { readonly serial: string; readonly model: string; readonly reason: string }[];
  /** Known to the BMC or owed by a debt, but not seen by the agent, which should see it. */
  readonly missing: readonly { readonly serial: string; readonly model: string; readonly knownBy: string }[];
  /** Was missing until a disposition accounted for it (dispositions.ts). Absent in lists of earlier versions. */
  readonly answered?: readonly AnsweredDevice[];
  /** `unresolved` entries block; `resolved` ones are accounted for by a disposition (dispositions.ts). Both are absent in lists of earlier versions. */
  readonly resolved?: readonly UnresolvedStorage[];
  readonly unresolved?: readonly UnresolvedStorage[];
}

/** What is known in addition to the latest lists of drives. */
export interface MoreKnown {
  /** From the BMC's reading. */
  readonly unresolved?: readonly UnresolvedStorage[];
  /** Drives in an earlier reading of the BMC that are not in the latest. */
  readonly earlier?: readonly StorageDevice[];
  /** From the agent's report. */
  readonly unnamed?: readonly UnnamedDevice[] | undefined;
  readonly rules?: readonly MediaRule[] | undefined;
}

/** The source shown for a drive that only an earlier BMC reading listed. */
export const earlierReading = "an earlier reading of the BMC";

/**
 * Drives in one list with the same serial number. Drives are treated and proven by serial, so only one of them would be. A drive
 * listed twice at the same place is one drive. Pure.
 */
function conflicts(
  source: UnresolvedStorage["source"],
  devices: readonly StorageDevice[],
): readonly UnresolvedStorage[] {
  return [...new Set(devices.map(({ serial }) => serial))].flatMap((serial) => {
    const all = devices.filter((device) => device.serial === serial);
    const places = all
      .map(({ model, slot }) => `${model}${slot === undefined ? "" : ` in ${slot}`}`)
      .toSorted();
    const sameDrive = all.every(
      (device) => device.slot !== undefined && device.slot === all[0]?.slot && device.model === all[0].model,
    );
    // safety: devices: two drives with one serial number (always)
    if (all.length < 2 || sameDrive) return [];
    const who = source === "bmc" ? "The BMC" : "The agent";
    const exit =
      source === "bmc"
        ? "Correct the serial number or remove one of the drives, then read the inventory again."
        : "Remove or replace one of the drives, or correct multipath if it is one drive on two paths, then restart the plan.";
    const reason = `${who} lists ${all.length} drives with the serial number ${serial} (${places.join("; ")}): a result for one would count for the other. ${exit}`;
    return [unresolved({ source, place: places.join("; "), slot: null, serial, model: null, reason })];
  });
}

const missingFacts = ({ serial, model }: UnnamedDevice): string => {
  if (isNamed({ serial, model })) return `of model ${model} with serial number ${serial}`;
  const noSerial = serial.trim() === "";
  if (noSerial && model.trim() === "") return "without a serial number and a model";
  return noSerial
    ? `of model ${model} without a serial number`
    : `with serial number ${serial} without a model`;
};

/**
 * The drives that the agent sees but cannot identify, each as an entry that blocks until somebody acts, and the excluded media among them.
 * Drives reported at the same place cannot be told apart, so their place counts as unknown (dispositions.ts). Pure.
 */
export function unnamedStorage(
  devices: readonly UnnamedDevice[],
  rules?: readonly MediaRule[],
): { readonly unresolved: readonly UnresolvedStorage[]; readonly excluded: DeviceList["excluded"] } {
  const left = devices.filter((device) => exclusion(device, rules) === null);
  const excluded = devices.flatMap(({ place, ...device }) => {
    const reason = exclusion(device, rules);
    return reason === null ? [] : [{ serial: place, model: device.model, reason }];
  });
  const entries = left.map((device) => {
    const { place, slot, model, media, transport, capacityBytes } = device;
    const isPlain = left.filter((other) => other.place === place).length === 1 && place !== unknownPlace;
    const where = `${place}${slot === undefined ? "" : ` (${slot})`}`;
    const exits = isPlain
      ? "Replace it or remove it, then restart the plan; or record it as misread."
      : "Replace it or remove it, then restart the plan.";
    return unresolved({
      source: "agent",
      place: isPlain ? place : unknownPlace,
      slot: slot ?? null,
      serial: null,
      model: model === "" ? null : model,
      reason: `The agent sees a drive ${missingFacts(device)} at ${where} (${media}, ${transport}, ${capacityBytes} bytes): no step can erase it with proof. ${exits}`,
    });
  });
  return { unresolved: entries, excluded };
}

/**
 * The union of what the BMC and the agent of this boot report, and the drives of open debts.
 * A device that the agent does not see is `missing`, and it stays expected. The only exception is a drive that the BMC lists
 * behind a controller which hides it from the host (`outOfBand`, by serial): it is expected but not missing, and marked, so that
 * the agent is not asked for it and only a controller step can prove it. If the agent does see it, it is treated as the agent's.
 * A drive that only a debt or an earlier reading names is always missing. Pure.
 */
export function freezeDevices(
  bmc: readonly StorageDevice[],
  agent: readonly StorageDevice[],
  debtSerials: readonly string[],
  outOfBand: readonly string[],
  more: MoreKnown = {},
): DeviceList {
  const expected = new Map<string, KnownDevice>();
  const excluded: { serial: string; model: string; reason: string }[] = [];
  const seen = new Set(agent.map(deviceKey));
  for (const device of agent) {
    const reason = exclusion(device, more.rules);
    if (reason === null) expected.set(deviceKey(device), { ...device, sources: ["agent"] });
    else excluded.push({ serial: device.serial, model: device.model, reason });
  }
  const missing: { serial: string; model: string; knownBy: string }[] = [];
  for (const device of bmc) {
    const reason = exclusion(device, more.rules);
    if (reason !== null) {
      if (!seen.has(deviceKey(device))) excluded.push({ serial: device.serial, model: device.model, reason });
      continue;
    }
    const known = expected.get(deviceKey(device));
    const hidden = known === undefined && outOfBand.includes(device.serial);
    const alone = { ...device, sources: ["bmc"] as const, ...(hidden ? { outOfBand: true as const } : {}) };
    expected.set(
      deviceKey(device),
      known === undefined ? alone : { ...device, ...known, sources: ["bmc", "agent"] },
    );
    // safety: devices: what the BMC knows and nobody sees
    if (known === undefined && !hidden)
      missing.push({ serial: device.serial, model: device.model, knownBy: "BMC" });
  }
  for (const device of more.earlier ?? []) {
    if (expected.has(deviceKey(device)) || exclusion(device, more.rules) !== null) continue;
    expected.set(deviceKey(device), { ...device, sources: ["bmc"] });
    // safety: devices: what an earlier reading of the BMC listed
    missing.push({ serial: device.serial, model: device.model, knownBy: earlierReading });
  }
  missing.push(...owedElsewhere([...expected.values()], debtSerials));
  const unnamed = unnamedStorage(more.unnamed ?? [], more.rules);
  excluded.push(...unnamed.excluded);
  const open = [
    ...unnamed.unresolved,
    ...(more.unresolved ?? []),
    ...conflicts("bmc", bmc),
    ...conflicts("agent", agent),
  ];
  return {
    expected: [...expected.values()],
    excluded,
    missing,
    ...(open.length === 0 ? {} : { unresolved: open }),
  };
}

/** Drives of debts that are not in the host. */
function owedElsewhere(
  expected: readonly KnownDevice[],
  debtSerials: readonly string[],
): DeviceList["missing"] {
  const serials = new Set(expected.map(({ serial }) => serial));
  return debtSerials.flatMap((serial) => {
    // safety: devices: what a debt names (always)
    if (serials.has(serial)) return [];
    return [{ serial, model: "", knownBy: "sanitization debt" }];
  });
}

/** The difference between two sets of serial and model, as text; null: they are equal. Pure. */
export function deviceSetDifference(
  treated: readonly { serial: string; model: string }[],
  found: readonly { serial: string; model: string }[],
): string | null {
  const treatedKeys = new Set(treated.map(deviceKey));
  const foundKeys = new Set(found.map(deviceKey));
  const gone = treated.filter((d) => !foundKeys.has(deviceKey(d))).map((d) => d.serial);
  // safety: devices: a new drive after cleaning (empty)
  const fresh = found.filter((d) => !treatedKeys.has(deviceKey(d))).map((d) => d.serial);
  // safety: devices: the set found equals the set treated (always)
  if (gone.length === 0 && fresh.length === 0) return null;
  return [
    gone.length > 0 ? `processed but no longer found: ${gone.join(", ")}` : "",
    fresh.length > 0 ? `found but never processed: ${fresh.join(", ")}` : "",
  ]
    .filter((part) => part !== "")
    .join("; ");
}
