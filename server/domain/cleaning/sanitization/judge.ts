// Whether the agent's report on a step's devices proves that they are sanitized. Fails closed (docs/design/sanitization.md).
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { deviceCause, driveOf } from "@/server/domain/cleaning/failures/of-device";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import type { Media, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { JudgedDevice } from "@/server/domain/hosts/record/reclamation";
import { canariesWanted, countOf, probeOutcome } from "@/server/domain/cleaning/sanitization/probe";
import type { DeviceResult, Verification } from "@/server/domain/cleaning/sanitization/device-result";
import {
  countsWithoutException,
  isOfBmc,
  levelOf,
  reaches,
  techniqueTableVersion,
} from "@/server/domain/cleaning/sanitization/techniques";
import type { Level, Technique } from "@/server/domain/cleaning/sanitization/techniques";

export interface StepVerdict {
  readonly ok: boolean;
  readonly message: string;
  readonly devices: readonly JudgedDevice[];
  /** What the step failed for; empty if it did not fail or gave only text. */
  readonly causes: readonly Cause[];
  /** Expected devices without a result, and those that were not found. */
  readonly missing: readonly StorageDevice[];
}

/** The part of a policy by which drives are erased and judged. */
export type Sanitization = Policy["sanitization"];

/** Who performed the step. A BMC reads nothing back, so the status of its job is all there is (docs/design/sanitization.md#techniques-and-levels). */
export type Performer = "agent" | "bmc";

/** A fingerprint must cover every area of the drive, because otherwise there would be nothing to compare later. */
const tellsContent = (report: DeviceResult): boolean =>
  report.fingerprint?.every(
    ({ places }) => places.bootRecord !== undefined && places.sampled !== undefined,
  ) === true;

/** What a device is judged by. */
interface Measure {
  /** The medium that the device is known to be, so that a report cannot choose a lower minimum for itself. */
  readonly media: Media;
  readonly sanitization: Sanitization;
  readonly by: Performer;
  /** The agent was asked to record the drive's content. */
  readonly fingerprinted: boolean;
}

/** Judges one device. The level follows from the technique and the device's own completion; reading back can only refute it. Pure. */
export function judgeDevice(
  report: DeviceResult,
  media: Media,
  sanitization: Sanitization,
  by: Performer = "agent",
  fingerprinted = false,
): JudgedDevice {
  const { serial, model, technique } = report;
  const level = technique === undefined ? "none" : levelOf(technique, sanitization.standard);
  const finding = findingOf(report, level, { media, sanitization, by, fingerprinted });
  return {
    ...{ serial, model, media, technique: technique ?? null, standard: sanitization.standard, level },
    ...{ techniqueTable: techniqueTableVersion, ...finding, report },
  };
}

type Finding = Pick<JudgedDevice, "verdict" | "reason">;
const asFailed = (reason: string): Finding => ({ verdict: "failed", reason });
const asSanitized = (reason: string): Finding => ({ verdict: "sanitized", reason });

function findingOf(report: DeviceResult, level: Level, measure: Measure): Finding {
  const { technique, verification: read } = report;
  // safety: judge: the device's own result
  if (report.result !== "OK" || report.missing === true)
    return asFailed(report.message === "" ? "the agent reports an error" : report.message);
  // safety: judge: a technique completed
  if (technique === undefined) return asFailed("no technique completed");
  const short = notCompleted(report, technique) ?? shortfall(technique, measure.media, measure.sanitization);
  if (short !== null) return asFailed(short);
  if (read === undefined) return asFailed("the device was not read back");
  if (measure.by === "bmc" && isOfBmc(technique) && read.kind === "status-only") {
    // safety: judge: a BMC's erase is never probed
    if (mustBeProbed(measure)) return asFailed(notProbed.byBmc.reason);
    return asSanitized(`${level} by ${technique}, by the status of the BMC's job; a BMC does not read back`);
  }
  const refuted = refutation(read);
  if (refuted !== null) return asFailed(refuted);
  const unprobed = probeShortfall(report, measure);
  if (unprobed !== null) return asFailed(unprobed);
  // safety: judge: what is on the drive now must be told
  if (measure.fingerprinted && !tellsContent(report))
    return asFailed(
      "erased, but the agent did not record its content, so a later change could not be detected; roll out a newer agent image",
    );
  return asSanitized(
    `${level} by ${technique}; 0 of ${read.samples} samples and 0 of ${read.markersWritten} markers found again${probeResult(report, measure)}`,
  );
}

const mustBeProbed = ({ sanitization, fingerprinted }: Measure): boolean =>
  fingerprinted && sanitization.requireProbe;

/** What the remnant probe says against an erase; null: nothing, or there was no probe and none is required. */
function probeShortfall({ probe }: DeviceResult, measure: Measure): string | null {
  const left = probe === undefined ? 0 : countOf(probe.found);
  // safety: judge: canaries that are left
  if (left > 0) return `${left} canaries of the remnant probe were found again`;
  if (!mustBeProbed(measure)) return null;
  // safety: judge: a probe that the policy requires
  if (probe === undefined || countOf(probe.written) === 0) return notProbed.noCanary.reason;
  // If namespaces are recreated, no later reading counts.
  // safety: judge: a probe whose only reading read nothing
  if (probe.renewed && probeOutcome(probe, null).places === 0) return notProbed.unread.reason;
  return null;
}

/** Text about the probe of a successful erase; empty if the policy asks for no probe. */
function probeResult({ probe }: DeviceResult, { sanitization, fingerprinted }: Measure): string {
  if (!fingerprinted || canariesWanted(sanitization) === 0) return "";
  if (probe === undefined) return "; not probed: the agent has no remnant probe";
  const written = countOf(probe.written);
  if (written === 0) return "; not probed: it took no canary";
  const { places } = probeOutcome(probe, null);
  return places === 0
    ? `; none of its ${written} canaries could be read right after it`
    : `; 0 of ${places} canaries found again right after it`;
}

/** For a device whose erase was not probed although the policy requires it. */
const notProbed = {
  noCanary: {
    reason: "erased, but not probed, which the policy requires: it took no canary",
    raw: "it took no canary",
  },
  unread: {
    reason: "erased, but not probed, which the policy requires: none of its canaries could be read after it",
    raw: "none of its canaries could be read after the erase",
  },
  byBmc: {
    reason: "erased by its BMC, which reads nothing back; the policy requires a probe",
    raw: "it was erased by its BMC, which reads nothing back",
  },
} as const;

/** Why the technique in the report is not the device's last and completed command; null: it is. */
function notCompleted({ tries }: DeviceResult, technique: Technique): string | null {
  const last = tries.at(-1);
  if (last === undefined || last.technique !== technique) return `the last command sent was not ${technique}`;
  if (!last.completed || last.exitCode !== 0)
    return `${technique} did not complete: exit ${last.exitCode}, ${last.status}`;
  return null;
}

/** Why a technique does not meet a policy for such a medium; null: it does. Pure. */
export function shortfall(technique: Technique, media: Media, sanitization: Sanitization): string | null {
  const minimum = sanitization.minimum[media];
  const level = levelOf(technique, sanitization.standard);
  // Regardless of the policy, a technique that no standard counts as sanitization never counts (docs/design/sanitization.md#techniques-and-levels).
  // safety: judge: a technique that never counts
  if (level === "none") return `${technique} never counts under ${sanitization.standard}`;
  // safety: judge: the minimum level
  if (!reaches(level, minimum))
    return `${technique} is ${level} under ${sanitization.standard}; policy asks for ${minimum}`;
  // safety: judge: exception only
  if (!countsWithoutException(technique))
    return `${technique} counts only with an approved exception, and this version has none: use another technique`;
  return null;
}

/** What reading back says against the device's own completion; null: nothing. */
function refutation(read: Verification): string | null {
  if (read.kind === "status-only" || read.result === "impossible" || read.samples + read.markersWritten === 0)
    return "the device could not be sampled";
  if (read.mismatches > 0 || read.markersFound > 0 || read.result !== "passed")
    return `old content is still there: ${read.mismatches} of ${read.samples} samples and ${read.markersFound} of ${read.markersWritten} markers were found again`;
  return null;
}

interface Refuted {
  readonly expected: readonly StorageDevice[];
  readonly failed: readonly JudgedDevice[];
  readonly unreported: readonly StorageDevice[];
  /** What the step says about itself. It explains why a device has no result. */
  readonly said: readonly string[];
}

/** Slot and firmware are taken from the list, because the BMC knows them even for drives that do not report them to the agent. */
function causesOf({ expected, failed, unreported, said }: Refuted): readonly Cause[] {
  const listed = new Map(expected.map((device) => [deviceKey(device), device]));
  return [
    ...failed.map(({ report, reason }) => {
      const where = { ...report, ...listed.get(deviceKey(report)) };
      const unprobed = Object.values(notProbed).find((why) => why.reason === reason);
      return unprobed === undefined
        ? deviceCause(report, reason, where)
        : { key: "notProbed" as const, device: driveOf(where), raw: unprobed.raw };
    }),
    ...said.map((raw): Cause => ({ key: "stepFailed", raw })),
    ...unreported.map((device): Cause => ({ key: "driveNotReported", device: driveOf(device), raw: "" })),
  ];
}

/**
 * Judges a step's report against the devices that it was to treat. The expected devices must equal those treated and
 * verified, and an unexpected device must be sanitized too. Pure.
 */
export function judgeStep(
  expected: readonly StorageDevice[],
  report: ResultBody,
  sanitization: Sanitization,
  by: Performer = "agent",
  fingerprinted = false,
): StepVerdict {
  const known = new Map(expected.map((device) => [deviceKey(device), device.media]));
  const devices = report.devices.map((device) =>
    judgeDevice(device, known.get(deviceKey(device)) ?? device.media, sanitization, by, fingerprinted),
  );
  const reported = new Set(report.devices.map(deviceKey));
  const unreported = expected.filter((device) => !reported.has(deviceKey(device)));
  const gone = new Set(report.devices.filter((device) => device.missing === true).map(deviceKey));
  const missing = [...unreported, ...expected.filter((device) => gone.has(deviceKey(device)))];
  // safety: judge: a device told of twice (false)
  const twice = report.devices.length !== reported.size;
  const failed = devices.filter((device) => device.verdict === "failed");
  // If the agent's message about the step only repeats what it says about the devices, which follows below, it is left out.
  const ofStep = failed.reduce(
    (text, device) => text.replace(`${device.serial}: ${device.reason}`, ""),
    report.message,
  );
  const repeated = failed.length > 0 && /^[;\s]*$/.test(ofStep) && report.message !== "";
  // safety: judge: the step's own result (false)
  const stepFailed = report.result === "ERROR" && !repeated;
  const messages = [
    ...(stepFailed ? [report.message === "" ? "the agent reports an error" : report.message] : []),
    ...failed.map((device) => `${device.serial} (${device.model}): ${device.reason}`),
    ...unreported.map((device) => `${device.serial} (${device.model}): no result; the device was expected`),
    ...(twice ? ["a device is reported twice"] : []),
  ];
  return {
    ok: messages.length === 0,
    message: messages.length === 0 ? report.message : messages.join("\n"),
    causes: causesOf({ expected, failed, unreported, said: stepFailed ? [report.message] : [] }),
    devices,
    missing,
  };
}
