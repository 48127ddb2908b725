// Which drives a step treats, and the argument that narrows them.
import { z } from "zod";
import type { KnownDrive, KnownHardware, StepArg, StepArgs } from "@/server/domain/cleaning/steps/step";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

/** Reachable by the agent. Excluded removable media are not on the list in the first place (sanitization/media-rules.ts). */
const reached = (device: KnownDrive): boolean => device.outOfBand !== true;

export const nvmeDrives = ({ storage }: KnownHardware): readonly StorageDevice[] =>
  storage.filter((d) => reached(d) && d.transport === "nvme" && d.media !== "raid-kit");
export const diskDrives = ({ storage }: KnownHardware): readonly StorageDevice[] =>
  storage.filter((d) => reached(d) && (d.transport === "sata" || d.transport === "sas"));
export const raidKits = ({ storage }: KnownHardware): readonly StorageDevice[] =>
  storage.filter((d) => reached(d) && d.media === "raid-kit");
export const allDrives = (known: KnownHardware): readonly StorageDevice[] => [
  ...nvmeDrives(known),
  ...raidKits(known),
  ...diskDrives(known),
];

/** Limits a manual erase to some drives. Automated plans never use it. */
export const devicesArg: StepArg = {
  name: "devices",
  description: "Serial numbers of the drives to process; by default, all that the step applies to.",
  required: false,
  schema: z.array(z.string().min(1).max(128)).min(1).max(512),
};

const serials = z.array(z.string());

/** The drives in `all` named by the argument `devices`; without it, all of them. */
export function narrowed(all: readonly StorageDevice[], args: StepArgs): readonly StorageDevice[] {
  const named = serials.safeParse(args["devices"]);
  return named.success ? all.filter((device) => named.data.includes(device.serial)) : all;
}
