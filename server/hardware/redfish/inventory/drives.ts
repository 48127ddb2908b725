// Drives by Redfish: from the system's storage to each drive it lists, and which of its properties go into our inventory.
import { z } from "zod";
import { hasQuirk } from "@/server/domain/hardware/quirks";
import {
  storageDevice,
  type Media,
  type StorageDevice,
  type Transport,
} from "@/server/domain/hosts/inventory/inventory";
import { unresolved, type UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import { pathsOf } from "@/server/hardware/redfish/resources/collection";
import { hasAll } from "@/server/hardware/redfish/resources/expand";
import { pathOf, text } from "@/server/hardware/redfish/resources/references";
import { optionalAction, storageUnit, type StorageUnit } from "@/server/hardware/redfish/resources/resources";
import type { PowerState } from "@/server/hardware/interfaces";
import type { StorageLinks } from "@/server/hardware/redfish/client/bmcs";
import { decide, filledText, notOn, simpleDevices } from "@/server/hardware/redfish/inventory/no-drives";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";

const number = z.number().nullish().catch(null);

/** A storage controller with its drives; a Storage resource in Redfish. */
export interface FoundUnit {
  readonly path: string;
  readonly unit: StorageUnit;
}

export interface FoundDrive {
  readonly path: string;
  readonly unitPath: string;
  readonly device: StorageDevice;
  /** Target of the action that erases the drive; null if the BMC offers none. */
  readonly secureErase: string | null;
}

/** The machine's power as reported with the links, which may be some seconds ago, and as it is reported now. */
export interface PowerAround {
  readonly before: PowerState;
  readonly now: () => Promise<PowerState>;
}

async function whileNotOn({ before, now }: PowerAround): Promise<readonly UnresolvedStorage[]> {
  if (before !== "on") return [notOn(before)];
  const after = await now();
  return after === "on" ? [] : [notOn(after)];
}

export interface FoundStorage {
  readonly units: readonly FoundUnit[];
  readonly drives: readonly FoundDrive[];
  readonly unresolved: readonly UnresolvedStorage[];
}

const erasable = z.object({
  Actions: z.object({ "#Drive.SecureErase": optionalAction }).nullish().catch(null),
});

const drive = z.object({
  Id: text,
  Name: text,
  SerialNumber: text,
  Model: text,
  Manufacturer: text,
  Revision: text,
  FirmwareVersion: text,
  MediaType: text,
  Protocol: text,
  CapacityBytes: number,
  RotationSpeedRPM: number,
  Status: z.object({ State: text }).nullish().catch(null),
  Identifiers: z
    .array(z.object({ DurableName: text, DurableNameFormat: text }).nullish().catch(null))
    .nullish()
    .catch(null),
  PhysicalLocation: z
    .object({
      PartLocation: z
        .object({ ServiceLabel: text, LocationType: text, LocationOrdinalValue: number })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
type Drive = z.infer<typeof drive>;

/** A unit's own list of its drives, checked as strictly as a collection: in a truncated list drives are missing. */
const driveList = z.object({
  Drives: z.array(z.unknown()).nullish(),
  "Drives@odata.count": z.number().nullish(),
  "Drives@odata.nextLink": z.unknown().optional(),
});

/** What an expanded answer must contain of a unit and of a drive; otherwise the resource is read by itself. */
const isWholeUnit = hasAll("Drives", "Drives@odata.count");
const isWholeDrive = hasAll("SerialNumber", "Model", "Protocol", "CapacityBytes");

/**
 * All storage units of the system, and the drives behind them. Anything that may be a drive but cannot be inventoried is `unresolved`; so is a list
 * without any drive, unless the machine is on before and after it and has no other list. `power`: null: who asks does not need to know.
 */
export async function collectStorage(
  gather: Gather,
  { storage: storageReference, simpleStorage }: StorageLinks,
  power: PowerAround | null,
): Promise<FoundStorage> {
  const open: UnresolvedStorage[] = [];
  const before = gather.leftOut.length;
  const members = await gather.members("storage", storageReference, 2, { leavesOutUntold: true });
  for (const line of gather.leftOut.slice(before))
    open.push(
      notTold("the system's storage", `The BMC does not report which drives the system has (${line}).`),
    );
  const unitOf = new Map<string, FoundUnit>();
  const units: FoundUnit[] = [];
  for (const { path, body: alone } of await gather.resources(members, isWholeUnit)) {
    const body = await gather.withDrives(
      path,
      alone,
      pathsOf(driveList.safeParse(alone).data?.Drives ?? []) ?? [],
    );
    const unit = storageUnit.safeParse(body);
    if (!unit.success) return gather.stop(path, "its content is not a storage resource");
    const found: FoundUnit = { path, unit: unit.data };
    units.push(found);
    const listed = drivesOf(gather, found, body);
    if (listed === null)
      open.push(notTold(path, `The storage controller ${unit.data.Id ?? path} does not report its drives.`));
    for (const drivePath of listed ?? []) if (!unitOf.has(drivePath)) unitOf.set(drivePath, found);
  }
  const drives: FoundDrive[] = [];
  for (const { path, body } of await gather.resources([...unitOf.keys()], isWholeDrive)) {
    const unit = unitOf.get(path);
    const parsed = drive.safeParse(body);
    if (!parsed.success) return gather.stop(path, "its content is not a drive");
    const Protocol = parsed.data.Protocol ?? onlyProtocolOf(unit);
    const device = deviceOf({ ...parsed.data, Protocol }, unit !== undefined && isRaidKit(unit));
    const target = erasable.safeParse(body).data?.Actions?.["#Drive.SecureErase"]?.target;
    if (device === null) continue;
    // safety: bmc: a drive that cannot be named is said
    if (typeof device === "string") open.push(unexpectedDrive(path, parsed.data, device));
    else
      drives.push({
        path,
        unitPath: unit?.path ?? "",
        device,
        secureErase: target === undefined ? null : pathOf(target),
      });
  }
  if (drives.length === 0) open.push(...(await simpleDevices(gather, simpleStorage)));
  // safety: bmc: no drives of a machine that is not on
  if (drives.length === 0 && open.length === 0 && power !== null) open.push(...(await whileNotOn(power)));
  return { units, drives, unresolved: open };
}

/** The paths of a unit's drives; null if it has no such list. Stops the reading if the list is incomplete. */
function drivesOf(gather: Gather, { path }: FoundUnit, body: unknown): readonly string[] | null {
  const parsed = driveList.safeParse(body);
  const paths = parsed.success ? pathsOf(parsed.data.Drives ?? []) : null;
  if (!parsed.success || paths === null)
    return gather.stop(path, "its list of drives is not a list of links");
  const { Drives: listed, "Drives@odata.count": count, "Drives@odata.nextLink": next } = parsed.data;
  // safety: bmc: a unit with fewer drives than it counts
  if (count != null && count !== paths.length)
    return gather.stop(path, `it reports ${count} drives but lists ${paths.length}`);
  if (next != null) return gather.stop(path, "its list of drives is truncated and continues on another page");
  return listed == null && count == null ? null : paths;
}

const notTold = (place: string, what: string): UnresolvedStorage =>
  unresolved({
    source: "bmc",
    place,
    slot: null,
    serial: null,
    model: null,
    reason: `${what} A missing drive behind it would go unnoticed. ${decide}`,
  });

function unexpectedDrive(path: string, found: Drive, problem: string): UnresolvedStorage {
  const { slot, serial, model } = {
    slot: slotOf(found),
    serial: filledText(found.SerialNumber),
    model: filledText(found.Model),
  };
  const name = `Drive ${serial ?? ""}${serial === null ? "" : " "}${slot === null ? "" : `in ${slot} `}(${path})`;
  return unresolved({
    source: "bmc",
    place: path,
    slot,
    serial,
    model,
    reason: `${name} cannot be matched with any drive: ${problem}. ${decide}`,
  });
}

/** A Lenovo M.2 RAID kit. Its drives are erased by the kit's own tool, and have a medium of their own. */
const isRaidKit = ({ unit }: FoundUnit): boolean =>
  (unit.StorageControllers ?? []).some((row) => hasQuirk("raidKit", { model: row?.Model ?? row?.Name }));

/** The protocol of all drives of a unit that takes NVMe only: Supermicro's NVMe drives tell none themselves. Behind a SAS controller may be SATA drives. */
function onlyProtocolOf(found: FoundUnit | undefined): string | null {
  const controllers = found?.unit.StorageControllers ?? [];
  const lists = controllers.map((row) => row?.SupportedDeviceProtocols ?? []);
  const [only, ...others] = new Set(lists.flat());
  const isOnly = others.length === 0 && lists.every((list) => list.length > 0);
  return only !== undefined && isOnly && transportOf[only] === "nvme" ? only : null;
}

/** The device; null for an empty bay; or the reason why it cannot be inventoried. */
function deviceOf(found: Drive, inKit: boolean): StorageDevice | null | string {
  if (found.Status?.State === "Absent") return null;
  if (filledText(found.SerialNumber) === null) return "it has no serial number";
  if (filledText(found.Model) === null) return "it has no model";
  const transport = transportOf[found.Protocol ?? ""];
  if (transport === undefined) return `its protocol ${found.Protocol ?? "(none)"} is unknown`;
  const media = inKit && transport === "nvme" ? "raid-kit" : mediaOf(found, transport);
  if (media === null) return `its medium ${found.MediaType ?? "(none)"} is unknown`;
  if (found.CapacityBytes == null || found.CapacityBytes === 0) return "it has no capacity";
  const device = storageDevice.safeParse({
    serial: (found.SerialNumber ?? "").trim(),
    model: (found.Model ?? "").trim(),
    media,
    transport,
    capacityBytes:
      Number.isInteger(found.CapacityBytes) && found.CapacityBytes >= 0
        ? BigInt(found.CapacityBytes).toString()
        : "",
    removable: transport === "usb",
    ...filled({
      manufacturer: found.Manufacturer,
      firmware: found.Revision ?? found.FirmwareVersion,
      wwn: wwnOf(found),
      slot: slotOf(found),
    }),
  });
  return device.success
    ? device.data
    : `its ${device.error.issues.map(({ path }) => path.join(".")).join(", ")} is missing or wrong`;
}

/** `PCIe` is how iDRAC and others report NVMe drives. `Protocol` of Redfish's Drive is the transport, not the command set. */
const transportOf: Readonly<Record<string, Transport>> = {
  NVMe: "nvme",
  PCIe: "nvme",
  SATA: "sata",
  eSATA: "sata",
  SAS: "sas",
  USB: "usb",
};

function mediaOf(found: Drive, transport: Transport): Media | null {
  if (transport === "nvme") return "nvme";
  if (found.MediaType === "SSD") return "ssd";
  if (found.MediaType === "HDD" || found.MediaType === "SMR") return "hdd";
  if (found.MediaType == null && found.RotationSpeedRPM != null)
    return found.RotationSpeedRPM > 0 ? "hdd" : "ssd";
  return null;
}

/** Worldwide names only: a UUID made up by the BMC does not identify the drive. */
function wwnOf(found: Drive): string | null {
  const worldwide = found.Identifiers?.find(
    (item) =>
      ["NAA", "EUI", "NGUID", "FC_WWN"].includes(item?.DurableNameFormat ?? "") &&
      (item?.DurableName ?? "") !== "",
  );
  return worldwide?.DurableName ?? null;
}

function slotOf(found: Drive): string | null {
  const place = found.PhysicalLocation?.PartLocation;
  if (place?.ServiceLabel != null && place.ServiceLabel !== "") return place.ServiceLabel;
  if (place?.LocationOrdinalValue != null)
    return `${place.LocationType ?? "Slot"} ${place.LocationOrdinalValue}`;
  return found.Id ?? null;
}

/** Only the entries with a value, trimmed. */
function filled(values: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const trimmed = (value ?? "").trim();
      return trimmed === "" ? [] : [[key, trimmed]];
    }),
  );
}
