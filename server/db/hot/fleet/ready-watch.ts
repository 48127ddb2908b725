// Which Ready hosts to compare with what was proven of them, and what was found (docs/adr/0121-ready-lasts.md).
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { watchedHost } from "@/server/domain/hosts/ready-watch/baseline";
import type { WatchedHost } from "@/server/domain/hosts/ready-watch/baseline";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";
import { aliveController } from "@/server/db/hot/fleet/lease";
import { readyWatch } from "@/server/db/hot/host/watch-query";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import { wakeChannel } from "@/server/db/hot/signal";

/** Waits for a tenant, and nobody works on it. A claimed host is compared at its hand-over. */
const waits = `r.state = 'Ready' AND NOT r.touched AND NOT r.maintenance AND r.reclamation_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM instance n WHERE n.host_id = r.host_id AND n.ended_at IS NULL)`;

const toWatch = named<{ host_id: string }, [string]>(
  "ready_watch_hosts",
  `
  SELECT r.host_id::text FROM host_run r JOIN host h ON h.id = r.host_id LEFT JOIN ready_watch w ON w.host_id = r.host_id AND w.reclamation_id = r.reclamation_id
  WHERE ${waits} AND h.hardware_type <> '${fakeHardwareType}'
    AND $1::uuid = (SELECT c.id FROM controller c WHERE ${aliveController("c")} ORDER BY c.lock_key LIMIT 1)
  ORDER BY w.read_at NULLS FIRST`,
);

/** Hosts that wait in Ready, the longest unread first. Empty unless this controller was announced first of those alive. */
export async function hostsToWatch(database: HotDatabase, controllerId: string): Promise<readonly string[]> {
  return (await toWatch(database, controllerId)).map(({ host_id: id }) => id);
}

const known = named<{ host_id: string; reclamation_id: string; watch: unknown }, [readonly string[]]>(
  "ready_watch_known",
  `SELECT r.host_id::text, r.reclamation_id::text, ${readyWatch} AS watch FROM host_run r
  WHERE r.host_id = ANY($1::uuid[]) AND ${waits}`,
);

/** A host as it waits now, with the reclamation that made it Ready. */
export interface WatchedRow extends WatchedHost {
  readonly hostId: string;
  readonly reclamationId: string;
}

/** Those of the hosts that still wait. */
export async function watchedHosts(
  database: HotDatabase,
  hostIds: readonly string[],
): Promise<readonly WatchedRow[]> {
  return (await known(database, hostIds)).map(
    ({ host_id: hostId, reclamation_id: reclamationId, watch }) => ({
      hostId,
      reclamationId,
      ...watchedHost.parse(watch),
    }),
  );
}

const store = named<{ host_id: string }, [string]>(
  "ready_watch_store",
  `
  INSERT INTO ready_watch AS w (host_id, reclamation_id, reading, read_at, failing_since, failure)
  SELECT i.host_id, i.reclamation_id, i.reading, CASE WHEN i.failure IS NULL THEN now() END, CASE WHEN i.failure IS NOT NULL THEN now() END, i.failure
  FROM jsonb_to_recordset($1::jsonb) AS i(host_id uuid, reclamation_id uuid, reading jsonb, failure text)
    JOIN host_run r ON r.host_id = i.host_id AND r.reclamation_id = i.reclamation_id AND r.state = 'Ready'
  ON CONFLICT (host_id) DO UPDATE SET reclamation_id = excluded.reclamation_id, failure = excluded.failure,
    since = CASE WHEN w.reclamation_id = excluded.reclamation_id THEN w.since ELSE now() END,
    reading = CASE WHEN excluded.failure IS NULL OR w.reclamation_id <> excluded.reclamation_id THEN excluded.reading ELSE w.reading END,
    read_at = CASE WHEN excluded.failure IS NULL OR w.reclamation_id <> excluded.reclamation_id THEN excluded.read_at ELSE w.read_at END,
    failing_since = CASE WHEN excluded.failure IS NOT NULL AND w.reclamation_id = excluded.reclamation_id THEN coalesce(w.failing_since, now()) ELSE excluded.failing_since END
  RETURNING w.host_id::text`,
);

/** What a reading brought: `failure` if there was none. */
export interface WatchResult {
  readonly hostId: string;
  readonly reclamationId: string;
  readonly reading: ReadyReading | null;
  readonly failure: string | null;
}

export async function storeWatched(database: HotDatabase, found: readonly WatchResult[]): Promise<void> {
  const rows = found.map(({ hostId, reclamationId, reading, failure }) => ({
    host_id: hostId,
    reclamation_id: reclamationId,
    reading,
    failure,
  }));
  await store(database, JSON.stringify(rows));
}

/** Takes a host out of allocation at once and wakes its controller, which begins the recheck. Needs `input(host_id, reclamation_id, why)`. */
const doubt = `
  UPDATE host_run r SET touched = true, touched_reason = i.why, touch_uncovered = true, allocatable = false,
    evidence_seq = r.evidence_seq + 1, due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
  FROM (SELECT * FROM input ORDER BY host_id) i
  WHERE r.host_id = i.host_id AND r.reclamation_id = i.reclamation_id AND ${waits}`;

const doubted = named<{ host_id: string }, [string]>(
  "ready_watch_doubt",
  `
  WITH input AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS x(host_id uuid, reclamation_id uuid, why text)),
  marked AS (${doubt} RETURNING r.host_id)
  SELECT m.host_id::text, pg_notify('${wakeChannel}', '')::text AS told FROM marked m`,
);

/** The proof of these hosts is in doubt. Returns those that still waited. */
export async function doubtReady(
  database: HotDatabase,
  hosts: readonly { readonly hostId: string; readonly reclamationId: string; readonly why: string }[],
): Promise<readonly string[]> {
  if (hosts.length === 0) return [];
  const rows = hosts.map(({ hostId, reclamationId, why }) => ({
    host_id: hostId,
    reclamation_id: reclamationId,
    why,
  }));
  return (await doubted(database, JSON.stringify(rows))).map(({ host_id: id }) => id);
}
