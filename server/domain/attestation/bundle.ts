// Bundles: the values that measured boots of one hardware should have (docs/adr/0150-measured-boot.md).
import { createHash } from "node:crypto";
import {
  bundleStates,
  programPcrs,
  type BundleState,
  type PcrValues,
} from "@/server/domain/attestation/measurement";

/** A bundle whose approval somebody still has to decide on, or rejected, expects nothing. */
export const bundleStandings = ["waits", "rejected", ...bundleStates] as const;
export type BundleStanding = (typeof bundleStandings)[number];

/** How a bundle stands. Pure. */
export function bundleStanding(
  state: BundleState,
  approval: { readonly decision: string | null; readonly voided: boolean },
): BundleStanding {
  if (approval.decision === "rejected" || approval.voided) return "rejected";
  return approval.decision === "approved" ? state : "waits";
}

/** Registers in their order, with their values. Pure. */
export const orderedValues = (
  values: PcrValues,
): readonly { readonly pcr: number; readonly value: string }[] =>
  Object.entries(values)
    .map(([pcr, value]) => ({ pcr: Number(pcr), value }))
    .toSorted((left, right) => left.pcr - right.pcr);

/** SHA-256 of all values, in the order of their registers: a name for them. Pure. */
export function valuesDigest(values: PcrValues): string {
  const hash = createHash("sha256");
  for (const { pcr, value } of orderedValues(values)) hash.update(`${pcr}:${value}\n`);
  return hash.digest("hex");
}

/** Why a bundle of these registers is refused; null: it is not. Pure. */
export function registersRefusal(pcrs: readonly number[], values: PcrValues): string | null {
  const left = programPcrs.filter((pcr) => !pcrs.includes(Number(pcr)));
  // safety: attestation: a bundle of any program
  if (left.length > 0)
    return `A bundle needs the registers ${programPcrs.join(" and ")}: without them it would take any program for the agent.`;
  const unknown = pcrs.filter((pcr) => values[pcr] === undefined);
  return unknown.length === 0 ? null : `The boot was not measured in ${unknown.join(", ")}.`;
}

/** The registers in which values are not those of a bundle. Pure. */
export const differencesFrom = (
  bundle: PcrValues,
  values: PcrValues,
): readonly { readonly pcr: number; readonly found: string; readonly expected: string | null }[] =>
  orderedValues(values)
    .filter(({ pcr, value }) => bundle[pcr] !== value)
    .map(({ pcr, value }) => ({ pcr, found: value, expected: bundle[pcr] ?? null }));

/** The bundle that has the fewest values which are not the same; null: there is none. Pure. */
export function closestTo<Bundle extends { readonly values: PcrValues }>(
  bundles: readonly Bundle[],
  values: PcrValues,
): Bundle | null {
  const wrong = (bundle: Bundle): number =>
    differencesFrom(bundle.values, values).filter(({ expected }) => expected !== null).length;
  return bundles.toSorted((left, right) => wrong(left) - wrong(right))[0] ?? null;
}
