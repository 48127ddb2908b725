// Makes the drive for a place in a machine: new from the factory, except for a tenant's data on it.
import { DiskDrive } from "@/server/simulator/drives/disk-drive";
import type { Drive } from "@/server/simulator/drives/drive";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import { driveSerial, type Blueprint } from "@/server/simulator/fleet/blueprint";
import { models } from "@/server/simulator/fleet/models";
import { mix } from "@/server/simulator/fleet/numbers";
import type { HardwareTime } from "@/server/simulator/hardware-time";

/** `replacement`: 0 for the drive that the machine came with. The same arguments make the same drive with the same bytes. */
export function makeDrive(
  blueprint: Blueprint,
  seed: number,
  place: number,
  replacement: number,
  time: HardwareTime,
): Drive {
  const drive = models[blueprint.model].drives[place];
  const identity = blueprint.drives[place];
  if (!drive || !identity) throw new Error(`no drive in place ${place}`);
  const { behaviour, capturedSerial } = drive;
  const key = mix(blueprint.key, place, replacement);
  const mine = {
    ...identity,
    serial: driveSerial(capturedSerial, blueprint.index, place, seed, replacement),
  };
  return behaviour.kind === "nvme"
    ? new NvmeDrive(mine, time, key, behaviour.model, behaviour.layout)
    : new DiskDrive(mine, time, key, behaviour.model);
}
