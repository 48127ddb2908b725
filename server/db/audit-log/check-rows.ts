// The self-audit that is requested or in progress, and the events of completed ones, with their acknowledgements.
import { sql } from "kysely";
import type { PoolClient } from "pg";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import {
  acknowledgeAction,
  acknowledgement,
  openFaults,
} from "@/server/domain/audit-log/self-audit/open-faults";
import type { Acknowledgement, OpenFaults } from "@/server/domain/audit-log/self-audit/open-faults";
import {
  auditLogTarget,
  checkStages,
  selfAuditAction,
  selfAuditFacts,
  statesOf,
} from "@/server/domain/audit-log/self-audit/self-audit";
import type { CheckStage, SelfAuditFacts } from "@/server/domain/audit-log/self-audit/self-audit";

/** A check without progress for this long was interrupted. */
const staleAfter = sql.raw("interval '1 minute'");

export interface CheckNow {
  readonly askedAt: Date;
  /** Null: the nightly check. */
  readonly askedBy: string | null;
  /** asked: no controller has started it; brokenOff: it was interrupted, and a controller will start it again. */
  readonly standing: "asked" | "running" | "brokenOff";
  readonly startedAt: Date | null;
  readonly stage: CheckStage | null;
  readonly done: number;
  readonly total: number;
}

/** Null: none is requested or in progress. */
export async function readCheckNow(database: SqlReader): Promise<CheckNow | null> {
  const [row] = await queryRows(
    database,
    sql<
      Omit<CheckNow, "stage"> & { stage: string | null }
    >`SELECT asked_at AS "askedAt", asked_by AS "askedBy", started_at AS "startedAt", stage, done::float8 AS done, total::float8 AS total,
       CASE WHEN started_at IS NULL THEN 'asked' WHEN beat_at < now() - ${staleAfter} THEN 'brokenOff' ELSE 'running' END AS standing
     FROM audit_check`,
  );
  return row === undefined
    ? null
    : { ...row, stage: checkStages.find((stage) => stage === row.stage) ?? null };
}

/** Starts the requested check, or the nightly one. An interrupted check starts over, because its progress is lost. */
export async function beginCheck(client: PoolClient): Promise<{ readonly askedBy: string | null }> {
  const { rows } = await client.query<{ askedBy: string | null }>(
    `INSERT INTO audit_check (started_at, beat_at) VALUES (now(), now())
     ON CONFLICT (one) DO UPDATE SET started_at = now(), beat_at = now(), stage = NULL, done = 0, total = 0 RETURNING asked_by AS "askedBy"`,
  );
  return { askedBy: rows[0]?.askedBy ?? null };
}

export async function noteProgress(
  client: PoolClient,
  { stage, done, total }: { readonly stage: CheckStage; readonly done: number; readonly total: number },
): Promise<void> {
  await client.query("UPDATE audit_check SET stage = $1, done = $2, total = $3, beat_at = now()", [
    stage,
    done,
    total,
  ]);
}

/** Call it in the transaction that writes the event of the check. */
export async function endCheck(client: PoolClient): Promise<void> {
  await client.query("DELETE FROM audit_check");
}

export interface PastCheck extends SelfAuditFacts {
  /** Id of its event. */
  readonly id: string;
  readonly at: Date;
}

/** Completed checks, newest first. @param place time and id of the last one that the caller has; null: from the newest */
export async function readChecks(
  database: SqlReader,
  limit: number,
  place: readonly [Date, string] | null,
): Promise<readonly PastCheck[]> {
  const [at, id] = place ?? [null, null];
  const rows = await queryRows(
    database,
    sql<{ id: string; at: Date; after: unknown }>`
      SELECT id::text AS id, at, after FROM audit_event
      WHERE target_id = ${auditLogTarget} AND action = ${selfAuditAction} AND (${at}::timestamptz IS NULL OR (at, id) < (${at}::timestamptz, ${id}::uuid))
      ORDER BY at DESC, id DESC LIMIT ${limit}`,
  );
  return rows.map(({ id, at, after }) => ({ id, at, ...selfAuditFacts(after) }));
}

/** Oldest first. */
export async function readAcknowledgements(database: SqlReader): Promise<readonly Acknowledgement[]> {
  const rows = await queryRows(
    database,
    sql<{ at: Date; by: string | null; after: unknown }>`
      SELECT at, actor_name AS by, after FROM audit_event
      WHERE target_id = ${auditLogTarget} AND action = ${acknowledgeAction} AND outcome = 'done' ORDER BY at, id`,
  );
  return rows.flatMap(({ at, by, after }) => {
    // An acknowledgement that cannot be read acknowledges nothing.
    const { data } = acknowledgement.safeParse(after);
    return data === undefined ? [] : [{ ...data, at, by }];
  });
}

/**
 * A check by the previous release does not cover the states of hosts. The newest check that does still counts for them.
 */
async function withStates(database: SqlReader, last: PastCheck): Promise<PastCheck> {
  if (last.covered !== null) return last;
  const [row] = await queryRows(
    database,
    sql<{ after: unknown }>`
      SELECT after FROM audit_event WHERE target_id = ${auditLogTarget} AND action = ${selfAuditAction} AND jsonb_typeof(after->'covered') = 'object'
      ORDER BY at DESC, id DESC LIMIT 1`,
  );
  return row === undefined ? last : { ...last, ...statesOf(last, selfAuditFacts(row.after)) };
}

export interface LastCheck extends Omit<PastCheck, "named">, OpenFaults {
  readonly logFaults: number;
}

/** Null: no check yet. */
export async function readLastCheck(database: SqlReader): Promise<LastCheck | null> {
  const [newest] = await readChecks(database, 1, null);
  if (newest === undefined) return null;
  const last = await withStates(database, newest);
  const logFaults = last.kinds.find(({ kind }) => kind === "log")?.count ?? 0;
  return {
    ...last,
    ...openFaults(last, last.faults === 0 ? [] : await readAcknowledgements(database)),
    logFaults,
  };
}

/** When the log began; null: it has no events yet. */
export async function readLogStart(database: SqlReader): Promise<Date | null> {
  const [first] = await queryRows(
    database,
    sql<{ at: Date }>`SELECT e.at FROM audit_leaf l JOIN audit_event e ON e.id = l.event_id WHERE l.seq = 0`,
  );
  return first?.at ?? null;
}
