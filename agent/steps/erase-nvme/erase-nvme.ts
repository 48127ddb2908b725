// The step `deploy.erase_nvme`: every NVMe controller of the host, with all namespaces (docs/design/sanitization.md#nvme).
import { eraseDevices } from "@/agent/steps/erase-devices";
import { findNvmeDevices } from "@/agent/steps/erase-nvme/find-nvme-devices";
import type { Step } from "@/agent/steps/step";

export const eraseNvme: Step = {
  interface: "deploy",
  step: "erase_nvme",
  async run(context) {
    const found = await findNvmeDevices(context.tools);
    if (!found.ok) return { result: "ERROR", message: found.problem, devices: [] };
    return eraseDevices(context, found.value);
  },
};
