// The gates of a host of type `fake` (docs/adr/0015-fake-hardware.md).
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import type { Evaluated, GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";

/** Gates that can be evaluated without a machine: who holds the host, which of its steps ran, and whether people want it. */
const withoutMachine: ReadonlySet<GateName> = new Set([
  "instanceReleased",
  "tenantNetworkReleased",
  "cleanupCompleted",
  "healthy",
]);

/** No gate of a fake host is proven. Gates that need no machine hold it back if they are unsatisfied. */
export function ofFakeHost(
  gate: GateName,
  rule: (input: GateEvidenceInput) => Evaluated,
  input: GateEvidenceInput,
): Evaluated {
  const told = withoutMachine.has(gate) ? rule(input) : null;
  // safety: gates: what needs no machine still holds a fake host back (never)
  return told?.status === "unsatisfied"
    ? told
    : { status: "not required: fake hardware", reason: "there is no machine", evidence: {} };
}
