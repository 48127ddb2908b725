// Which disks a step may treat: local drives of a known kind. Everything else is listed with the reason and never opened
// (docs/design/agent.md#tools-of-a-machine).
import { lineIn, type Files } from "@/agent/tools/machine/program/files";

/** What RAID controllers answer to INQUIRY for a volume: erasing it leaves what its drives hold outside it. */
const volumes: readonly { readonly vendor: RegExp; readonly model: RegExp }[] = [
  { vendor: /^DELL$/i, model: /^(PERC|BOSS|Virtual Disk)/i },
  { vendor: /^(LSI|AVAGO|BROADCOM|Lenovo|SMC|Cisco|FTS)$/i, model: /^(MR|RAID|MegaRAID|UCSC?-?RAID|PRAID)/i },
  { vendor: /^(HP|HPE)$/i, model: /^LOGICAL VOLUME/i },
  { vendor: /^(Adaptec|ASR\d*|MSCC)$/i, model: /^(LogicalDrv|LOGICAL|Array|RAID)/i },
  // Boot cards with a Marvell controller identify their volume as an ATA drive: `DELLBOSS VD`.
  { vendor: /^ATA$/, model: /BOSS|\bVD\b|\bRAID\b|Virtual ?D/i },
];

const remotePlaces: readonly (readonly [RegExp, string])[] = [
  [/\/(rport|vport)-/, "remote storage (Fibre Channel)"],
  [/\/session\d+\//, "remote storage (iSCSI)"],
];

/** An ATA port, or a SAS port with one drive behind it. */
const localPort = /\/(ata\d+|end_device-[\d:]+)\//;
/** A target directly below its host: a drive, a volume, or a LUN of ib_srp, which names no remote port. */
const rightBelowHost =
  /\/[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]\/(?:virtio\d+\/)?(host\d+)\/target\d+:(\d+):/;
/** For these drivers the channel shows which targets are drives: megaraid_sas.h puts volumes in the channels from MEGASAS_MAX_PD_CHANNELS (2) on. */
const driveChannels: Readonly<Record<string, number>> = { megaraid_sas: 2, virtio_scsi: 1 };

async function isLocal(files: Files, place: string): Promise<boolean> {
  if (localPort.test(place)) return true;
  const [, host, channel] = rightBelowHost.exec(place) ?? [];
  if (host === undefined) return false;
  const driver = (await lineIn(files, `/sys/class/scsi_host/${host}/proc_name`)) ?? "";
  return Number(channel) < (driveChannels[driver] ?? 0);
}

export const isUsb = (place: string): boolean => /\/usb\d+\//.test(place);

/** SCSI device type 0, a direct access block device. The driver `sd` also binds others: 7, Eh, and 14h, a host-managed zoned drive. */
const directAccess = "0";

interface Placed {
  readonly name: string;
  /** Its path in sysfs, with the controller and the port. */
  readonly place: string;
  readonly vendor: string;
  readonly model: string;
}

/** Why no step treats a disk; null if one does, and for USB media, which are expected under their own name. */
export async function unerasable(
  files: Files,
  { name, place, vendor, model }: Placed,
): Promise<string | null> {
  if (isUsb(place)) return null;
  if (name.startsWith("mmcblk")) return "eMMC or SD card";
  if (name.startsWith("pmem")) return "persistent memory";
  if (!name.startsWith("sd")) return "neither SATA nor SAS";
  const remote = remotePlaces.find(([pattern]) => pattern.test(place));
  if (remote !== undefined) return remote[1];
  const type = (await lineIn(files, `/sys/block/${name}/device/type`)) ?? "";
  if (type !== directAccess) return `SCSI device type ${type || "unknown"}`;
  if (volumes.some((known) => known.vendor.test(vendor) && known.model.test(model)))
    return "volume of a RAID controller";
  return (await isLocal(files, place)) ? null : "not known to be a local drive";
}
