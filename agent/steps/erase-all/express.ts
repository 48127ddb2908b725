// The step `deploy.erase_devices_express`: an NVMe format if the drive supports one, otherwise metadata only. Quick, and not a sanitization.
import { formatCounted } from "@/server/domain/numbers";
import { findAllDevices } from "@/agent/steps/erase-all/all-devices";
import { wipeMetadata } from "@/agent/steps/erase-all/wipe-metadata";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { asked } from "@/agent/steps/erase-devices";
import { deviceStep } from "@/agent/steps/device-step";
import type { StepContext, StepOutcome } from "@/agent/steps/step";

type Treated =
  | { readonly ok: true; readonly how: "formatted" | "wiped" }
  | { readonly ok: false; readonly problem: string };

/** A drive that is already erasing is left alone: a second command would be sent without knowing the outcome of the first. */
async function treat({ tools, reporter }: StepContext, device: ErasableDevice): Promise<Treated> {
  const status = await device.readStatus();
  if (!status.ok) return status;
  if (status.value.state === "running") reporter.erases(device.facts.serial, null);
  if (status.value.state === "running")
    return { ok: false, problem: `an erase runs on it already: ${status.value.text}` };
  if (device.bus === "nvme" && device.refusal("nvme-format-user-data") === null) {
    const reachable = await device.prepare();
    if (!reachable.ok) return reachable;
    const { answer } = await device.send("nvme-format-user-data");
    // Its tool still waits in the kernel, so the format may still be running.
    if (answer.over === false) reporter.erases(device.facts.serial, null);
    return answer.value === true
      ? { ok: true, how: "formatted" }
      : { ok: false, problem: `${answer.command} answered ${answer.exitCode}: ${answer.status}` };
  }
  const problem = await wipeMetadata(tools, device);
  return problem === null ? { ok: true, how: "wiped" } : { ok: false, problem };
}

async function treatAll(context: StepContext, found: readonly ErasableDevice[]): Promise<StepOutcome> {
  const devices = asked(context, found);
  // A format survives a reset, so the host must not be restarted during one.
  context.reporter.note({ message: formatCounted(devices.length, "drive"), unstoppable: true });
  if (!(await context.reporter.acknowledge()).goOn)
    return { result: "ERROR", message: "stopped before anything was sent", devices: [] };
  const counts = { formatted: 0, wiped: 0 };
  const problems: string[] = [];
  for (const device of devices) {
    if (context.aborted.aborted)
      return {
        result: "ERROR",
        message: `stopped after ${counts.formatted + counts.wiped} of ${devices.length} drives`,
        devices: [],
      };
    const treated = await treat(context, device);
    if (treated.ok) counts[treated.how] += 1;
    else problems.push(`${device.facts.serial}: ${treated.problem}`);
  }
  if (problems.length > 0) return { result: "ERROR", message: problems.join("; "), devices: [] };
  return {
    result: "OK",
    message: `${formatCounted(counts.formatted, "drive")} formatted, metadata of ${counts.wiped} wiped; none of them is sanitized`,
    devices: [],
  };
}

export const eraseDevicesExpress = deviceStep("erase_devices_express", findAllDevices, treatAll);
