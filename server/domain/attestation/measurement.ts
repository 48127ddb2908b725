// What is known of a host's measured boot, and whether commands may go to its agent (docs/adr/0150-measured-boot.md).
import { z } from "zod";

/** NICo's names. `Discovered`: nothing was measured yet. */
export const measurementStates = ["Discovered", "PendingBundle", "Measured", "MeasuringFailed"] as const;
export type MeasurementState = (typeof measurementStates)[number];

/** `Active` and `Obsolete` pass; `Retired` fails unless another bundle passes; `Revoked` fails for good. */
export const bundleStates = ["Active", "Obsolete", "Retired", "Revoked"] as const;
export type BundleState = (typeof bundleStates)[number];

/** Each change of state takes trust away, so one person may make it. Pure. */
export const mayBecome = (from: BundleState, to: BundleState): boolean =>
  bundleStates.indexOf(to) > bundleStates.indexOf(from);

/** The kernel, and what its stub measured: without them a bundle would take any program for the agent. */
export const programPcrs = ["4", "9"] as const;

/** Values by register, in hexadecimal digits. */
export const pcrValues = z.record(z.string(), z.string());
export type PcrValues = Readonly<z.infer<typeof pcrValues>>;

/** What the claim reads of the newest boot that was asked for its TPM. */
export const measurementFacts = z.object({
  /** The boot in which the TPM proved its key last; null: in none. */
  tpmEpoch: z.number().nullable(),
  /** The key of that boot is the one that counts as the host's. */
  ownKey: z.boolean(),
  /** Why no key was shown, or it was not activated; null: nothing went wrong. */
  tpmProblem: z.string().nullable(),
  /** The boot of the quote; null: none was asked for. */
  bootEpoch: z.number().nullable(),
  state: z.enum(measurementStates).nullable(),
  problem: z.string().nullable(),
  /** The bundle that decided. */
  bundle: z.object({ id: z.string(), name: z.string(), state: z.enum(bundleStates) }).nullable(),
});
export type MeasurementFacts = Readonly<z.infer<typeof measurementFacts>>;

export interface Unmeasured {
  /** Null: nothing comes, this boot will never be measured. */
  readonly waitsFor: "agent" | "person" | null;
  readonly why: string;
}

const never = (why: string): Unmeasured => ({ waitsFor: null, why });
const noTpmYet: Unmeasured = { waitsFor: "agent", why: "the agent has shown no TPM yet" };

/** Why a boot is not measured; null: it is. Pure. @param facts null: the host's TPM was never asked */
export function whyUnmeasured(facts: MeasurementFacts | null, bootEpoch: number): Unmeasured | null {
  if (facts === null) return noTpmYet;
  const { tpmEpoch, ownKey, tpmProblem, state, problem, bundle } = facts;
  // safety: attestation: a TPM of another boot
  if (tpmEpoch !== bootEpoch)
    return tpmProblem === null ? noTpmYet : never(`its TPM proved nothing: ${tpmProblem}`);
  // safety: attestation: the TPM of another machine
  if (!ownKey)
    return {
      waitsFor: "person",
      why: "its TPM has another endorsement key than the one that counts as the host's: find out why, or accept it on the Attestation tab",
    };
  // safety: attestation: the quote of another boot
  if (facts.bootEpoch !== bootEpoch || state === null || state === "Discovered")
    return { waitsFor: "agent", why: "the agent has sent no quote yet" };
  if (state === "PendingBundle")
    return {
      waitsFor: "person",
      why: "its measurements match no approved bundle: find out what booted, then promote them",
    };
  // safety: attestation: a boot that was not found right (always)
  return state === "Measured"
    ? null
    : never(
        problem ??
          `its measurements are those of the bundle ${bundle?.name ?? "?"}, which is ${bundle?.state.toLowerCase() ?? "gone"}`,
      );
}
