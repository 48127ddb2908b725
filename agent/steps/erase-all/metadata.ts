// The step `deploy.erase_devices_metadata`: signatures only, so that nothing of the last system is booted or assembled.
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { wipeMetadata } from "@/agent/steps/erase-all/wipe-metadata";
import { asked } from "@/agent/steps/erase-devices";
import type { Step } from "@/agent/steps/step";

export const eraseDevicesMetadata: Step = {
  interface: "deploy",
  step: "erase_devices_metadata",
  async run(context) {
    const found = await findAllDevices(context.tools);
    if (!found.ok) return { result: "ERROR", message: found.problem, devices: [] };
    const devices = asked(context, found.value);
    const problems: string[] = [];
    for (const [index, device] of devices.entries()) {
      if (context.aborted.aborted)
        return {
          result: "ERROR",
          message: `stopped after ${index} of ${devices.length} drives`,
          devices: [],
        };
      const problem = await wipeMetadata(context.tools, device);
      if (problem !== null) problems.push(`${device.facts.serial}: ${problem}`);
      context.reporter.note({ message: `${index + 1} of ${devices.length} drives` });
    }
    if (problems.length > 0) return { result: "ERROR", message: problems.join("; "), devices: [] };
    return {
      result: "OK",
      message: `metadata of ${devices.length} drives wiped; their data is still there`,
      devices: [],
    };
  },
};
