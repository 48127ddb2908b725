// The step `deploy.erase_devices`: what the erase steps do, for all drives in one (the name that Ironic's users send).
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { eraseDevices } from "@/agent/steps/erase-devices";
import type { Step } from "@/agent/steps/step";

export const eraseAllDevices: Step = {
  interface: "deploy",
  step: "erase_devices",
  async run(context) {
    const found = await findAllDevices(context.tools);
    if (!found.ok) return { result: "ERROR", message: found.problem, devices: [] };
    return eraseDevices(context, found.value);
  },
};
