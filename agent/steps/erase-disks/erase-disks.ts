// The step `deploy.erase_disks`: every SATA and SAS disk of the host (docs/design/sanitization.md#sata-and-sas).
import { eraseDevices } from "@/agent/steps/erase-devices";
import { findDisks } from "@/agent/steps/erase-disks/find-disks";
import type { Step } from "@/agent/steps/step";

export const eraseDisks: Step = {
  interface: "deploy",
  step: "erase_disks",
  async run(context) {
    const found = await findDisks(context.tools);
    if (!found.ok) return { result: "ERROR", message: found.problem, devices: [] };
    return eraseDevices(context, found.value);
  },
};
