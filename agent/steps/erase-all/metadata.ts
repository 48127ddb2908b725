// The step `deploy.erase_devices_metadata`: removes signatures only, so that nothing of the previous system is booted or assembled.
import { formatCounted } from "@/server/domain/numbers";
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { wipeMetadata } from "@/agent/steps/erase-all/wipe-metadata";
import { asked } from "@/agent/steps/erase-devices";
import { deviceStep } from "@/agent/steps/device-step";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import type { StepContext, StepOutcome } from "@/agent/steps/step";

async function wipeAll(context: StepContext, found: readonly ErasableDevice[]): Promise<StepOutcome> {
  const devices = asked(context, found);
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
    message: `metadata of ${formatCounted(devices.length, "drive")} wiped; their data is still there`,
    devices: [],
  };
}

export const eraseDevicesMetadata = deviceStep("erase_devices_metadata", findAllDevices, wipeAll);
