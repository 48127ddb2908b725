// A host's maintenance: reading it with a lock, and the writes that set and end it.
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Transaction } from "@/server/db/prisma";
import type { AuditFacts } from "@/server/db/audit";
import { tellWithin } from "@/server/db/hot/signal";
import type { Acted, Target } from "@/server/usecases/define-act";
import { type Outcome } from "@/server/usecases/problem";
import { acted } from "@/server/usecases/define-act";

interface Maintained {
  readonly hostId: string;
  readonly state: string;
  readonly maintenance: boolean;
  readonly reason: string | null;
  readonly by: string | null;
  readonly touchUncovered: boolean;
  /** Everybody who set it; empty: not known. */
  readonly people: readonly string[];
}

/** Locks the host's row, so that a failure that sets maintenance concurrently comes before or after, never between. */
export async function findMaintained(tx: Transaction, hostId: string): Promise<Target<Maintained> | null> {
  const [row] = await queryRows(
    tx,
    sql<{
      state: string;
      maintenance: boolean;
      maintenance_reason: string | null;
      maintenance_by: string | null;
      touch_uncovered: boolean;
      maintenance_people: string[];
    }>`
    SELECT state, maintenance, maintenance_reason, maintenance_by, touch_uncovered, maintenance_people::text[] FROM host_run WHERE host_id = ${hostId}::uuid FOR UPDATE`,
  );
  if (row === undefined) return null;
  const {
    state,
    maintenance,
    maintenance_reason: reason,
    maintenance_by: by,
    touch_uncovered: touchUncovered,
    maintenance_people: people,
  } = row;
  return {
    id: hostId,
    belongs: { tenantId: null },
    value: { hostId, state, maintenance, reason, by, touchUncovered, people },
  };
}

/** `end`: the host is checked again before it may be allocated. `endUntouched`: a person states that nobody touched it during this maintenance. */
export type MaintenanceChange =
  | { readonly kind: "set"; readonly reason: string; readonly personId: string | null }
  | { readonly kind: "end" }
  | { readonly kind: "endUntouched" };

/**
 * All changes of maintenance by people go through this function, and only here do they make a Ready host allocatable. A single statement, because readiness,
 * allocation and the evidence of gates must be consistent. A claimed host stays out of allocation even while its state is still Ready. A host without a
 * machine has nothing that could be touched. `touch_uncovered` records whether the host was already touched when this maintenance was set: a statement
 * covers nothing else (docs/adr/0028-recheck-after-maintenance.md).
 */
export async function writeMaintenance(
  tx: Transaction,
  hostIds: readonly string[],
  to: MaintenanceChange,
): Promise<void> {
  const on = to.kind === "set";
  await execute(
    tx,
    sql`
    UPDATE host_run r SET maintenance = ${on}, maintenance_reason = ${on ? to.reason : null}, maintenance_by = ${on ? "person" : null},
      maintenance_people = CASE WHEN NOT ${on} THEN '{}' WHEN r.maintenance AND r.maintenance_by = 'person' THEN r.maintenance_people ELSE '{}' END || ${on && to.personId !== null ? [to.personId] : []}::uuid[], evidence_seq = evidence_seq + 1,
      due_at = least(coalesce(due_at, 'infinity'), now()), wake_seq = wake_seq + 1,
      touched = x.touched, touched_reason = CASE WHEN r.touched THEN r.touched_reason END,
      touch_uncovered = CASE WHEN NOT ${on} THEN true WHEN r.maintenance AND r.maintenance_by = 'person' THEN r.touch_uncovered
        ELSE r.touched END, -- safety: recheck: a statement covers its own maintenance → ELSE false END,
      allocatable = NOT ${on} AND NOT x.touched AND r.state = 'Ready'
        AND (r.health @> '{"classifications": ["PreventAllocations"]}') IS NOT TRUE AND NOT EXISTS (SELECT 1 FROM instance i WHERE i.host_id = r.host_id AND i.ended_at IS NULL)
    FROM (SELECT h.id, h.hardware_type <> 'fake' AND (${to.kind !== "endUntouched"} OR u.touch_uncovered) AS touched
      FROM host h JOIN host_run u ON u.host_id = h.id WHERE h.id = ANY(${[...hostIds]}::uuid[])) x
    WHERE r.host_id = x.id`,
  );
}

/** Wakes the controller, updates open pages, and returns what changed. Needs no signal: the handler reads maintenance from the row. */
export async function tellMaintenance(
  tx: Transaction,
  { hostId, reason, maintenance }: Maintained,
  after: AuditFacts,
): Promise<Outcome<Acted<{ accepted: true }>>> {
  await tellWithin(tx, { wake: true, feed: [{ hostId, tenantId: null, what: "maintenance" }] });
  return acted({
    value: { accepted: true },
    targetId: hostId,
    tenantId: null,
    before: { maintenance, reason },
    after,
  });
}

/**
 * Earlier readings of these machines no longer count: a host that is Ready, or about to be, is read again before it is allocated, as after maintenance
 * (docs/adr/0028-recheck-after-maintenance.md). Does not apply to a host that a tenant has, or that has no machine. `why` is shown on the host's page.
 */
export async function touchUnallocated(
  tx: SqlReader,
  hostIds: readonly string[],
  why: string,
): Promise<void> {
  await execute(
    tx,
    sql`
    UPDATE host_run r SET touched = true, touched_reason = ${why},
      touch_uncovered = true, -- safety: recheck: no statement covers a withdrawn disposition → touch_uncovered = r.touch_uncovered,
      allocatable = false, evidence_seq = evidence_seq + 1,
      due_at = least(coalesce(due_at, 'infinity'), now()), wake_seq = wake_seq + 1
    FROM host h
    WHERE h.id = r.host_id AND r.host_id = ANY(${[...hostIds]}::uuid[]) AND h.hardware_type <> 'fake'
      AND (r.state = 'Ready' OR r.state LIKE 'ReturnToAllocation/%')
      AND NOT EXISTS (SELECT 1 FROM instance i WHERE i.host_id = r.host_id AND i.ended_at IS NULL)`,
  );
}
