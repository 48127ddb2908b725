// The gate `memoryOverwritten`: proven by a step and a restart after it, or by a drain of the host's power (docs/adr/0102-approvals-and-procedures.md).
import {
  notRequired,
  rechecked,
  satisfied,
  skipped,
  stepGate,
  bootEpochOf,
  unprovenBoot,
  unsatisfied,
} from "@/server/domain/reclamations/gates/gate-rule";
import type { Evaluated, GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import { fullAcDrain } from "@/server/domain/assurance/procedures/procedure";
import { memoryDrain } from "@/server/domain/assurance/procedures/standing";
import type { RecordFacts } from "@/server/domain/assurance/procedures/standing";

/** A record as part of the evidence. */
export const procedureEvidence = (record: RecordFacts) => ({
  procedure: record.procedure,
  version: record.version,
  record: record.id,
  recordedBy: record.operator,
  signedBy: record.decidedBy,
  reused: !record.own,
});

/** A step that failed and was left out is none. */
const hasStep = ({ plan }: GateEvidenceInput): boolean =>
  plan.some(({ proves, status }) => proves.includes("memoryOverwritten") && status !== "excepted");

/** If no step of the plan could overwrite the memory, a signed drain of the host's power proves that it is empty. */
function drainedInstead({ procedures, assurance, nowMs }: GateEvidenceInput): Evaluated | null {
  if (assurance === null) return null;
  const record = memoryDrain(procedures, assurance, nowMs);
  return record === undefined
    ? null
    : satisfied(`the host was without power: ${fullAcDrain}, signed off by ${record.decidedBy}`, {
        procedures: [procedureEvidence(record)],
      });
}

/** The result if memory is skipped along with the cleaning; null: it must be proven. */
const leftOut = (input: GateEvidenceInput): Evaluated | null =>
  skipped(input) ?? (rechecked(input) ? notRequired("a recheck cleans nothing") : null);

function byStep(input: GateEvidenceInput): Evaluated {
  const step = stepGate(input, "memoryOverwritten", unsatisfied("no step for it was planned"));
  if (step.status !== "satisfied") return step;
  const epoch = input.proven.memoryStepEpoch;
  if (epoch === null || bootEpochOf(input.boot) <= epoch) return unsatisfied("no restart followed the step");
  const unproven = unprovenBoot(input);
  if (unproven !== null) return unproven;
  return satisfied(`requested in boot ${epoch}, restarted as boot ${bootEpochOf(input.boot)}`, step.evidence);
}

/** Only a drain can prove this host's memory: no step of its plan could overwrite it, and it is not skipped. */
export const drainNeeded = (input: GateEvidenceInput): boolean =>
  leftOut(input) === null && !hasStep(input) && byStep(input).status === "unsatisfied";

export const memoryOverwritten = (input: GateEvidenceInput): Evaluated =>
  leftOut(input) ?? (hasStep(input) ? null : drainedInstead(input)) ?? byStep(input);
