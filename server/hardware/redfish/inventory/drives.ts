// Drives by Redfish: from the system's storage to each drive it lists, and what of it goes into our inventory.
import { z } from "zod";
import { deviceKey, storageDevice, type Media, type StorageDevice, type Transport } from "@/server/domain/inventory/inventory";
import { pathOf, text } from "@/server/hardware/redfish/references";
import { optionalAction, storageUnit, type StorageUnit } from "@/server/hardware/redfish/resources";
import type { Gather } from "./gather";

const number = z.number().nullish().catch(null);

/** A storage controller with its drives, as Redfish calls it. */
export interface FoundUnit {
  readonly path: string;
  readonly unit: StorageUnit;
}

export interface FoundDrive {
  readonly path: string;
  readonly unitPath: string;
  readonly device: StorageDevice;
  /** Target of the action that erases it; null where the BMC offers none. */
  readonly secureErase: string | null;
}

export interface FoundStorage {
  readonly units: readonly FoundUnit[];
  readonly drives: readonly FoundDrive[];
}

const erasable = z.object({ Actions: z.object({ "#Drive.SecureErase": optionalAction }).nullish().catch(null) });

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
  Identifiers: z.array(z.object({ DurableName: text, DurableNameFormat: text }).nullish().catch(null)).nullish().catch(null),
  PhysicalLocation: z
    .object({ PartLocation: z.object({ ServiceLabel: text, LocationType: text, LocationOrdinalValue: number }).nullish().catch(null) })
    .nullish()
    .catch(null),
});
type Drive = z.infer<typeof drive>;

/** All storage units of the system, and the drives behind them, each once. */
export async function collectStorage(gather: Gather, storageReference: string | undefined): Promise<FoundStorage> {
  const unitOf = new Map<string, FoundUnit>();
  const units: FoundUnit[] = [];
  for (const { path, body } of await gather.resources("storage", await gather.members("storage", storageReference))) {
    const unit = storageUnit.safeParse(body);
    if (!unit.success) {
      gather.leaveOut(`storage ${path}`, "its content is not a storage resource");
      continue;
    }
    const found: FoundUnit = { path, unit: unit.data };
    units.push(found);
    for (const reference of unit.data.Drives) {
      const drivePath = pathOf(reference);
      if (drivePath !== null && !unitOf.has(drivePath)) unitOf.set(drivePath, found);
    }
  }
  const drives = new Map<string, FoundDrive>();
  for (const { path, body } of await gather.resources("drive", [...unitOf.keys()])) {
    const unit = unitOf.get(path);
    const device = deviceOf(body, unit !== undefined && isRaidKit(unit));
    const target = erasable.safeParse(body).data?.Actions?.["#Drive.SecureErase"]?.target;
    if (typeof device === "string") gather.leaveOut(`drive ${path}`, device);
    else if (device !== null) drives.set(deviceKey(device), { path, unitPath: unit?.path ?? "", device, secureErase: target === undefined ? null : pathOf(target) });
  }
  return { units, drives: [...drives.values()] };
}

/** A Lenovo M.2 RAID kit: its drives are erased by the kit's own tool, and known as a medium of their own. */
const isRaidKit = ({ unit }: FoundUnit): boolean => (unit.StorageControllers ?? []).some((row) => /^M\.2 .*2-Bay RAID Kit$/.test(row?.Model ?? row?.Name ?? ""));

/** The device, null for an empty bay, or why it cannot be one of ours. */
function deviceOf(body: unknown, inKit: boolean): StorageDevice | null | string {
  const parsed = drive.safeParse(body);
  if (!parsed.success) return "its content is not a drive";
  const found = parsed.data;
  if (found.Status?.State === "Absent") return null;
  const transport = transportOf[found.Protocol ?? ""];
  if (transport === undefined) return `its protocol ${found.Protocol ?? "(none)"} is not one we know`;
  const media = inKit && transport === "nvme" ? "raid-kit" : mediaOf(found, transport);
  if (media === null) return `its medium ${found.MediaType ?? "(none)"} is not one we know`;
  if (found.CapacityBytes == null) return "it has no capacity";
  const device = storageDevice.safeParse({
    serial: (found.SerialNumber ?? "").trim(),
    model: (found.Model ?? "").trim(),
    media,
    transport,
    capacityBytes: Number.isInteger(found.CapacityBytes) && found.CapacityBytes >= 0 ? BigInt(found.CapacityBytes).toString() : "",
    removable: transport === "usb",
    ...filled({ manufacturer: found.Manufacturer, firmware: found.Revision ?? found.FirmwareVersion, wwn: wwnOf(found), slot: slotOf(found) }),
  });
  return device.success ? device.data : `its ${device.error.issues.map(({ path }) => path.join(".")).join(", ")} is missing or wrong`;
}

/** `PCIe` is how iDRAC and others name NVMe drives; `Protocol` of Redfish's Drive means the wire, not the command set. */
const transportOf: Readonly<Record<string, Transport>> = { NVMe: "nvme", PCIe: "nvme", SATA: "sata", eSATA: "sata", SAS: "sas", USB: "usb" };

function mediaOf(found: Drive, transport: Transport): Media | null {
  if (transport === "nvme") return "nvme";
  if (found.MediaType === "SSD") return "ssd";
  if (found.MediaType === "HDD" || found.MediaType === "SMR") return "hdd";
  if (found.MediaType == null && found.RotationSpeedRPM != null) return found.RotationSpeedRPM > 0 ? "hdd" : "ssd";
  return null;
}

/** Worldwide names only: a UUID that a BMC made up is no name of the drive. */
function wwnOf(found: Drive): string | null {
  const worldwide = found.Identifiers?.find((item) => ["NAA", "EUI", "NGUID", "FC_WWN"].includes(item?.DurableNameFormat ?? "") && (item?.DurableName ?? "") !== "");
  return worldwide?.DurableName ?? null;
}

function slotOf(found: Drive): string | null {
  const place = found.PhysicalLocation?.PartLocation;
  if (place?.ServiceLabel != null && place.ServiceLabel !== "") return place.ServiceLabel;
  if (place?.LocationOrdinalValue != null) return `${place.LocationType ?? "Slot"} ${place.LocationOrdinalValue}`;
  return found.Id ?? null;
}

/** Only what has a value, trimmed. */
function filled(values: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const trimmed = (value ?? "").trim();
      return trimmed === "" ? [] : [[key, trimmed]];
    }),
  );
}
