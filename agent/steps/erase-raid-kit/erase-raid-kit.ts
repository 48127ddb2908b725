// The step `deploy.erase_raid_kit`: both drives of every Lenovo M.2 NVMe 2-Bay RAID Kit (docs/design/sanitization.md#raid-kit).
import { eraseDevices } from "@/agent/steps/erase-devices";
import { findKitDevices } from "@/agent/steps/erase-raid-kit/find-kit-devices";
import type { Step } from "@/agent/steps/step";

export const eraseRaidKit: Step = {
  interface: "deploy",
  step: "erase_raid_kit",
  async run(context) {
    const found = await findKitDevices(context.tools);
    if (!found.ok) return { result: "ERROR", message: found.problem, devices: [] };
    return eraseDevices(context, found.value);
  },
};
