// What certificates and receipts state that they do not prove.
import type { Statement } from "@/server/domain/assurance/certificates/statement";

/** For every certificate, before how its agent was identified. */
const limits = [
  "It says what was done and what was observed, and not that nothing can be recovered.",
  "Implants in firmware, and areas of drives that no command reaches, are not covered.",
];

/** How many of a certificate's limits every certificate has: a receipt has no others. */
export const commonLimits = limits.length + 1;

/** Whether the agent was identified by what its host booted. */
export const isMeasured = (gates: Statement["predicate"]["gates"]): boolean =>
  gates.some(({ gate, status }) => gate === "attestationPassed" && status === "satisfied");

/** What the agent's identity rests on. A boot is measured anew each time, and only the last quote is kept. */
function identityLimit(gates: Statement["predicate"]["gates"], measured: MeasuredBoot): string {
  if (!isMeasured(gates))
    return "The agent's identity rests on the provisioning network: no measured boot was required.";
  const of =
    "The agent's identity rests on measured boots: they show which program booted, and not that it has no fault.";
  if (measured === null) return `${of} The quote of the last boot is not in here.`;
  const { acceptedAs, vouchedBy } = measured.tpm;
  const pinned = vouchedBy === null && acceptedAs !== "operator";
  return `${of} The quote of the last boot is in here.${pinned ? " Its TPM was pinned at first contact, and no certificate vouches for it." : ""}`;
}

type MeasuredBoot = Statement["predicate"]["measuredBoot"];

/** What this certificate does not prove. */
export function limitsOf(
  gates: Statement["predicate"]["gates"],
  measured: MeasuredBoot,
  demo: boolean,
): readonly string[] {
  const left = gates.filter(
    ({ status }) => status === "not required" || status === "waived" || status === "not implemented",
  );
  return [
    ...limits,
    identityLimit(gates, measured),
    ...left.map(({ gate, status, reason }) => `${gate} is ${status}: ${reason}.`),
    ...(demo ? ["The site is a demo: gates that are not implemented held the host back from nothing."] : []),
  ];
}
