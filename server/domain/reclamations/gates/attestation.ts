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
  const { attestation: mode, measurement, boot } = input;
  if (mode !== "required")
    return input.requires.attestationPassed
      ? {
          status: "not implemented",
          reason: `policy.attestation is ${mode}: no boot has to be measured`,
          evidence: {},
        }
      : waivedByPolicy(input, "the site's policy does not require measured boot");
  const unproven = unprovenBoot(input);
  if (unproven !== null) return unproven;
  const epoch = boot?.bootEpoch ?? 0;
  const found = whyUnmeasured(measurement, epoch);
  const bundle = measurement?.bundle ?? null;
  const evidence = { bootEpoch: measurement?.bootEpoch ?? null, bundle: bundle?.id ?? null };
  // Also where the gate is not required: the site wants no host whose boot is not expected.
  return found === null
    ? satisfied(`boot ${epoch} was measured: bundle ${bundle?.name ?? ""}`, evidence)
    : unsatisfied(found.why, evidence);
}
