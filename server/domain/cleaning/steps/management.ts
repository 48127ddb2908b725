// Steps of the interface `management`: the BMC's own state, over Redfish (docs/clean-steps.md).
import { z } from "zod";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, TimePolicy } from "@/server/domain/cleaning/steps/step";

const bmc = {
  interface: "management",
  where: "controller",
  state: "WaitingForCleanup/PlatformCleanup",
  failureCause: "PlatformCleanFailed",
} as const;
const minute = 60_000;

export const managementSteps: readonly CleanStep[] = [
  cleanStep({
    ...bmc,
    step: "verify_bmc_baseline",
    summary:
      "Compares accounts and their keys, event subscriptions, virtual media, host interface, boot entries and secure-boot databases of the BMC with the SKU's baseline, removes foreign ones and reads back.",
    priority: 45,
    proves: ["platformAtBaseline"],
    applies: (known) => known.baseline?.bmc !== undefined,
  }),
  cleanStep({
    ...bmc,
    step: "restore_boot_order",
    summary: "Sets the boot order back to that of the SKU's baseline and confirms it after the restart.",
    // After foreign entries are gone, because removing one changes the order.
    priority: 44,
    proves: ["platformAtBaseline"],
    restarts: true,
    expectedMs: () => 6 * minute,
    timeLimitMs: ({ times }: TimePolicy) => 3 * times.otherStepMs,
    applies: (known) => known.baseline?.bmc?.bootOrder !== undefined,
  }),
  cleanStep({
    ...bmc,
    step: "clear_tpm",
    summary: "Clears the TPM through the BMC.",
    priority: 40,
    proves: ["platformAtBaseline"],
    restarts: true,
    expectedMs: () => 5 * minute,
    applies: (known) => known.baseline !== null && known.platform.tpmClear,
  }),
  cleanStep({
    ...bmc,
    step: "lock_bmc",
    summary: "Switches the BMC's configuration lockdown back on and reads it back.",
    priority: 10,
    applies: (known) => known.baseline?.lockdown === true && known.platform.lockdown !== null,
  }),
  cleanStep({
    ...bmc,
    step: "reset_bmc",
    summary: "Restarts the BMC and waits until it answers. The host stays on.",
    failureCause: "CleanFailed",
    expectedMs: () => 4 * minute,
  }),
  cleanStep({
    ...bmc,
    step: "reset_bmc_to_defaults",
    summary:
      "Sets the BMC back to its defaults, except its network and accounts, waits until it answers, and restarts the host.",
    restarts: true,
    expectedMs: () => 10 * minute,
    // With the job that it may have to wait for first.
    timeLimitMs: ({ times }: TimePolicy) => 3 * times.otherStepMs,
  }),
  cleanStep({
    ...bmc,
    step: "reset_secure_boot_keys_to_default",
    summary: "Sets the secure-boot databases back to the vendor's keys.",
    failureCause: "CleanFailed",
    applies: (known) => known.platform.secureBoot,
  }),
  cleanStep({
    ...bmc,
    step: "clear_job_queue",
    summary: "Deletes the pending jobs of the BMC.",
    failureCause: "CleanFailed",
    expectedMs: () => 10_000,
    applies: (known) => known.platform.jobQueue,
  }),
  cleanStep({
    ...bmc,
    step: "set_boot_mode",
    summary: "Sets the boot mode and reads it back.",
    failureCause: "CleanFailed",
    args: [
      {
        name: "boot_mode",
        description: "Boot mode from the next restart on: uefi or bios.",
        required: true,
        schema: z.enum(["uefi", "bios"]),
      },
    ],
  }),
];
