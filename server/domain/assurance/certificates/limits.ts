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

/** What this certificate does not prove. */
export function limitsOf(gates: Statement["predicate"]["gates"], demo: boolean): readonly string[] {
  const left = gates.filter(
    ({ status }) => status === "not required" || status === "waived" || status === "not implemented",
  );
  return [
    ...limits,
    isMeasured(gates)
      ? "The agent's identity rests on a measured boot: it shows which program booted, and not that the program has no fault."
      : "The agent's identity rests on the provisioning network: there was no measured boot.",
    ...left.map(({ gate, status, reason }) => `${gate} is ${status}: ${reason}.`),
    ...(demo ? ["The site is a demo: gates that are not implemented held the host back from nothing."] : []),
  ];
}
