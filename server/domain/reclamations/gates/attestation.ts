// The gate `attestationPassed`: the boot that the other gates rest on was measured, and its measurements are expected (docs/attestation.md).
import { whyUnmeasured } from "@/server/domain/attestation/measurement";
import {
  satisfied,
  unprovenBoot,
  unsatisfied,
  waivedByPolicy,
} from "@/server/domain/reclamations/gates/gate-rule";
import type { Evaluated, GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";

export function attestationPassed(input: GateEvidenceInput): Evaluated {
  const { attestation: mode, measurement, boot, requires } = input;
  if (mode !== "required")
    return requires.attestationPassed
      ? {
          status: "not implemented",
          reason: `policy.attestation is ${mode}: no boot has to be measured`,
          evidence: {},
        }
      : waivedByPolicy(input, "the site's policy does not require measured boot");
  const unproven = unprovenBoot(input);
  if (unproven !== null) return unproven;
  const found = whyUnmeasured(measurement, boot?.bootEpoch ?? 0);
  const bundle = measurement?.bundle ?? null;
  const evidence = { bootEpoch: measurement?.bootEpoch ?? null, bundle: bundle?.id ?? null };
  if (found === null)
    return satisfied(`boot ${boot?.bootEpoch ?? 0} was measured: bundle ${bundle?.name ?? ""}`, evidence);
  return requires.attestationPassed
    ? unsatisfied(found.why, evidence)
    : waivedByPolicy(input, `the site's policy does not require measured boot; ${found.why}`, evidence);
}
