// The gate `assuranceSigned`: every procedure that applies was recorded and signed off (docs/adr/0102-approvals-and-procedures.md).
import {
  notRequired,
  rechecked,
  satisfied,
  unsatisfied,
  waivedByPolicy,
} from "@/server/domain/reclamations/gates/gate-rule";
import type { Evaluated, GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import { drainNeeded } from "@/server/domain/reclamations/gates/device-memory";
import { procedureEvidence } from "@/server/domain/reclamations/gates/memory";
import { standingsOf } from "@/server/domain/assurance/procedures/standing";
import type { ProcedureStanding } from "@/server/domain/assurance/procedures/standing";

const words = {
  due: "is to be carried out",
  rejected: "was rejected",
  awaitsSignOff: "awaits sign-off",
  signed: "was signed off",
} as const;

/** The status of a procedure as text. */
export function formatProcedure({ procedure, status, record }: ProcedureStanding): string {
  if (status === "rejected" && record?.decidedReason)
    return `${procedure.name} was rejected: ${record.decidedReason}`;
  return status === "due" && record !== null
    ? `${procedure.name} is to be carried out again: it proves the memory only after the drives were erased`
    : `${procedure.name} ${words[status]}`;
}

/** Its evidence says that the procedures were checked, which a database trigger requires before Ready. */
const none = (reason: string): Evaluated => notRequired(reason, { procedures: [] });

const leftOut = (input: GateEvidenceInput): Evaluated =>
  waivedByPolicy(input, "the site's policy does not require signed procedures", { procedures: [] });

export function assuranceSigned(input: GateEvidenceInput): Evaluated {
  const { requires, procedures, assurance, skuName, nowMs } = input;
  if (procedures.length === 0) return none("the site's policy has no procedures");
  if (rechecked(input)) return none("a recheck cleans nothing");
  // What applies to this host can only be said from the records.
  if (!requires.assuranceSigned && assurance === null) return leftOut(input);
  // safety: procedures: records that were not read
  if (assurance === null) return unsatisfied("the records of its procedures were not read");
  const standings = standingsOf(procedures, assurance, skuName, nowMs, drainNeeded(input));
  if (standings.length === 0) return none("no procedure applies to this host");
  if (!requires.assuranceSigned) return leftOut(input);
  const open = standings.filter(({ status }) => status !== "signed");
  const evidence = {
    procedures: standings.flatMap(({ record }) => (record === null ? [] : [procedureEvidence(record)])),
  };
  // safety: procedures: every one that applies is signed off
  if (open.length > 0) return unsatisfied(open.map(formatProcedure).join("; "), evidence);
  return satisfied(
    standings
      .map(({ procedure, record }) => `${procedure.name} signed off by ${record?.decidedBy}`)
      .join("; "),
    evidence,
  );
}
