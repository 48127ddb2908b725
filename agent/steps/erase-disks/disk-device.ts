// What SATA and SAS disks share as erasable devices.
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Outcome } from "@/agent/steps/erasable-device";
import { healthOf, wholeDisk } from "@/agent/steps/erase-disks/disk-facts";
import type { Disk, Tools } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";

export abstract class DiskDevice {
  constructor(
    protected readonly tools: Tools,
    protected readonly disk: Disk,
    readonly facts: StorageDevice,
  ) {}

  areas(): Promise<Outcome<readonly Area[]>> {
    return Promise.resolve({ ok: true, value: [wholeDisk(this.disk)] });
  }

  health(): Promise<string | undefined> {
    return healthOf(this.tools.disks, this.disk.path);
  }
}
