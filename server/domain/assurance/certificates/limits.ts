// What certificates and receipts state that they do not prove.
import type { Statement } from "@/server/domain/assurance/certificates/statement";

/** For every certificate. */
export const limits = [
  "It says what was done and what was observed, and not that nothing can be recovered.",
  "Implants in firmware, and areas of drives that no command reaches, are not covered.",
  "The agent's identity rests on the provisioning network: there was no measured boot.",
];

/** What this certificate does not prove. */
export function limitsOf(gates: Statement["predicate"]["gates"], demo: boolean): readonly string[] {
  const left = gates.filter(
    ({ status }) => status === "not required" || status === "waived" || status === "not implemented",
  );
  return [
    ...limits,
    ...left.map(({ gate, status, reason }) => `${gate} is ${status}: ${reason}.`),
    ...(demo ? ["The site is a demo: gates that are not implemented held the host back from nothing."] : []),
  ];
}
