// What the self-audit reads about hosts, tenants and reclamations: pages by key, each in a statement of its own (docs/adr/0111-the-self-audit-replays-states.md).
import type { LogDatabase } from "@/server/db/audit-log/keys";
import { readHistories } from "@/server/db/reclamations/history-digests";
import type { EndedReclamation } from "@/server/domain/audit-log/self-audit/histories";
import type { ReclamationFacts } from "@/server/domain/audit-log/self-audit/proven";
import { restsOnReclamation, tenantStates } from "@/server/domain/audit-log/self-audit/replay";
import type { TransitionRow } from "@/server/domain/audit-log/self-audit/replay";
import type { NextInstance, ReadyHost } from "@/server/domain/audit-log/self-audit/tenancies";

/** Rows per statement. Histories are documents of some tens of kilobytes each. */
const pageRows = 2_000;
const pageHistories = 64;

/** Whatever should follow the end of a reclamation within seconds counts as missing after this time. */
const patience = "interval '10 minutes'";

const noUuid = "00000000-0000-0000-0000-000000000000";
const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;
const isoUtc = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ')`;

/** Since when the database has digests and certificates of reclamations that end. One that does not say so has always had them. */
export async function readSince(database: LogDatabase): Promise<Date> {
  const { rows } = await database.query<{ at: Date | null }>(
    "SELECT min(finished_at) AS at FROM _prisma_migrations",
  );
  return rows[0]?.at ?? new Date(0);
}

export interface Totals {
  readonly transitions: number;
  readonly tenancies: number;
  readonly reclamations: number;
}

/** For the progress of the check. */
export async function readTotals(database: LogDatabase): Promise<Totals> {
  const { rows } = await database.query<Totals>(
    `SELECT (SELECT count(*)::int FROM state_history) AS transitions,
       ((SELECT count(*) FROM host_run) + (SELECT count(*) FROM instance))::int AS tenancies,
       (SELECT count(*)::int FROM reclamation WHERE ended_at IS NOT NULL) AS reclamations`,
  );
  return rows[0] ?? { transitions: 0, tenancies: 0, reclamations: 0 };
}

/** A fact about the host, or about the record of a gone host. */
const ofHost = (live: string, gone: string): string =>
  `coalesce((SELECT ${live} FROM host h JOIN site s ON s.id = h.site_id WHERE h.id = c.host_id),
     (SELECT ${gone} FROM gone_host g LEFT JOIN site s ON s.name = g.site WHERE g.host_id = c.host_id ORDER BY g.gone_at DESC LIMIT 1), false)`;

const reclamationFacts = `
  (SELECT json_build_object('id', c.id, 'hostId', c.host_id, 'kind', c.kind, 'endedAtMs', ${ms("c.ended_at")}, 'outcome', c.outcome,
     'gates', coalesce((SELECT json_agg(json_build_array(a.gate, a.status) ORDER BY a.gate) FROM gate a WHERE a.reclamation_id = c.id), '[]'),
     'certificate', (SELECT k.type FROM certificate k WHERE k.reclamation_id = c.id AND k.kind = 'certificate'),
     'certificateDue', coalesce(c.ended_at >= $4::timestamptz AND c.ended_at < now() - ${patience}, false),
     'loggedDemo', coalesce((SELECT e.after->>'type' = 'demo' FROM audit_event e WHERE e.target_id = c.id::text AND e.action = 'certificate.issue'
       AND e.outcome = 'done' AND e.after->>'kind' = 'certificate' ORDER BY e.at, e.id LIMIT 1), false),
     'demo', ${ofHost("s.demo", "s.demo")},
     'fake', ${ofHost("h.hardware_type = 'fake'", "g.hardware_type = 'fake'")})
   FROM reclamation c WHERE c.id = t.reclamation_id)`;

const transitions = `
  SELECT t.host_id::text AS "hostId", t.version::float8 AS version, t.state, ${ms("t.at")} AS "atMs", t.generation::float8 AS generation,
    t.reclamation_id::text AS "reclamationId", r.state AS "nowState", r.state_version::float8 AS "nowVersion",
    CASE WHEN t.state = ANY($5::text[]) THEN ${reclamationFacts} END AS reclamation
  FROM state_history t LEFT JOIN host_run r ON r.host_id = t.host_id
  WHERE (t.host_id, t.version) > ($1::uuid, $2::bigint) ORDER BY t.host_id, t.version LIMIT $3`;

interface StoredTransition extends Omit<TransitionRow, "now" | "reclamation"> {
  readonly nowState: string | null;
  readonly nowVersion: number | null;
  readonly reclamation: ReclamationFacts | null;
}

/** By host, and by version within a host. */
export async function* transitionPages(
  database: LogDatabase,
  since: Date,
): AsyncGenerator<readonly TransitionRow[]> {
  for (let [hostId, version] = [noUuid, 0]; ;) {
    const { rows } = await database.query<StoredTransition>(transitions, [
      hostId,
      version,
      pageRows,
      since,
      restsOnReclamation,
    ]);
    yield rows.map(({ nowState, nowVersion, ...row }) => ({
      ...row,
      now: nowState === null || nowVersion === null ? null : { state: nowState, version: nowVersion },
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    ({ hostId, version } = last);
  }
}

export interface HostNow extends ReadyHost {
  readonly state: string;
  readonly hasHistory: boolean;
}

/** For a Ready host: a release starts its reclamation while the instance is open, and `Ready` comes after both have ended. */
const lastInstance = `
  (SELECT json_build_object('id', i.id, 'cleaned', EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = i.host_id AND c.outcome = 'ready'
     AND c.kind NOT IN ('recheck', 'manualCleaning') AND c.started_at >= i.created_at AND c.ended_at >= i.ended_at))
   FROM (SELECT * FROM (SELECT q.id, q.host_id, q.created_at, q.ended_at FROM instance q WHERE q.host_id = r.host_id
     ORDER BY q.created_at DESC, q.id DESC LIMIT 1) newest WHERE ended_at IS NOT NULL) i)`;

const hosts = `
  SELECT r.host_id::text AS "hostId", r.state, ${ms("r.state_since")} AS "sinceMs", r.instance_id::text AS "instanceId", r.tenant_id::text AS "tenantId",
    (SELECT json_build_object('id', i.id, 'createdAtMs', ${ms("i.created_at")}) FROM instance i WHERE i.host_id = r.host_id AND i.ended_at IS NULL
     ORDER BY i.created_at LIMIT 1) AS open,
    ${ms("now()")} AS "nowMs", coalesce(r.lease_until > now(), false) AS leased, CASE WHEN r.state = 'Ready' THEN ${lastInstance} END AS last,
    EXISTS (SELECT 1 FROM state_history t WHERE t.host_id = r.host_id) AS "hasHistory"
  FROM host_run r WHERE r.host_id > $1::uuid ORDER BY r.host_id LIMIT $2`;

export async function* hostPages(database: LogDatabase): AsyncGenerator<readonly HostNow[]> {
  for (let after = noUuid; ;) {
    const { rows } = await database.query<HostNow>(hosts, [after, pageRows]);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.hostId;
  }
}

const instances = `
  SELECT i.host_id::text AS "hostId", i.id::text AS id, ${ms("i.created_at")} AS "createdAtMs", ${ms("i.ended_at")} AS "endedAtMs",
    ${isoUtc("i.created_at")} AS "createdAt", r.state,
    i.ready_at IS NOT NULL OR EXISTS (SELECT 1 FROM state_history t WHERE t.host_id = i.host_id AND t.state = ANY($5::text[])
      AND t.at >= i.created_at AND t.at <= coalesce(i.ended_at, 'infinity')) AS handed,
    CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'createdAtMs', ${ms("p.created_at")}, 'endedAtMs', ${ms("p.ended_at")}) END AS before,
    CASE WHEN p.id IS NULL THEN '[]'::json ELSE coalesce((SELECT json_agg(json_build_object('kind', c.kind, 'outcome', c.outcome, 'endedAtMs', ${ms("c.ended_at")}))
      FROM reclamation c WHERE c.host_id = i.host_id AND c.started_at >= p.created_at AND c.started_at <= i.created_at + interval '1 minute'), '[]') END AS reclamations
  FROM instance i LEFT JOIN host_run r ON r.host_id = i.host_id
    LEFT JOIN LATERAL (SELECT q.id, q.created_at, q.ended_at FROM instance q WHERE q.host_id = i.host_id AND (q.created_at, q.id) < (i.created_at, i.id)
      ORDER BY q.created_at DESC, q.id DESC LIMIT 1) p ON true
  WHERE i.host_id >= $1::uuid AND (i.host_id, i.created_at, i.id) > ($1::uuid, $2::timestamptz, $3::uuid)
  ORDER BY i.host_id, i.created_at, i.id LIMIT $4`;

export async function* instancePages(database: LogDatabase): AsyncGenerator<readonly NextInstance[]> {
  for (let [hostId, createdAt, id] = [noUuid, "-infinity", noUuid]; ;) {
    const { rows } = await database.query<NextInstance & { createdAt: string }>(instances, [
      hostId,
      createdAt,
      id,
      pageRows,
      [...tenantStates],
    ]);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    ({ hostId, createdAt, id } = last);
  }
}

/** The first end event by sequence number counts; events without a number come last. */
const ended = `
  SELECT c.number::text AS number, c.id::text AS id, c.host_id::text AS "hostId", c.ended_at < now() - ${patience} AS due,
    c.ended_at < $2::timestamptz AS "beforeDigests", (SELECT d.trouble FROM history_digest_due d WHERE d.reclamation_id = c.id) AS trouble,
    coalesce((SELECT json_agg(e.after ORDER BY l.seq NULLS LAST, e.at, e.id) FROM audit_event e LEFT JOIN audit_leaf l ON l.event_id = e.id
      WHERE e.target_id = c.id::text AND e.action = 'reclamation.end' AND e.outcome = 'done'), '[]') AS logged
  FROM reclamation c WHERE c.ended_at IS NOT NULL AND c.number > $1::bigint ORDER BY c.number LIMIT $3`;

export interface EndedRow extends EndedReclamation {
  readonly number: string;
  readonly beforeDigests: boolean;
}

export async function* endedPages(database: LogDatabase, since: Date): AsyncGenerator<readonly EndedRow[]> {
  for (let after = "0"; ;) {
    const { rows } = await database.query<Omit<EndedRow, "history">>(ended, [after, since, pageHistories]);
    const histories = await readHistories(
      database,
      rows.map(({ id }) => id),
    );
    yield rows.map((row) => ({ ...row, history: histories.get(row.id) }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageHistories) return;
    after = last.number;
  }
}

/** Anybody who may write an event may give it any target. A target that is not an id names no reclamation. */
const logged = `
  SELECT DISTINCT ON (e.target_id) e.target_id AS id, c.id IS NOT NULL AS known FROM audit_event e
    LEFT JOIN reclamation c ON c.ended_at IS NOT NULL AND c.id = CASE WHEN e.target_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN e.target_id::uuid END
  WHERE e.action = 'reclamation.end' AND e.outcome = 'done' AND e.target_id > $1 ORDER BY e.target_id LIMIT $2`;

/** Ids of reclamations that have ended according to the log, and whether the database agrees. */
export async function* loggedEndPages(
  database: LogDatabase,
): AsyncGenerator<readonly { readonly id: string; readonly known: boolean }[]> {
  for (let after = ""; ;) {
    const { rows } = await database.query<{ id: string; known: boolean }>(logged, [after, pageRows]);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.id;
  }
}

/** Names of hosts, including gone ones. */
export async function readHostNames(
  database: LogDatabase,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ id: string; name: string }>(
    `SELECT id::text AS id, name FROM host WHERE id = ANY($1::uuid[])
     UNION ALL SELECT host_id::text, name FROM gone_host WHERE host_id = ANY($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
