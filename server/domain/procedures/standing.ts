// Which procedures a host needs in its reclamation, and how far each is: recorded, signed off, rejected (docs/adr/0102-approvals-and-procedures.md).
import { fullAcDrain } from "@/server/domain/procedures/procedure";
import type { Procedure } from "@/server/domain/procedures/procedure";

/** A record as the claim brings it: of the open reclamation, or of an earlier one and reusable. */
export interface RecordFacts {
  readonly id: string;
  readonly procedure: string;
  readonly version: number;
  readonly recordedAtMs: number;
  readonly operator: string;
  /** Of this reclamation, or of the instance with which it began. */
  readonly own: boolean;
  readonly reusableUntilMs: number | null;
  /** Of this reclamation, and carried out after the drives were erased by the plan in force. */
  readonly afterErase: boolean;
  readonly decision: string | null;
  readonly decidedBy: string | null;
  readonly decidedReason: string | null;
  readonly voided: boolean;
}

/** What makes procedures due: of all reclamations since the host last passed its gates. */
export interface AssuranceFacts {
  /** Organisations of the tenants that had it. */
  readonly tenants: readonly string[];
  readonly repaired: boolean;
  /** Causes that it stopped for. */
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

/** The newest record that counts for a procedure; undefined: there is none. */
const newest = (
  { name, version }: Procedure,
  records: readonly RecordFacts[],
  nowMs: number,
): RecordFacts | undefined =>
  records
    .filter(
      (record) =>
        record.procedure === name &&
        /* safety: procedures: of the version that the reclamation began with */ record.version === version &&
        /* safety: procedures: a record that lost its ground */ !record.voided &&
        /* safety: procedures: another reclamation's record only while it is reusable */ (record.own ||
          (record.reusableUntilMs !== null && record.reusableUntilMs > nowMs)),
    )
    .toSorted((left, right) => left.recordedAtMs - right.recordedAtMs)
    .at(-1);

/** @param drainNeeded the memory is proven by nothing but a drain */
function statusOf(record: RecordFacts | undefined, drainNeeded: boolean): StandingStatus {
  if (record === undefined) return "due";
  // safety: procedures: a drain that is due again
  if (drainNeeded && record.procedure === fullAcDrain && !record.afterErase) return "due";
  // safety: procedures: what was not signed off
  if (record.decision === null) return "awaitsSignOff";
  // safety: procedures: what was rejected (always)
  return record.decision === "approved" ? "signed" : "rejected";
}

/** Those that apply, in the order of the policy. A drain that the memory needs (`drainNeeded`) is due again after the drives were erased. Pure. */
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

/** A signed drain of the host's power that emptied its memory after its drives were erased; undefined: there is none. Pure. */
export const memoryDrain = (
  procedures: readonly Procedure[],
  facts: AssuranceFacts,
  nowMs: number,
): RecordFacts | undefined => {
  const drain = procedures.find(({ name }) => name === fullAcDrain);
  const record = drain === undefined ? undefined : newest(drain, facts.records, nowMs);
  return record !== undefined &&
    /* safety: procedures: a drain before the drives were erased */ record.afterErase &&
    /* safety: procedures: a drain that was not signed off */ statusOf(record, false) === "signed"
    ? record
    : undefined;
};
