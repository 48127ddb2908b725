// Which procedures a host needs in its reclamation, and the status of each: recorded, signed off, rejected (docs/adr/0102-approvals-and-procedures.md).
import { fullAcDrain } from "@/server/domain/assurance/procedures/procedure";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

/** A record as the claim reads it: of the open reclamation, or a reusable one of an earlier reclamation. */
export interface RecordFacts {
  readonly id: string;
  readonly procedure: string;
  readonly version: number;
  readonly recordedAtMs: number;
  readonly operator: string;
  /** Of this reclamation, or of the instance with which it began. */
  readonly own: boolean;
  readonly reusableUntilMs: number | null;
  /** Of this reclamation, and carried out after the current plan had erased the drives. */
  readonly afterErase: boolean;
  readonly decision: string | null;
  readonly decidedBy: string | null;
  readonly decidedReason: string | null;
  readonly voided: boolean;
}

/** What makes procedures due, over all reclamations since the host last passed its gates. */
export interface AssuranceFacts {
  /** Organizations of the tenants that had it. */
  readonly tenants: readonly string[];
  readonly repaired: boolean;
  /** Causes for which it stopped. */
  readonly failures: readonly string[];
  readonly records: readonly RecordFacts[];
}

export const standingStatuses = ["due", "rejected", "awaitsSignOff", "signed"] as const;
export type StandingStatus = (typeof standingStatuses)[number];

export interface ProcedureStanding {
  readonly procedure: Procedure;
  /** Why it applies. */
  readonly reason: string;
  readonly status: StandingStatus;
  readonly record: RecordFacts | null;
}

/** Why a procedure applies; null: it does not. Pure. */
export function dueReason(
  { when }: Pick<Procedure, "when">,
  facts: Pick<AssuranceFacts, "tenants" | "repaired" | "failures">,
  sku: string | null,
): string | null {
  if (when.always) return "every reclamation";
  if (sku !== null && when.skus.includes(sku)) return `SKU ${sku}`;
  const tenant = when.tenants.find((org) => facts.tenants.includes(org));
  if (tenant !== undefined) return `tenant ${tenant}`;
  if (when.afterRepair && facts.repaired) return "after a repair tenant";
  const failure = when.afterFailures.find((cause) => facts.failures.includes(cause));
  return failure === undefined ? null : `after ${failure}`;
}

/** The latest record that counts for a procedure; undefined: none. */
const newest = (
  { name, version }: Procedure,
  records: readonly RecordFacts[],
  nowMs: number,
): RecordFacts | undefined =>
  records
    .filter(
      (record) =>
        record.procedure === name &&
        record.version === version &&
        !record.voided &&
        (record.own || (record.reusableUntilMs !== null && record.reusableUntilMs > nowMs)),
    )
    .toSorted((left, right) => left.recordedAtMs - right.recordedAtMs)
    .at(-1);

/** @param drainNeeded only a drain can prove the memory */
function statusOf(record: RecordFacts | undefined, drainNeeded: boolean): StandingStatus {
  if (record === undefined) return "due";
  // safety: procedures: a drain that is due again
  if (drainNeeded && record.procedure === fullAcDrain && !record.afterErase) return "due";
  // safety: procedures: what was not signed off
  if (record.decision === null) return "awaitsSignOff";
  // safety: procedures: what was rejected (always)
  return record.decision === "approved" ? "signed" : "rejected";
}

/** The procedures that apply, in the order of the policy. A drain needed for the memory (`drainNeeded`) is due again after the drives were erased. Pure. */
export const standingsOf = (
  procedures: readonly Procedure[],
  facts: AssuranceFacts,
  sku: string | null,
  nowMs: number,
  drainNeeded: boolean,
): readonly ProcedureStanding[] =>
  procedures.flatMap((procedure) => {
    const reason = dueReason(procedure, facts, sku);
    if (reason === null) return [];
    const record = newest(procedure, facts.records, nowMs);
    return [{ procedure, reason, status: statusOf(record, drainNeeded), record: record ?? null }];
  });

/** The signed record of a procedure that was carried out in this reclamation; undefined: none. Pure. */
export function signedProcedure(
  procedures: readonly Procedure[],
  name: string,
  facts: AssuranceFacts,
  nowMs: number,
): RecordFacts | undefined {
  const procedure = procedures.find((each) => each.name === name);
  const record = procedure === undefined ? undefined : newest(procedure, facts.records, nowMs);
  // safety: procedures: a TPM that was cleared by hand in an earlier reclamation
  if (record?.own !== true) return undefined;
  const status = statusOf(record, false);
  return status === "signed" ? record : undefined;
}

/** A signed drain of the host's power after its drives were erased, which cleared its memory; undefined: none. Pure. */
export const memoryDrain = (
  procedures: readonly Procedure[],
  facts: AssuranceFacts,
  nowMs: number,
): RecordFacts | undefined => {
  const drain = procedures.find(({ name }) => name === fullAcDrain);
  const record = drain === undefined ? undefined : newest(drain, facts.records, nowMs);
  return record !== undefined && record.afterErase && statusOf(record, false) === "signed"
    ? record
    : undefined;
};
