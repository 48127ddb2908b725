// Judges the measurements of a site again after one of its bundles changed: every host that relies on it, at once (docs/adr/0150-measured-boot.md).
import { sql } from "kysely";
import { judgedBy } from "@/server/db/measurement-judged";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { touchUnallocated } from "@/server/usecases/hosts/maintenance/maintenance";

interface JudgedRow {
  readonly id: string;
  readonly failed: boolean;
  /** Of a site that requires attestation. */
  readonly held: boolean;
  readonly ready: boolean;
}

/** Wakes the hosts whose judgement changed. A host in `Ready` whose boot fails leaves allocation, and `why` is shown on its page. */
export async function judgeAgain(
  tx: SqlReader,
  siteId: string,
  why: string,
): Promise<{ readonly failed: number; readonly leftReady: number }> {
  const changed = await queryRows(
    tx,
    sql<JudgedRow>`
    WITH judged AS (
      SELECT m.host_id, j.id, j.state FROM host_measurement m JOIN host h ON h.id = m.host_id
        CROSS JOIN LATERAL ${sql.raw(judgedBy("h", "m.pcrs"))} j
      WHERE h.site_id = ${siteId}::uuid AND m.measured_at IS NOT NULL AND (m.state, m.bundle_id) IS DISTINCT FROM (j.state, j.id)),
    put AS (
      UPDATE host_measurement m SET state = j.state, bundle_id = j.id, judged_at = now() FROM judged j WHERE m.host_id = j.host_id
      RETURNING m.host_id, m.state),
    woken AS (
      UPDATE host_run r SET evidence_seq = r.evidence_seq + 1, wake_seq = r.wake_seq + 1, due_at = least(coalesce(r.due_at, 'infinity'), now())
      FROM (SELECT host_id FROM put ORDER BY host_id) l WHERE r.host_id = l.host_id
      RETURNING r.host_id, r.state)
    SELECT p.host_id::text AS id, p.state = 'MeasuringFailed' AS failed,
      p.state = 'MeasuringFailed' AND y.body ->> 'attestation' = 'required' AS held, w.state = 'Ready' AS ready
    FROM put p JOIN woken w ON w.host_id = p.host_id JOIN site s ON s.id = ${siteId}::uuid
      JOIN site_policy y ON y.site_id = s.id AND y.version = s.policy_version`,
  );
  const held = changed.filter((row) => row.held);
  // Of these, the ones that are in Ready or about to be.
  const ids = held.map(({ id }) => id);
  // safety: attestation: a Ready host whose boot is not trusted any more leaves allocation
  await touchUnallocated(tx, ids, why);
  return {
    failed: changed.filter((row) => row.failed).length,
    leftReady: held.filter((row) => row.ready).length,
  };
}

/** Hosts in `Ready` whose boot is known to be wrong leave allocation: from now on their site requires attestation. */
export async function holdFailed(tx: SqlReader, siteId: string): Promise<void> {
  const failed = await queryRows(
    tx,
    sql<{ id: string }>`
    SELECT m.host_id::text AS id FROM host_measurement m JOIN host h ON h.id = m.host_id
    WHERE h.site_id = ${siteId}::uuid AND m.state = 'MeasuringFailed' ORDER BY m.host_id`,
  );
  await touchUnallocated(
    tx,
    failed.map(({ id }) => id),
    "attestation is required now, and its last boot is not trusted",
  );
}
