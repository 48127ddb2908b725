// The steps that this agent offers, and the hardware manager that it reports them under.
import type { HardwareManager } from "@/server/domain/agents/protocol";
import { eraseDisks } from "@/agent/steps/erase-disks/erase-disks";
import { eraseNvme } from "@/agent/steps/erase-nvme/erase-nvme";
import { resetInfiniband } from "@/agent/steps/reset-infiniband";
import type { Step } from "@/agent/steps/step";
import { verifyMemOverwrite } from "@/agent/steps/verify-mem-overwrite";
import { managerName, managerVersion } from "@/agent/version";

const steps: readonly Step[] = [eraseNvme, eraseDisks, verifyMemOverwrite, resetInfiniband];

export const hardwareManagers: readonly HardwareManager[] = [
  {
    name: managerName,
    version: managerVersion,
    steps: steps.map(({ interface: name, step, priority, abortable }) => ({ interface: name, step, priority, abortable })),
  },
];

export function findStep(name: string, step: string): Step | null {
  return steps.find((candidate) => candidate.interface === name && candidate.step === step) ?? null;
}
