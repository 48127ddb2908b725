// Turns the inventory of Ironic's agent into ours. What it does not report is not guessed: an unidentifiable drive blocks, as it does with our own agent.
import type { GuestHardware } from "@/server/domain/agents/ironic/wire";
import { isNamed, unknownPlace } from "@/server/domain/hosts/inventory/inventory";
import type {
  HardwareInventory,
  StorageDevice,
  Transport,
  UnnamedDevice,
} from "@/server/domain/hosts/inventory/inventory";

type Disk = GuestHardware["disks"][number];

const nvmeName = /^\/dev\/nvme\d+n\d+$/;
/** The namespace identifier. The number in the device name is assigned by the kernel and differs when identifiers have gaps. */
const namespaceInPath = /-nvme-(\d+)$/;

/** From the device name and port, which is all that the agent reports; null: a kind that no step erases. */
function transportOf({ name, by_path: path }: Disk): Transport | null {
  if (nvmeName.test(name)) return "nvme";
  if (!/^\/dev\/(sd|vd)[a-z]+$/.test(name) || path == null) return null;
  if (/-usb-/.test(path)) return "usb";
  if (/-ata-/.test(path)) return "sata";
  return /-(sas|scsi)-/.test(path) ? "sas" : null;
}

/** What Reclaim knows about the host from other sources. */
export interface GuestHost {
  readonly systemUuid: string;
  readonly serial: string;
  /** As reported by the BMC; null: not read. */
  readonly model: string | null;
  /** Drives that are in the host and have a world-wide name. */
  readonly drives: readonly { readonly serial: string; readonly model: string; readonly wwn: string }[];
}

/** The digits alone: it may be written with `0x`, `naa.`, `eui.` or colons. Null: not a world-wide name. */
const wwnDigits = (wwn: string | null | undefined): string | null =>
  /^(?:0x|naa\.|eui\.)?([0-9a-f]{16,32})$/i.exec((wwn ?? "").replace(/[:\s]/g, ""))?.[1]?.toLowerCase() ??
  null;

/**
 * For a SAS drive, Ironic's agent reports udev's short serial, which is the drive's world-wide name (ironic_python_agent/hardware.py,
 * `ID_SERIAL_SHORT`). The serial number then comes from the drive of this host known by that name; empty if there is none.
 */
function serialOf(disk: Disk, { drives }: GuestHost): string {
  const serial = disk.serial ?? "";
  const digits = wwnDigits(serial);
  const isName =
    digits !== null && [disk.wwn, disk.wwn_with_extension].some((wwn) => wwnDigits(wwn) === digits);
  const known = drives.filter(({ model, wwn }) => model === disk.model && wwnDigits(wwn) === digits);
  // safety: guest: a world-wide name is no serial number
  if (isName) return known.length === 1 ? (known[0]?.serial ?? "") : "";
  return serial;
}

interface Seen {
  readonly drives: ReadonlyMap<string, StorageDevice>;
  readonly unnamed: readonly UnnamedDevice[];
}

const bytes = (size: number): string => BigInt(Math.floor(size)).toString();

/** Several namespaces are one drive with their total capacity. */
function joined(known: StorageDevice, more: StorageDevice): StorageDevice {
  return {
    ...known,
    capacityBytes: (BigInt(known.capacityBytes) + BigInt(more.capacityBytes)).toString(),
    namespaces: [...(known.namespaces ?? []), ...(more.namespaces ?? [])].sort((a, b) => a - b),
  };
}

function withDisk(host: GuestHost, { drives, unnamed }: Seen, disk: Disk): Seen {
  // The agent assembles Linux software RAID arrays when it starts. Their member drives are listed separately.
  if (/^\/dev\/md/.test(disk.name)) return { drives, unnamed };
  const transport = transportOf(disk);
  const about = {
    serial: serialOf(disk, host),
    model: disk.model ?? "",
    media: transport === "nvme" ? ("nvme" as const) : disk.rotational ? ("hdd" as const) : ("ssd" as const),
    transport: transport ?? ("virtual" as const),
    capacityBytes: bytes(disk.size),
    removable: transport === "usb",
  };
  // safety: guest: a drive of no known kind is none that a step treats
  if (transport === null || !isNamed(about)) {
    const place = disk.by_path ?? unknownPlace;
    return { drives, unnamed: [...unnamed, { ...about, place: `${place} (${disk.name})`.slice(0, 256) }] };
  }
  const namespace = Number(namespaceInPath.exec(disk.by_path ?? "")?.[1] ?? 0);
  const device: StorageDevice = {
    ...about,
    ...(disk.vendor ? { manufacturer: disk.vendor } : {}),
    ...(disk.wwn ? { wwn: disk.wwn } : {}),
    ...(transport === "nvme" && namespace > 0 ? { namespaces: [namespace] } : {}),
  };
  const key = `${device.serial}\u0000${device.model}`;
  const known = drives.get(key);
  if (known !== undefined && transport !== "nvme")
    return {
      drives,
      unnamed: [...unnamed, { ...about, place: `${disk.name}, a second drive with this name` }],
    };
  return { drives: new Map(drives).set(key, known === undefined ? device : joined(known, device)), unnamed };
}

/** `lshw` appends the SKU number in parentheses to the product. The product is what the BMC reports. */
const productOf = (told: string, { model }: GuestHost): string =>
  model !== null && model !== "" && told.startsWith(`${model} (`) && told.endsWith(")") ? model : told;

/** Before version 10.0 the agent reports only the total number of threads and not the number of CPUs, so none are listed. */
const cpusOf = ({ socket_count: sockets, count, model_name: model }: GuestHardware["cpu"]) =>
  Array.from({ length: sockets ?? 0 }, () => ({
    model: model ?? "",
    cores: Math.max(1, Math.floor(count / (sockets ?? 1))),
  }));

/**
 * The agent's report as an inventory of that host. The report has no system UUID. It lists block devices only, so detached namespaces, drives
 * behind a controller without a driver and InfiniBand devices are missing. Pure.
 */
export function guestInventory(found: GuestHardware, host: GuestHost): HardwareInventory {
  const { cpu, memory, system_vendor: vendor } = found;
  const seen = found.disks.reduce<Seen>((so, disk) => withDisk(host, so, disk), {
    drives: new Map(),
    unnamed: [],
  });
  // What the kernel sees, as with our own agent. The sum of the modules is higher by what firmware and kernel reserve.
  const total = memory.total ?? (memory.physical_mb ?? 0) * 1024 * 1024;
  const version = vendor.firmware?.version;
  return {
    system: {
      manufacturer: vendor.manufacturer ?? "",
      product: productOf(vendor.product_name ?? "", host),
      serial: vendor.serial_number ?? "",
      uuid: host.systemUuid,
      ...(version ? { biosVersion: version } : {}),
    },
    cpus: cpusOf(cpu),
    memoryBytes: bytes(total),
    storage: [...seen.drives.values()],
    ...(seen.unnamed.length === 0 ? {} : { unnamed: [...seen.unnamed] }),
    nics: found.interfaces.flatMap(({ name, mac_address: mac }) => (mac == null ? [] : [{ name, mac }])),
    infiniband: [],
  };
}
