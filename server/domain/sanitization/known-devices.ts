// Which storage devices a host is known to have; the list is frozen at Init (docs/design/sanitization.md#known-devices).
import { createHash } from "node:crypto";
import { z } from "zod";
import { deviceKey, isNamed, unknownPlace } from "@/server/domain/inventory/inventory";
import type { StorageDevice, UnnamedDevice } from "@/server/domain/inventory/inventory";
import type { AnsweredDevice } from "@/server/domain/sanitization/dispositions";
import type { MediaRule } from "@/server/domain/sanitization/media-rules";
import { exclusion } from "@/server/domain/sanitization/media-rules";

/**
 * Something in a storage inventory that may hold data and is no drive that could be treated and proven: it has no serial, is listed in a
 * way that is not understood, or cannot be told from another. It blocks `storageSanitized` until a person decides (docs/adr/0019).
 */
export const unresolvedStorage = z.object({
  /** The same entry has the same key whenever it is read; one that says something else has another. */
  key: z.string(),
  source: z.enum(["bmc", "agent"]),
  /** Where it is, for people: "slot 3 of /redfish/v1/…". */
  place: z.string(),
  slot: z.string().nullable(),
  serial: z.string().nullable(),
  model: z.string().nullable(),
  /** A sentence: what is wrong with it, and what to do. */
  reason: z.string(),
});
export type UnresolvedStorage = z.infer<typeof unresolvedStorage>;

/** An entry with its key: by place and by all that is said of it. Pure. */
export function unresolved(entry: Omit<UnresolvedStorage, "key">): UnresolvedStorage {
  const { source, place, slot, serial, model, reason } = entry;
  const said = createHash("sha256")
    .update(JSON.stringify([source, place, slot, serial, model, reason]))
    .digest("hex")
    .slice(0, 16);
  return { ...entry, key: `${source}:${serial ?? place}:${said}` };
}

export interface KnownDevice extends StorageDevice {
  /** Who knew of it. `agent` alone means that nobody expected it. */
  readonly sources: readonly ("bmc" | "agent" | "debt")[];
  /** Only the BMC reaches it: a step of the controller must erase it. Lists of earlier versions have none. */
  readonly outOfBand?: true;
}

export interface DeviceList {
  readonly expected: readonly KnownDevice[];
  /** Media of the BMC's own, and those that a rule of the site excludes, each with the reason. */
  readonly excluded: readonly { readonly serial: string; readonly model: string; readonly reason: string }[];
  /** Known to the BMC or owed by a debt, and not seen by the agent that should see it. */
  readonly missing: readonly { readonly serial: string; readonly model: string; readonly knownBy: string }[];
  /** Was missing, and a person stated what became of it (dispositions.ts). Lists of earlier versions have none. */
  readonly answered?: readonly AnsweredDevice[];
  /** What blocks, and what a person's statement has answered (dispositions.ts). Lists of earlier versions have neither. */
  readonly resolved?: readonly UnresolvedStorage[];
  readonly unresolved?: readonly UnresolvedStorage[];
}

/** What is known besides the newest lists of drives. */
export interface MoreKnown {
  /** Of the BMC's reading. */
  readonly unresolved?: readonly UnresolvedStorage[];
  /** Drives that an earlier reading of the BMC listed, and the newest does not. */
  readonly earlier?: readonly StorageDevice[];
  /** Of the agent's report. */
  readonly unnamed?: readonly UnnamedDevice[] | undefined;
  readonly rules?: readonly MediaRule[] | undefined;
}

/** Who told of a drive: `earlier` is a reading of the BMC before its newest. */
export const earlierReading = "an earlier reading of the BMC";

/**
 * Drives of one list that have one serial number: with one in a list that treats and proves by serial, the other would be left out. A drive
 * that is listed twice at one place is one drive. Pure.
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
 * The drives that the agent sees and cannot name, each as an entry that blocks until somebody acts, and the media among them that are left
 * out. Drives that are told to be at one place cannot be told apart, so their place counts as unknown (dispositions.ts). Pure.
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
 * The union of what the BMC and the agent of this boot report, and the drives of standing debts.
 * A device that the agent does not see is `missing`; it stays expected. The one exception: a drive that the BMC itself lists
 * behind a controller which hides it from the host (`outOfBand`, by serial) is nobody's to miss but the BMC's. It is expected
 * like any other, and marked, so that the agent is not asked for it; only a step of the controller can prove it. One that the
 * agent does see is the agent's. What only a debt or an earlier reading names is missing, wherever it was. Pure.
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
    // safety: devices: a hidden drive that the agent sees is the agent's → outOfBand.includes(device.serial) && Boolean(known === undefined || Object.assign(known, { outOfBand: true }))
    const hidden =
      known === undefined &&
      /* safety: devices: only what a controller hides is the BMC's alone */ outOfBand.includes(
        device.serial,
      );
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
    /* safety: devices: what the agent cannot name is handed on */ ...unnamed.unresolved,
    /* safety: devices: what the BMC cannot name is handed on */ ...(more.unresolved ?? []),
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

/** The drives of debts that are not in the host. */
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

/** Serial-and-model sets that differ, in words; null when they are equal. Pure. */
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
