// Steps of the interface `raid` that Redfish standardizes (docs/clean-steps.md).
import { z } from "zod";
import { narrowed, devicesArg } from "@/server/domain/cleaning/steps/devices";
import { eraseLimitMs } from "@/server/domain/cleaning/erase-time";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware } from "@/server/domain/cleaning/steps/step";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

const raid = {
  interface: "raid",
  where: "controller",
  state: "WaitingForCleanup/PlatformCleanup",
  failureCause: "RaidCleanFailed",
} as const;
const minute = 60_000;

const byBmc = ({ storage, platform }: KnownHardware): readonly StorageDevice[] =>
  storage.filter((device) => platform.erasableDrives.includes(device.serial));
const flag = z.boolean();

export const raidSteps: readonly CleanStep[] = [
  cleanStep({
    ...raid,
    step: "secure_erase_drives",
    summary: "Erases each drive behind a controller that the agent cannot reach.",
    priority: 92,
    erases: true,
    proves: ["storageSanitized"],
    args: [devicesArg],
    devices: (known, args) => narrowed(byBmc(known), args),
    timeLimitMs: (policy, args, known) =>
      eraseLimitMs(policy, narrowed(byBmc(known), args), ["redfish-drive-secure-erase"]),
    expectedMs: () => 10 * minute,
    applies: (known) => byBmc(known).length > 0,
  }),
  cleanStep({
    ...raid,
    step: "create_configuration",
    summary: "Creates volumes on the RAID controller.",
    applies: (known) => known.platform.raidController !== null,
    args: [
      {
        name: "create_root_volume",
        description: "Create the boot volume.",
        required: false,
        schema: flag,
      },
      {
        name: "create_nonroot_volumes",
        description: "Create the other volumes.",
        required: false,
        schema: flag,
      },
      {
        name: "delete_existing",
        description: "Delete existing volumes first.",
        required: false,
        schema: flag,
      },
    ],
  }),
  cleanStep({
    ...raid,
    step: "delete_configuration",
    summary: "Deletes every volume of the RAID controller.",
    applies: (known) => known.platform.raidController !== null,
  }),
];
