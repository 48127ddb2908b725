// After a completed erase: judges it by what was read back, then renews the drive and records its content
// (docs/design/sanitization.md#verification).
import type { Fingerprint } from "@/server/domain/cleaning/sanitization/content";
import type { DeviceProblem, PassedOver } from "@/server/domain/cleaning/sanitization/device-result";
import { countOf, type EraseProbe } from "@/server/domain/cleaning/sanitization/probe";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import type { Prepared } from "@/agent/steps/prepare-device";
import type { DeviceTry } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import { findCanaries } from "@/agent/verification/canaries";
import { takeFingerprint } from "@/agent/verification/fingerprint";
import type { Verification } from "@/agent/verification/verify";

/** The outcome for one device. */
export interface Verdict {
  readonly tries: readonly DeviceTry[];
  readonly passedOver?: PassedOver[];
  readonly technique?: Technique;
  readonly verification?: Verification;
  readonly fingerprint?: Fingerprint;
  readonly probe?: EraseProbe;
  readonly result: "OK" | "ERROR";
  readonly message: string;
  /** A problem that no command's answer shows. */
  readonly problem?: DeviceProblem;
  readonly problemSeconds?: number;
}

/** After a cryptographic erase nothing may be readable: then nothing was seen to be gone. */
const goneOf = ({ kind, bytes, samples, markersWritten }: Verification): string =>
  bytes === "0"
    ? "none of its blocks can be read any more"
    : `${samples} samples and ${markersWritten} markers gone${kind === "media-verification" ? ", read in the media verification state" : ""}`;

/** After a verified erase, renews the device and takes its fingerprint. Read-back overrides the device's status: a mismatch always fails the step. */
export async function conclude(
  context: StepContext,
  prepared: Extract<Prepared, { kind: "erase" | "join" }>,
  tries: readonly DeviceTry[],
  technique: Technique,
  verification: Verification,
  refusals: readonly string[],
): Promise<Verdict> {
  const { device } = prepared;
  const base = { tries, technique, verification };
  if (verification.result === "failed") {
    return {
      ...base,
      result: "ERROR",
      message: `${technique} reported success, but ${verification.mismatches} of ${verification.samples} samples and ${verification.markersFound} of ${verification.markersWritten} markers are still there`,
    };
  }
  if (verification.result === "impossible")
    return {
      ...base,
      result: "ERROR",
      message: `${technique} reported success, but the device cannot be read back`,
    };
  const probed = await probe(context, prepared);
  const left = probed === null ? 0 : countOf(probed.found);
  const told = probed === null ? base : { ...base, probe: probed };
  // safety: agent: a canary that is left
  if (left > 0)
    return {
      ...told,
      result: "ERROR",
      message: `${technique} reported success, but ${left} canaries of the remnant probe are still there`,
    };
  return renewed(context, device, told, refusals);
}

/** What is left of the canaries, before namespaces are renewed. Null: there are none to look for. */
async function probe(
  { tools, command }: StepContext,
  { device, areas, evidence }: Extract<Prepared, { kind: "erase" | "join" }>,
): Promise<EraseProbe | null> {
  if (evidence.canaries === null) return null;
  const reading = await findCanaries(tools.blocks, device.facts, areas, command.fingerprint);
  return reading === null
    ? null
    : { ...reading, written: evidence.canaries, renewed: device.renewsNamespaces === true };
}

/** Restores an erased device to the state in which hosts are given out, and takes its fingerprint. */
async function renewed(
  context: StepContext,
  device: ErasableDevice,
  base: Pick<Verdict, "tries" | "probe"> & {
    readonly technique: Technique;
    readonly verification: Verification;
  },
  refusals: readonly string[],
): Promise<Verdict> {
  const again = await device.renew();
  if (!again.ok) return { ...base, result: "ERROR", message: `erased, but ${again.problem}` };
  const { fingerprint: wanted } = context.command;
  const taken = wanted === undefined ? null : await takeFingerprint(context.tools.blocks, device, wanted);
  if (taken?.ok === false)
    return {
      ...base,
      result: "ERROR",
      message: `erased, but its content could not be read for later comparison: ${taken.problem}`,
      problem: "notRecorded",
    };
  return {
    ...base,
    ...(taken === null ? {} : { fingerprint: taken.value }),
    result: "OK",
    message: [`${base.technique}, ${goneOf(base.verification)}`, ...refusals, ...again.value].join("; "),
  };
}
