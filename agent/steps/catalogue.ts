// The steps that this agent offers, and the hardware manager that reports them.
import type { HardwareManager } from "@/server/domain/agents/protocol";
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { burnins } from "@/agent/steps/burn-in";
import { clearTpm } from "@/agent/steps/platform/clear-tpm";
import { eraseDevicesExpress } from "@/agent/steps/erase-all/express";
import { eraseAllDevices } from "@/agent/steps/erase-all/erase-all";
import { eraseDevicesMetadata } from "@/agent/steps/erase-all/metadata";
import { eraseDisks } from "@/agent/steps/erase-disks/erase-disks";
import { eraseNvme } from "@/agent/steps/erase-nvme/erase-nvme";
import { eraseRaidKit } from "@/agent/steps/erase-raid-kit/erase-raid-kit";
import { clearDeviceMemory } from "@/agent/steps/platform/clear-device-memory";
import { resetInfiniband } from "@/agent/steps/platform/reset-infiniband";
import type { Step } from "@/agent/steps/step";
import { verifyMemOverwrite } from "@/agent/steps/platform/verify-mem-overwrite";
import { managerName, managerVersion } from "@/agent/version";

const steps: readonly Step[] = [
  eraseNvme,
  eraseRaidKit,
  eraseDisks,
  verifyMemOverwrite,
  clearDeviceMemory,
  resetInfiniband,
  clearTpm,
  eraseDevicesMetadata,
  eraseAllDevices,
  eraseDevicesExpress,
  ...burnins,
];

/** Priority and abortability come from the catalogue. Throws for a step that the catalogue does not declare. */
const offered = ({ interface: name, step }: Step): HardwareManager["steps"][number] => {
  const declared = findCleanStep(name, step);
  if (declared === null) throw new Error(`the step ${name}.${step} is not declared`);
  return { interface: name, step, priority: declared.priority, abortable: declared.abortable };
};

export const hardwareManagers: readonly HardwareManager[] = [
  { name: managerName, version: managerVersion, steps: steps.map(offered) },
];

/** Our own step takes precedence over a site's step of the same name, because gates rely on it. */
export function findStep(name: string, step: string, ofSite: readonly Step[] = []): Step | null {
  return (
    [...steps, ...ofSite].find((candidate) => candidate.interface === name && candidate.step === step) ?? null
  );
}
