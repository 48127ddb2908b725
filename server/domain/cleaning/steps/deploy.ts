// Steps of the interface `deploy`, run by the agent (docs/clean-steps.md).
import { z } from "zod";
import {
  allDrives,
  devicesArg,
  diskDrives,
  narrowed,
  nvmeDrives,
  raidKits,
} from "@/server/domain/cleaning/steps/devices";
import { clearingMs } from "@/server/domain/cleaning/clearing-time";
import { eraseLimitMs } from "@/server/domain/cleaning/erase-time";
import { cleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleanStep, KnownHardware, StepArg, StepArgs } from "@/server/domain/cleaning/steps/step";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

const agent = { interface: "deploy", where: "agent", state: "WaitingForCleanup/HostCleanup" } as const;
const minute = 60_000;

type Drives = (known: KnownHardware) => readonly StorageDevice[];

const erasing = (
  drives: Drives,
): Pick<CleanStep, "erases" | "args" | "devices" | "applies" | "expectedMs" | "proves"> => ({
  erases: true,
  args: [devicesArg],
  devices: (known, args) => narrowed(drives(known), args),
  applies: (known) => drives(known).length > 0,
  // Drives are erased in parallel, so the slowest one counts: flash by its own sanitize, a disk by its capacity at 200 MB/s.
  expectedMs: (known, args) =>
    Math.max(
      0,
      ...narrowed(drives(known), args).map((drive) =>
        drive.media === "hdd" ? Number(drive.capacityBytes) / 200_000 : 4 * minute,
      ),
    ),
  proves: ["storageSanitized"],
});

const seconds: StepArg = {
  name: "time",
  description: "How long the load runs, in seconds.",
  required: true,
  schema: z
    .int()
    .min(1)
    .max(7 * 86_400),
};
const fraction: StepArg = {
  name: "fraction",
  description: "How much of it is loaded, above 0 and up to 1; the default is 1.",
  required: false,
  schema: z.number().gt(0).max(1),
};
const given = z.number();
const timeOf = (args: StepArgs): number => given.catch(0).parse(args["time"]) * 1_000;

const burnin = (part: string, extra: readonly StepArg[]): CleanStep =>
  cleanStep({
    ...agent,
    step: `burnin_${part}`,
    summary: `Loads the ${part} for a while and reports errors.`,
    failureCause: "CleanFailed",
    abortable: true,
    args: [seconds, ...extra],
    timeLimitMs: ({ times }, args) => timeOf(args) + times.otherStepMs,
    expectedMs: (_known, args) => timeOf(args),
  });

export const deploySteps: readonly CleanStep[] = [
  cleanStep({
    ...agent,
    step: "erase_nvme",
    summary: "Sanitizes every NVMe drive and reads it back.",
    priority: 90,
    failureCause: "NVMECleanFailed",
    ...erasing(nvmeDrives),
  }),
  cleanStep({
    ...agent,
    step: "erase_raid_kit",
    summary: "Deletes the volumes of the M.2 RAID kit and formats both its members.",
    priority: 88,
    failureCause: "NVMECleanFailed",
    ...erasing(raidKits),
  }),
  cleanStep({
    ...agent,
    step: "erase_disks",
    summary: "Sanitizes every SATA and SAS drive and reads it back.",
    priority: 86,
    failureCause: "HDDCleanFailed",
    ...erasing(diskDrives),
  }),
  cleanStep({
    ...agent,
    step: "verify_mem_overwrite",
    summary: "Asks the firmware to overwrite memory at the next restart, and reads the request back.",
    priority: 60,
    failureCause: "MemOverwriteFailed",
    abortable: true,
    proves: ["memoryOverwritten"],
    expectedMs: () => 5_000,
  }),
  cleanStep({
    ...agent,
    step: "clear_device_memory",
    summary: "Clears the memory of GPUs and resets NVLink switches, and looks for what was written before.",
    priority: 55,
    failureCause: "CleanFailed",
    abortable: true,
    proves: ["deviceMemoryCleared"],
    applies: (known) => known.memoryDevices === true,
    timeLimitMs: ({ times }) => clearingMs + times.otherStepMs,
    expectedMs: () => 60_000,
  }),
  cleanStep({
    ...agent,
    step: "reset_infiniband",
    summary: "Resets the firmware configuration of every InfiniBand device that belongs to the host.",
    priority: 50,
    failureCause: "IbCleanFailed",
    abortable: true,
    proves: ["infinibandClean"],
    applies: (known) => known.infiniband.some((device) => !device.dpu),
  }),
  cleanStep({
    ...agent,
    step: "clear_tpm",
    summary: "Clears the TPM from the host, where its BMC cannot.",
    priority: 41,
    proves: ["platformAtBaseline"],
    failureCause: "PlatformCleanFailed",
    applies: (known) => known.baseline !== null && !known.platform.tpmClear && known.tpm !== false,
  }),
  // This step and the express erase sanitize nothing: they prove no gate, and have no devices whose results a gate could depend on.
  cleanStep({
    ...agent,
    step: "erase_devices_metadata",
    summary: "Wipes partition tables, RAID and LVM signatures only. Erases no data.",
    writes: true,
    failureCause: "CleanFailed",
    abortable: true,
    args: [devicesArg],
    applies: (known) => allDrives(known).length > 0,
    expectedMs: () => 10_000,
  }),
  cleanStep({
    ...agent,
    step: "erase_devices",
    summary: "Runs every erase step that applies to the host's drives, in order.",
    failureCause: "CleanFailed",
    ...erasing(allDrives),
  }),
  cleanStep({
    ...agent,
    step: "erase_devices_express",
    summary: "Formats drives that can be formatted instantly, and wipes the metadata of the others.",
    failureCause: "CleanFailed",
    ...erasing(allDrives),
    writes: true,
    devices: () => [],
    proves: [],
    expectedMs: () => 2 * minute,
    timeLimitMs: (policy, args, known) => eraseLimitMs(policy, narrowed(allDrives(known), args)),
  }),
  burnin("cpu", [fraction]),
  burnin("memory", [fraction]),
  burnin("disk", []),
  burnin("network", []),
];
