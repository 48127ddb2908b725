// Words for how a boot was measured, for page and command.
import type { BundleStanding } from "@/server/domain/attestation/bundle";
import type { BundleState, MeasurementState } from "@/server/domain/attestation/measurement";

/** `notAsked`: no boot of the host was asked for a quote. */
export const measurementStateText = {
  Discovered: "not measured yet",
  PendingBundle: "without a bundle",
  Measured: "measured",
  MeasuringFailed: "failed",
  notAsked: "not asked",
} as const satisfies Record<MeasurementState | "notAsked", string>;

export const bundleStandingText = {
  waits: "waits for approval",
  rejected: "rejected",
  Active: "active",
  Obsolete: "obsolete, still passes",
  Retired: "retired, fails",
  Revoked: "revoked, fails for good",
} as const satisfies Record<BundleStanding, string>;

/** What is measured into a register (TCG PC Client Platform Firmware Profile, 3.3.4; from 8 on by Linux' own stub). */
const registerTexts: readonly string[] = [
  "firmware",
  "firmware's settings",
  "option ROMs",
  "settings of option ROMs",
  "what the firmware started: iPXE, kernel",
  "boot menu and partition tables",
  "of the manufacturer",
  "secure boot",
  "not used by our image",
  "command line and initrd",
];
export const registerText = (pcr: number): string => registerTexts[pcr] ?? "not used by our image";

interface Measured {
  readonly state: MeasurementState;
  readonly bootEpoch: number;
  readonly problem: string | null;
  readonly bundle: { readonly name: string; readonly state: BundleState } | null;
}

/** The state in a sentence. Pure. */
export function measurementWords({ state, bootEpoch, problem, bundle }: Measured): string {
  const boot = `boot ${bootEpoch}`;
  const named = `the bundle ${bundle?.name ?? "of that time"}`;
  switch (state) {
    case "Discovered":
      return `The agent of ${boot} was asked for a quote, and has sent none yet.`;
    case "PendingBundle":
      return `No approved bundle expects what ${boot} measured. Find out what booted; if it is what should have, promote it.`;
    case "Measured":
      return `In ${boot} the host measured what ${named} expects.`;
    case "MeasuringFailed":
      return problem === null
        ? `In ${boot} the host measured what ${named} expects, which is ${bundle?.state.toLowerCase() ?? "gone"}.`
        : `Not measured in ${boot}: ${problem}`;
  }
}

/** `4, 9`; undefined: not registers. Pure. */
export function readRegisters(text: string): number[] | undefined {
  const parts = text.split(",").map((part) => part.trim());
  if (!parts.every((part) => /^(?:1?\d|2[0-3])$/.test(part))) return undefined;
  return [...new Set(parts.map(Number))].toSorted((left, right) => left - right);
}
