// All SATA and SAS disks that this boot shows: used by the step and by the inventory. USB and virtual media are not erased by it.
import { isNamed, type StorageDevice } from "@/server/domain/inventory/inventory";
import type { ErasableDevice, Outcome } from "@/agent/steps/erasable-device";
import { AtaDevice } from "@/agent/steps/erase-disks/ata-device";
import { ScsiDevice } from "@/agent/steps/erase-disks/scsi-device";
import { failed } from "@/agent/steps/erase-nvme/nvme-facts";
import type { Disk, Tools } from "@/agent/tools/tools";

/** The facts that go into inventory and results. */
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
    // No result could be told to be of a disk without serial number or model.
    if (!isNamed(facts)) continue;
    if (disk.transport === "sata") devices.push(new AtaDevice(tools, disk, facts));
    if (disk.transport === "sas") devices.push(new ScsiDevice(tools, disk, facts));
  }
  return { ok: true, value: devices };
}
