// The block devices of a machine that are not NVMe namespaces, from sysfs. Whatever may hold data and is not understood is listed, never left out.
import { isUsb, unerasable } from "@/agent/tools/machine/disks/erasable-place";
import { lineIn, type Files } from "@/agent/tools/machine/program/files";
import { pciFolder, pciFunctions } from "@/agent/tools/machine/program/pci";
import type { Disk } from "@/agent/tools/tools";

/** Kernel names of devices without data of their own: optical and floppy drives, and what is built on other devices or memory. */
const withoutMedium = /^(sr|fd|loop|ram|zram|dm-|md|nbd|drbd|bcache|nvme)\d/;
/** Areas of a card other than its main one. */
const partOfCard = /^(mmcblk\d+)(?:boot\d+|rpmb|gp\d+)$/;

/** `size` in sysfs counts blocks of 512 bytes, whatever the device's own block size is. */
const sectorBytes = 512n;

export const nvmeFolder = "/sys/class/nvme";
/** Content of the file `transport` there for a drive in this machine. */
export const localTransport = "pcie";

interface Candidate {
  readonly name: string;
  readonly path: string;
  /** Its path in sysfs, with the controller and the port. */
  readonly place: string;
}

const line = async (files: Files, { name }: Candidate, file: string): Promise<string> =>
  (await lineIn(files, `/sys/block/${name}/${file}`)) ?? "";

/** VPD page 80h: the serial number after a header of four bytes. Blanks and non-ASCII bytes are not part of it. */
async function scsiSerial(files: Files, { name }: Candidate): Promise<string> {
  const page = await files.read(`/sys/block/${name}/device/vpd_pg80`);
  if (page === null || page.length < 4) return "";
  const length = ((page[2] ?? 0) << 8) | (page[3] ?? 0);
  return Buffer.from(page.subarray(4, 4 + length))
    .toString("latin1")
    .replaceAll(/[^ -~]/g, "")
    .trim();
}

/** The protocol has no name for other buses: such a disk is listed separately, and its place says what it is (agent/inventory.ts). */
function transportOf(place: string, vendor: string): Disk["transport"] {
  if (isUsb(place)) return "usb";
  // ATA drives behind a SAS controller are seen through its translation, as with libata's, and both report `ATA` (SAT-4).
  return vendor === "ATA" ? "sata" : "sas";
}

const given = <Name extends string>(name: Name, value: string | null): Partial<Record<Name, string>> =>
  value === null || value === ""
    ? {}
    : (Object.fromEntries([[name, value]] as [Name, string][]) as Partial<Record<Name, string>>);

/** Null: the answer about this device, which may be a disk, is incomplete. */
async function readDisk(files: Files, found: Candidate): Promise<Disk | null> {
  const isScsi = found.name.startsWith("sd");
  const vendor = await line(files, found, "device/vendor");
  const sectors = await line(files, found, "size");
  const blockBytes = Number(await line(files, found, "queue/logical_block_size"));
  if (!/^\d+$/.test(sectors) || !Number.isInteger(blockBytes) || blockBytes < 512) return null;
  const serial = isScsi
    ? await scsiSerial(files, found)
    : (await line(files, found, "serial")) || (await line(files, found, "device/serial"));
  const manufacturer = vendor === "ATA" || !isScsi ? null : vendor;
  const model = (await line(files, found, "device/model")) || (await line(files, found, "device/name"));
  return {
    path: found.path,
    serial,
    model,
    ...given("manufacturer", manufacturer),
    ...given("wwn", worldWide(await line(files, found, "device/wwid"))),
    ...given("firmware", await line(files, found, "device/rev")),
    transport: transportOf(found.place, vendor),
    rotational: (await line(files, found, "queue/rotational")) === "1",
    removable: (await line(files, found, "removable")) === "1",
    capacityBytes: BigInt(sectors) * sectorBytes,
    blockBytes,
    ...given("unerasable", await unerasable(files, { ...found, vendor, model })),
  };
}

/** `naa.5000c500…`; an identification made of vendor and serial number is not a world-wide name. */
const worldWide = (wwid: string): string | null => /^(?:naa|eui)\.([0-9a-f]+)$/i.exec(wwid)?.[1] ?? null;

/** A disk that is listed without a block device of its own. */
const unread = (path: string, serial: string, model: string, because: string): Disk => ({
  ...{ path, serial, model, unerasable: because, transport: "sas" },
  ...{ rotational: false, removable: false, capacityBytes: 0n, blockBytes: 512 },
});

/** NVMe over a network: as far as this host knows, somebody else's drives. */
async function remoteNvme(files: Files): Promise<readonly Disk[]> {
  const remote: Disk[] = [];
  for (const name of (await files.list(nvmeFolder)) ?? []) {
    const folder = `${nvmeFolder}/${name}`;
    const transport = await lineIn(files, `${folder}/transport`);
    if (transport === localTransport) continue;
    const serial = (await lineIn(files, `${folder}/serial`)) ?? "";
    const model = (await lineIn(files, `${folder}/model`)) ?? "";
    remote.push(
      unread(`/dev/${name}`, serial, model, `remote storage (NVMe over ${transport ?? "unknown"})`),
    );
  }
  return remote;
}

/** Mass storage controllers (PCI base class 01h) without a driver: nobody can list what is behind them. */
async function silentControllers(files: Files): Promise<readonly Disk[] | null> {
  const functions = await pciFunctions(files);
  return (
    functions
      ?.filter(({ classCode, hasDriver }) => classCode.startsWith("0x01") && !hasDriver)
      .map(({ address, vendor, device }) =>
        unread(
          `${pciFolder}/${address}`,
          "",
          `PCI ${vendor}:${device}`,
          "storage controller without a driver",
        ),
      ) ?? null
  );
}

export type Listed =
  | { readonly ok: true; readonly value: readonly Disk[] }
  | { readonly ok: false; readonly problem: string };

/** Every disk, or why the list would be incomplete. */
export async function listDisks(files: Files): Promise<Listed> {
  const names = await files.list("/sys/block");
  if (names === null) return { ok: false, problem: "/sys/block cannot be read" };
  const disks: Disk[] = [];
  for (const name of names) {
    const card = partOfCard.exec(name)?.[1];
    if (withoutMedium.test(name) || (card !== undefined && names.includes(card))) continue;
    const place = await files.real(`/sys/block/${name}`);
    if (place === null) return { ok: false, problem: `/sys/block/${name} leads nowhere` };
    const found = { name, path: `/dev/${name}`, place };
    const disk = await readDisk(files, found);
    if (disk === null) return { ok: false, problem: `size and block size of ${found.path} cannot be read` };
    // A card reader or virtual drive without a medium has nothing to read or erase.
    if (disk.removable && disk.capacityBytes === 0n) continue;
    disks.push(disk);
  }
  const silent = await silentControllers(files);
  if (silent === null) return { ok: false, problem: `a function in ${pciFolder} cannot be read` };
  return { ok: true, value: [...disks, ...(await remoteNvme(files)), ...silent] };
}

/** Where a device is plugged in: the part of its sysfs path that names controller and port, which is the same in every boot. */
export async function portOf(files: Files, path: string): Promise<string | null> {
  if (path.startsWith(`${pciFolder}/`)) return `pci-${path.slice(pciFolder.length + 1)}`;
  const name = path.slice("/dev/".length);
  const place =
    (await files.real(`/sys/class/nvme/${name}/device`)) ?? (await files.real(`/sys/block/${name}`));
  if (place === null) return null;
  const pci = [...place.matchAll(/[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]/g)].at(-1)?.[0];
  if (pci === undefined) return null;
  const port = /\/(ata\d+|end_device-[\d:]+|usb\d+\/[\d.-]+(?:\/[\d.-]+)*)\//.exec(place)?.[1];
  const scsi = /\/\d+:(\d+:\d+:\d+)\/block\//.exec(place)?.[1];
  return `pci-${pci}${port === undefined ? "" : `-${port}`}${scsi === undefined ? "" : `-scsi-${scsi}`}`;
}
