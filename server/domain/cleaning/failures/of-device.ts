// The cause of a device's failure, derived from the fields of the agent's report. No text is parsed.
import type { Cause, CauseDevice, CauseKey } from "@/server/domain/cleaning/failures/cause";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { countOf, probeOutcome, type ProbeOutcome } from "@/server/domain/cleaning/sanitization/probe";
import type {
  DeviceProblem,
  DeviceResult,
  DeviceTry,
} from "@/server/domain/cleaning/sanitization/device-result";

type Named = Pick<StorageDevice, "serial" | "model" | "slot" | "firmware">;

/** A drive as a cause names it. Pure. */
export const driveOf = ({ serial, model, slot, firmware }: Named): CauseDevice => ({
  kind: "drive",
  serial,
  ...(model === "" ? {} : { model }),
  ...(slot === undefined ? {} : { slot }),
  ...(firmware === undefined || firmware === "" ? {} : { firmware }),
});

const problems: Readonly<Record<DeviceProblem, CauseKey>> = {
  unreadable: "driveUnreadable",
  locked: "driveLocked",
  noTechnique: "noTechnique",
  hidesSectors: "driveHidesSectors",
  noFallback: "noFallback",
  hangs: "eraseHangs",
  notRecorded: "contentNotRecorded",
};

/** For a device whose erase command did not complete. */
function ofTry(tried: DeviceTry): Pick<Cause, "key" | "status" | "technique"> {
  const { technique, code, exitCode } = tried;
  const status = code === undefined ? {} : { status: code };
  // An accepted command exits with 0 and fails later.
  return { key: exitCode === 0 ? "eraseFailed" : "eraseRefused", technique, ...status };
}

/** The answers of all commands, in the order of the policy. The cause itself is about the first that did not complete. */
const rawOf = ({ tries, message }: DeviceResult): string =>
  tries.length === 0
    ? message
    : tries.map(({ command, exitCode, status }) => `${command} answered ${exitCode}: ${status}`).join("\n");

/** Canaries were found after an erase. Pure. */
export const remnantCause = (
  device: CauseDevice,
  { places, remnants }: ProbeOutcome,
  raw: string,
): Cause => ({ key: "remnantFound", device, facts: { found: remnants, canaries: places }, raw });

/** The cause of a device that was judged as failed for `reason`. `where` provides slot and firmware if the report lacks them. Pure. */
export function deviceCause(report: DeviceResult, reason: string, where: Named = report): Cause {
  const device = driveOf({ ...where, serial: report.serial, model: report.model });
  const { tries, technique, verification: read, problem } = report;
  if (report.missing === true) return { key: "driveMissing", device, raw: report.message };
  if (problem !== undefined) {
    const last = tries.at(-1);
    return {
      key: problems[problem],
      device,
      ...(last === undefined ? {} : { technique: last.technique }),
      ...(report.problemSeconds === undefined ? {} : { facts: { seconds: report.problemSeconds } }),
      raw: report.message,
    };
  }
  if (report.probe !== undefined && report.result === "ERROR" && countOf(report.probe.found) > 0)
    return remnantCause(device, probeOutcome(report.probe, null), report.message);
  if (technique !== undefined && read !== undefined) {
    if (read.mismatches > 0 || read.markersFound > 0 || read.result === "failed")
      return {
        key: "contentLeft",
        device,
        technique,
        facts: {
          mismatches: read.mismatches,
          samples: read.samples,
          found: read.markersFound,
          markers: read.markersWritten,
        },
        raw: rawOf(report),
      };
    if (report.result === "OK" && read.result === "passed" && read.samples + read.markersWritten > 0)
      return { key: "levelTooLow", device, technique, raw: reason };
    if (read.result === "impossible" || read.samples + read.markersWritten === 0)
      return { key: "notReadBack", device, technique, raw: rawOf(report) };
  }
  const tried = tries.find(({ completed }) => !completed);
  return tried === undefined
    ? { key: "notErased", device, raw: reason }
    : { ...ofTry(tried), device, raw: rawOf(report) };
}
