// Steps of the interface `raid` (docs/clean-steps.md; docs/design/hardware.md#dell-boss).
import { z } from "zod";
import { narrowed, devicesArg } from "@/server/domain/cleaning/steps/devices";
import { eraseLimitMs } from "@/server/domain/cleaning/erase-time";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware } from "@/server/domain/cleaning/steps/step";
import type { StorageDevice } from "@/server/domain/inventory/inventory";

const raid = {
  interface: "raid",
  where: "controller",
  state: "WaitingForCleanup/PlatformCleanup",
  failureCause: "RaidCleanFailed",
} as const;
const minute = 60_000;

const byBmc = ({ storage, platform }: KnownHardware): readonly StorageDevice[] =>
  storage.filter((device) => platform.erasableDrives.includes(device.serial));
const onBoss = ({ storage, platform }: KnownHardware): readonly StorageDevice[] =>
  storage.filter((device) => platform.bossDrives.includes(device.serial));
const flag = z.boolean();

export const raidSteps: readonly CleanStep[] = [
  cleanStep({
    ...raid,
    step: "secure_erase_boss",
    summary: "Decommissions the BOSS controller, which securely erases its drives.",
    priority: 95,
    state: "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss",
    failureCause: "BossCleanFailed",
    erases: true,
    proves: ["storageSanitized"],
    devices: onBoss,
    timeLimitMs: (policy, _args, known) => eraseLimitMs(policy, onBoss(known), ["dell-boss-decommission"]),
    expectedMs: () => 10 * minute,
    applies: (known) => known.platform.bossController !== null,
  }),
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
    step: "create_boss_volume",
    summary: "Makes the BOSS volume VD_0 again.",
    priority: 20,
    state: "WaitingForCleanup/CreateBossVolume/CreateBossVolume",
    failureCause: "BossCleanFailed",
    restarts: true,
    expectedMs: () => 8 * minute,
    applies: (known) => known.platform.bossController !== null,
  }),
  cleanStep({
    ...raid,
    step: "create_configuration",
    summary: "Makes volumes on the RAID controller.",
    applies: (known) => known.platform.raidController !== null,
    args: [
      {
        name: "create_root_volume",
        description: "Make the volume that the system boots from.",
        required: false,
        schema: flag,
      },
      {
        name: "create_nonroot_volumes",
        description: "Make the other volumes.",
        required: false,
        schema: flag,
      },
      {
        name: "delete_existing",
        description: "Delete the volumes that are there first.",
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
