// A host's health reports in the database: reading them, and writing them with the health that they add up to (docs/adr/0092-health.md).
import { sql } from "kysely";
import { jsonText } from "@/server/db/hot/json-text";
import { execute, queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { ActingHealth } from "@/server/domain/repair/health/acting";
import { silentAtMs } from "@/server/domain/repair/health/change-report";
import type { KeptReport } from "@/server/domain/repair/health/change-report";
import type { FoldedHealth } from "@/server/domain/repair/health/fold";
import { reportModes, storedBody } from "@/server/domain/repair/health/report";
import type { ReportMode } from "@/server/domain/repair/health/report";

interface ReportRow {
  readonly source: string;
  readonly mode: string;
  readonly observed_at: Date;
  readonly received_at: Date;
  readonly body: unknown;
  readonly reported_by: string;
  readonly heartbeat_seconds: number | null;
  readonly silent_since: Date | null;
}

const modeOf = (mode: string): ReportMode => reportModes.find((known) => known === mode) ?? "merge";

const toReport = (row: ReportRow): KeptReport => ({
  source: row.source,
  mode: modeOf(row.mode),
  ...storedBody.parse(row.body),
  observedAtMs: row.observed_at.getTime(),
  receivedAtMs: row.received_at.getTime(),
  silentSinceMs: row.silent_since?.getTime() ?? null,
  reportedBy: row.reported_by,
  heartbeatSeconds: row.heartbeat_seconds,
});

export async function readReports(reader: SqlReader, hostId: string): Promise<readonly KeptReport[]> {
  const rows = await queryRows(
    reader,
    sql<ReportRow>`
    SELECT source, mode, observed_at, received_at, body, reported_by, heartbeat_seconds, silent_since
    FROM health_report WHERE host_id = ${hostId}::uuid ORDER BY source, mode`,
  );
  return rows.map(toReport);
}

export interface HealthLock {
  readonly nowMs: number;
  readonly acting: unknown;
  /** Tenant of the open instance on the host. */
  readonly tenantId: string | null;
}

/**
 * Serializes writers of a host's health on this row. The host's own row, which the controller uses, is locked only if something acts. Null if there is
 * no such host.
 */
export async function lockHealth(tx: SqlReader, hostId: string): Promise<HealthLock | null> {
  await execute(
    tx,
    sql`INSERT INTO host_health (host_id) SELECT id FROM host WHERE id = ${hostId}::uuid ON CONFLICT DO NOTHING`,
  );
  await queryRows(tx, sql`SELECT 1 FROM host_health WHERE host_id = ${hostId}::uuid FOR UPDATE`);
  const [row] = await queryRows(
    tx,
    sql<{ now_ms: number; acting: unknown; tenant_id: string | null }>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms, r.health AS acting, i.tenant_id::text
    FROM host_run r LEFT JOIN instance i ON i.host_id = r.host_id AND i.ended_at IS NULL WHERE r.host_id = ${hostId}::uuid`,
  );
  return row === undefined
    ? null
    : { nowMs: Math.floor(row.now_ms), acting: row.acting, tenantId: row.tenant_id };
}

const bodyText = ({ successes, alerts }: KeptReport): string => jsonText({ successes, alerts });

export async function storeReport(tx: SqlReader, hostId: string, report: KeptReport): Promise<void> {
  const { source, mode, observedAtMs, receivedAtMs, silentSinceMs, reportedBy, heartbeatSeconds } = report;
  const silentMs = silentAtMs(report);
  await execute(
    tx,
    sql`
    INSERT INTO health_report (host_id, source, mode, observed_at, received_at, body, reported_by, heartbeat_seconds, silent_at, silent_since)
    VALUES (${hostId}::uuid, ${source}, ${mode}, ${new Date(observedAtMs)}, ${new Date(receivedAtMs)}, ${bodyText(report)}::jsonb, ${reportedBy}, ${heartbeatSeconds}::int,
      ${silentMs === null ? null : new Date(silentMs)}::timestamptz, ${silentSinceMs === null ? null : new Date(silentSinceMs)}::timestamptz)
    ON CONFLICT (host_id, source, mode) DO UPDATE SET observed_at = excluded.observed_at, body = excluded.body, reported_by = excluded.reported_by,
      heartbeat_seconds = excluded.heartbeat_seconds, silent_since = excluded.silent_since,
      received_at = excluded.received_at, silent_at = excluded.silent_at`,
  );
}

/** For an unchanged report: updates only its times, which neither pages nor decisions read. */
export async function renewReport(tx: SqlReader, hostId: string, report: KeptReport): Promise<void> {
  const silentMs = silentAtMs(report);
  await execute(
    tx,
    sql`
    UPDATE health_report SET observed_at = ${new Date(report.observedAtMs)}, received_at = ${new Date(report.receivedAtMs)},
      silent_at = ${silentMs === null ? null : new Date(silentMs)}::timestamptz
    WHERE host_id = ${hostId}::uuid AND source = ${report.source} AND mode = ${report.mode}`,
  );
}

export async function deleteReport(
  tx: SqlReader,
  hostId: string,
  { source, mode }: { readonly source: string; readonly mode: ReportMode },
): Promise<void> {
  await execute(
    tx,
    sql`DELETE FROM health_report WHERE host_id = ${hostId}::uuid AND source = ${source} AND mode = ${mode}`,
  );
}

export interface ChangeLine {
  readonly source: string;
  readonly mode: ReportMode;
  readonly kind: "set" | "removed" | "silent";
  /** Null if removed. */
  readonly body: KeptReport | null;
  readonly by: string;
  readonly reason: string | null;
}

export async function storeChange(
  tx: SqlReader,
  hostId: string,
  { source, mode, kind, body, by, reason }: ChangeLine,
): Promise<void> {
  await execute(
    tx,
    sql`
    INSERT INTO health_change (host_id, source, mode, kind, body, by, reason)
    VALUES (${hostId}::uuid, ${source}, ${mode}, ${kind}, ${body === null ? null : bodyText(body)}::jsonb, ${by}, ${reason})`,
  );
}

export async function storeFolded(
  tx: SqlReader,
  hostId: string,
  { level, alerts, firstAlert, alertIds, classifications, replacedBy, paged, shown }: FoldedHealth,
): Promise<void> {
  await execute(
    tx,
    sql`
    UPDATE host_health SET level = ${level}, alerts = ${alerts}, first_alert = ${firstAlert}, alert_ids = ${[...alertIds]}::text[],
      classifications = ${[...classifications]}::text[], replaced_by = ${replacedBy}, paged = ${paged},
      shown = ${jsonText({ successes: shown.successes, alerts: shown.alerts })}::jsonb,
      observed_at = ${shown.observedAtMs === null ? null : new Date(shown.observedAtMs)}::timestamptz, updated_at = clock_timestamp()
    WHERE host_id = ${hostId}::uuid`,
  );
}

/** For when all reports are unchanged. */
export async function renewFolded(tx: SqlReader, hostId: string, { shown }: FoldedHealth): Promise<void> {
  await execute(
    tx,
    sql`
    UPDATE host_health SET observed_at = ${shown.observedAtMs === null ? null : new Date(shown.observedAtMs)}::timestamptz
    WHERE host_id = ${hostId}::uuid`,
  );
}

/**
 * Stores the acting alerts in the host's run. An alert that prevents allocation takes the host out of it in this statement; when the last one ends, the host
 * returns only if nothing else keeps it out. Its row is locked first, so that a claim comes before or after, never between.
 * `wake`: a decision may now be different.
 */
export async function storeActing(
  tx: SqlReader,
  hostId: string,
  acting: ActingHealth | null,
  {
    wake,
    prevented,
    prevents,
  }: { readonly wake: boolean; readonly prevented: boolean; readonly prevents: boolean },
): Promise<void> {
  await queryRows(tx, sql`SELECT 1 FROM host_run WHERE host_id = ${hostId}::uuid FOR UPDATE`);
  await execute(
    tx,
    sql`
    UPDATE host_run r SET health = ${acting === null ? null : jsonText(acting)}::jsonb,
      evidence_seq = r.evidence_seq + ${wake ? 1 : 0}::int, wake_seq = r.wake_seq + ${wake ? 1 : 0}::int,
      due_at = CASE WHEN ${wake} THEN least(coalesce(r.due_at, 'infinity'), now()) ELSE r.due_at END,
      limit_at = CASE WHEN ${acting?.classifications.includes("ExcludeFromStateMachineSla") ?? false} THEN NULL ELSE r.limit_at END,
      allocatable = NOT ${prevents} AND (r.allocatable OR ${prevented} AND r.state = 'Ready'
        AND NOT r.maintenance -- safety: health: the end of an alert ends no maintenance → AND true
        AND NOT r.touched
        AND NOT EXISTS (SELECT 1 FROM instance i WHERE i.host_id = r.host_id AND i.ended_at IS NULL) -- safety: health: a claimed host is not let in → AND true
        AND NOT EXISTS (SELECT 1 FROM signal g WHERE g.host_id = r.host_id AND g.kind = 'databaseRestored')) -- safety: health: a host of a restored database is not let in → )
    WHERE r.host_id = ${hostId}::uuid`,
  );
}
