// The inventory of Ironic's agent in our words. What it does not tell is not guessed: a drive that cannot be told apart blocks, as of our own agent.
import type { GuestHardware } from "@/server/domain/agents/ironic/wire";
import { isNamed, unknownPlace } from "@/server/domain/inventory/inventory";
import type {
  HardwareInventory,
  StorageDevice,
  Transport,
  UnnamedDevice,
} from "@/server/domain/inventory/inventory";

type Disk = GuestHardware["disks"][number];

const nvmeNamespace = /^\/dev\/nvme\d+n(\d+)$/;

/** By its name and its port, which are all that the agent tells; null: no kind that a step erases. */
function transportOf({ name, by_path: path }: Disk): Transport | null {
  if (nvmeNamespace.test(name)) return "nvme";
  if (!/^\/dev\/(sd|vd)[a-z]+$/.test(name) || path == null) return null;
  if (/-usb-/.test(path)) return "usb";
  if (/-ata-/.test(path)) return "sata";
  return /-(sas|scsi)-/.test(path) ? "sas" : null;
}

interface Seen {
  readonly drives: ReadonlyMap<string, StorageDevice>;
  readonly unnamed: readonly UnnamedDevice[];
}

const bytes = (size: number): string => BigInt(Math.floor(size)).toString();

/** Several namespaces are one drive, of all their bytes together. */
function joined(known: StorageDevice, more: StorageDevice): StorageDevice {
  return {
    ...known,
    capacityBytes: (BigInt(known.capacityBytes) + BigInt(more.capacityBytes)).toString(),
    namespaces: [...(known.namespaces ?? []), ...(more.namespaces ?? [])].sort((a, b) => a - b),
  };
}

function withDisk({ drives, unnamed }: Seen, disk: Disk): Seen {
  const transport = transportOf(disk);
  const about = {
    serial: disk.serial ?? "",
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
  const namespace = Number(nvmeNamespace.exec(disk.name)?.[1] ?? 0);
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
      unnamed: [...unnamed, { ...about, place: `${disk.name}, a second drive of this name` }],
    };
  return { drives: new Map(drives).set(key, known === undefined ? device : joined(known, device)), unnamed };
}

/**
 * Its report as an inventory of the host whose system UUID is given: it tells none itself. It lists block devices, so a namespace that is
 * detached, a drive behind a controller without a driver and InfiniBand devices are not in it. Pure.
 */
export function guestInventory(found: GuestHardware, systemUuid: string): HardwareInventory {
  const { cpu, memory, system_vendor: vendor } = found;
  const seen = found.disks.reduce<Seen>(withDisk, { drives: new Map(), unnamed: [] });
  const sockets = Math.min(cpu.socket_count ?? 1, cpu.count);
  const total = memory.physical_mb == null ? (memory.total ?? 0) : memory.physical_mb * 1024 * 1024;
  const version = vendor.firmware?.version;
  return {
    system: {
      manufacturer: vendor.manufacturer ?? "",
      product: vendor.product_name ?? "",
      serial: vendor.serial_number ?? "",
      uuid: systemUuid,
      ...(version ? { biosVersion: version } : {}),
    },
    cpus: Array.from({ length: sockets }, () => ({
      model: cpu.model_name ?? "",
      cores: Math.floor(cpu.count / sockets),
    })),
    memoryBytes: bytes(total),
    storage: [...seen.drives.values()],
    ...(seen.unnamed.length === 0 ? {} : { unnamed: [...seen.unnamed] }),
    nics: found.interfaces.flatMap(({ name, mac_address: mac }) => (mac == null ? [] : [{ name, mac }])),
    infiniband: [],
  };
}
