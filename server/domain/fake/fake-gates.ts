// The gates of a host of type `fake` (docs/adr/0015-fake-hardware.md).
import type { GateName } from "@/server/domain/gates/gate-names";
import type { Evaluated, GateEvidenceInput } from "@/server/domain/gates/gate-rule";

/** What can be told of a host without a machine, too: who holds it, which of its steps ran, and whether people want it. */
const withoutMachine: ReadonlySet<GateName> = new Set([
  "instanceReleased",
  "tenantNetworkReleased",
  "cleanupCompleted",
  "healthy",
]);

/** No gate of a fake host is proven. Those that need no machine still hold it back where they say so. */
export function ofFakeHost(
  gate: GateName,
  rule: (input: GateEvidenceInput) => Evaluated,
  input: GateEvidenceInput,
): Evaluated {
  const told = withoutMachine.has(gate) ? rule(input) : null;
  // safety: gates: what needs no machine still holds a fake host back (never)
  // safety: gates: nothing is proven of a fake host → rule(input)
  return told?.status === "unsatisfied"
    ? told
    : { status: "not required: fake hardware", reason: "there is no machine", evidence: {} };
}
