// All SATA and SAS disks that this boot shows, for the step and the inventory. The step does not erase USB and virtual media.
import { isNamed, type StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { AtaDevice } from "@/agent/steps/erase-disks/ata-device";
import { ScsiDevice } from "@/agent/steps/erase-disks/scsi-device";
import { failed } from "@/agent/steps/erase-nvme/nvme-facts";
import type { Disk, Tools } from "@/agent/tools/tools";

/** The facts in inventory and results. */
export function diskFacts(disk: Disk): StorageDevice {
  const { serial, model, manufacturer, wwn, firmware, transport, slot, removable } = disk;
  return {
    serial: serial.trim(),
    model: model.trim(),
    ...(manufacturer === undefined ? {} : { manufacturer }),
    ...(wwn === undefined ? {} : { wwn }),
    ...(firmware === undefined ? {} : { firmware }),
    media: disk.rotational ? "hdd" : "ssd",
    transport,
    ...(slot === undefined ? {} : { slot }),
    capacityBytes: String(disk.capacityBytes),
    removable,
  };
}

export async function findDisks(tools: Tools): Promise<Outcome<readonly ErasableDevice[]>> {
  const listed = await tools.disks.list();
  if (listed.value === null) return failed("list the disks", listed);
  const devices: ErasableDevice[] = [];
  for (const disk of listed.value) {
    if (disk.unerasable !== undefined) continue;
    const facts = diskFacts(disk);
    // Without serial number and model, no result could be attributed to the disk.
    if (!isNamed(facts)) continue;
    if (disk.transport === "sata") devices.push(new AtaDevice(tools, disk, facts));
    if (disk.transport === "sas") devices.push(new ScsiDevice(tools, disk, facts));
  }
  return { ok: true, value: devices };
}
