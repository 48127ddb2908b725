// Steps for a Dell BOSS card: its controller erases its two drives, and the volume is created again (docs/design/hardware.md#dell-boss).
import { eraseLimitMs } from "@/server/domain/cleaning/erase-time";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware } from "@/server/domain/cleaning/steps/step";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

const boss = {
  interface: "raid",
  where: "controller",
  failureCause: "BossCleanFailed",
  applies: (known: KnownHardware): boolean => known.platform.bossController !== null,
} as const;
const minute = 60_000;

const onBoss = ({ storage, platform }: KnownHardware): readonly StorageDevice[] =>
  storage.filter((device) => platform.bossDrives.includes(device.serial));

export const bossSteps: readonly CleanStep[] = [
  cleanStep({
    ...boss,
    step: "secure_erase_boss",
    summary: "Decommissions the BOSS controller, which securely erases its drives.",
    priority: 95,
    state: "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss",
    erases: true,
    proves: ["storageSanitized"],
    devices: onBoss,
    timeLimitMs: (policy, _args, known) => eraseLimitMs(policy, onBoss(known), ["dell-boss-decommission"]),
    expectedMs: () => 10 * minute,
  }),
  cleanStep({
    ...boss,
    step: "create_boss_volume",
    summary: "Recreates the BOSS volume VD_0.",
    priority: 20,
    state: "WaitingForCleanup/CreateBossVolume/CreateBossVolume",
    restarts: true,
    expectedMs: () => 8 * minute,
  }),
];
