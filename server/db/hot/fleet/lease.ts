// Leases of controllers: who is alive, what a dead one held, what has expired (docs/design/datapath.md#takeover-and-sweep).
import { jsonText } from "@/server/db/hot/json-text";
import { named, rowsByKey } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

const register = named<{ lock_key: bigint }, [string, string, number]>(
  "controller_register",
  `
  INSERT INTO controller (id, name, pid) VALUES ($1::uuid, $2, $3)
  ON CONFLICT (id) DO UPDATE SET lock_key = DEFAULT, started_at = now() RETURNING lock_key`,
);
/** An advisory lock has two keys. This is our first key, so that it collides with no other use of advisory locks. */
const lockClass = 7_237_142;
const hold = named<{ held: boolean }, [number, string]>(
  "controller_hold",
  "SELECT pg_try_advisory_lock($1::int, $2::int) AS held",
);

/**
 * Announces a controller and takes its lock in this session: PostgreSQL drops it with the connection, however the process ends.
 * A controller that announces itself again gets another lock, because PostgreSQL may not have noticed the end of its last session yet.
 * `session` must be one client that is kept for as long as the controller works.
 */
export async function announceController(
  session: HotDatabase,
  controller: { readonly id: string; readonly name: string; readonly pid: number },
): Promise<void> {
  const key = (await register(session, controller.id, controller.name, controller.pid))[0]?.lock_key;
  if (key === undefined) throw new Error("the controller could not be announced");
  const held = (await hold(session, lockClass, key.toString()))[0]?.held;
  if (held !== true) throw new Error(`the lock of controller ${controller.id} is held by another session`);
}

/** Whether the session of a controller (a row of `controller` under this alias) still holds its lock. */
export const aliveController = (alias: string): string => `EXISTS (
      SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${lockClass} AND l.objid = ${alias}.lock_key::int::oid AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/**
 * When the last request permitted under the lease of a `host_run` row is over; null: none is in progress. Until then nobody else may act on the
 * host, because the request may still take effect.
 */
const inFlightUntil = `(SELECT max(least(e.held_until, r.lease_until)) FROM effect e
    WHERE e.host_id = r.host_id AND e.generation = r.generation AND e.status = 'permitted' AND e.read_at IS NULL)`;

/**
 * Frees leases; one with a request in progress only after that is over. `which`: a condition on `host_run r`. A lease that is already kept for that
 * reason is left alone. Each permit moves the end of its lease, so a host that gets a permit after this statement's snapshot is left for the next run.
 */
const freed = (which: string, from = ""): string => `
    UPDATE host_run r SET
      lease_owner = CASE WHEN f.until > clock_timestamp() THEN r.lease_owner END, -- safety: lease: kept while a request is under way → lease_owner = NULL::uuid,
      lease_until = CASE WHEN f.until > clock_timestamp() THEN f.until END, due_at = now()
    FROM (SELECT r.host_id, r.lease_until, ${inFlightUntil} AS until FROM host_run r${from} WHERE ${which} ORDER BY r.host_id) f
    WHERE r.host_id = f.host_id
      AND r.lease_until = f.lease_until -- safety: lease: not freed by a look that is older than the permit
      AND (f.until IS NULL OR f.until <= clock_timestamp() OR f.until <> f.lease_until OR r.due_at IS NULL OR r.due_at > now())
    RETURNING r.host_id, r.lease_owner`;

const takeOver = named<{ host_id: string }, []>(
  "lease_take_over",
  `
  WITH dead AS (
    SELECT c.id FROM controller c WHERE NOT ${aliveController("c")}
  ), freed AS (${freed("r.lease_owner = dead.id", ", dead")}
  ), buried AS (
    DELETE FROM controller c USING dead WHERE c.id = dead.id AND c.started_at < now() - interval '10 seconds'
  )
  SELECT host_id FROM freed WHERE lease_owner IS NULL`,
);

/** Frees what dead controllers held, except hosts with a request in progress. Their locks went with their connections. Returns how many hosts are due now. */
export async function takeOverDead(database: HotDatabase): Promise<number> {
  return (await takeOver(database)).length;
}

const sweep = named<{ host_id: string }, []>(
  "lease_sweep",
  `
  UPDATE host_run r SET lease_owner = NULL, lease_until = NULL, due_at = now() WHERE r.lease_owner IS NOT NULL AND r.lease_until < now()
  RETURNING r.host_id`,
);

/** Frees expired leases, and with them hosts whose wake-up was lost. */
export async function sweepLeases(database: HotDatabase): Promise<number> {
  return (await sweep(database)).length;
}

const lostWakes = named<{ host_id: string }, []>(
  "signal_sweep",
  `
  UPDATE host_run r SET due_at = now() WHERE r.lease_owner IS NULL AND (r.due_at IS NULL OR r.due_at > now())
    AND EXISTS (SELECT 1 FROM signal g WHERE g.host_id = r.host_id AND g.at < now() - interval '5 seconds')
  RETURNING r.host_id`,
);

/** Wakes hosts with unread signals that are not due. */
export async function sweepSignals(database: HotDatabase): Promise<number> {
  return (await lostWakes(database)).length;
}

const abandoned = named<{ id: string }, []>(
  "effect_sweep",
  `
  UPDATE effect e SET status = 'unknown', settled_at = clock_timestamp() FROM host_run r
  WHERE r.host_id = e.host_id AND e.read_at IS NULL AND e.settled_at IS NULL
    AND e.generation < r.generation -- safety: effects: only one of an earlier claim is settled for it
  RETURNING e.id`,
);

/**
 * Settles effects of ended processes that no handler reads, as `unknown`: a later claim has the host, so their own process can store no outcome any
 * more. Handlers read them as before. Returns how many there were.
 */
export async function settleAbandoned(database: HotDatabase): Promise<number> {
  return (await abandoned(database)).length;
}

const release = named<{ host_id: string }, [string, string]>(
  "lease_release",
  `
  UPDATE host_run r SET lease_owner = NULL, lease_until = NULL, due_at = now() + i.after_ms * interval '1 millisecond', last_error = coalesce(i.message, r.last_error)
  FROM (SELECT * FROM ${rowsByKey("q", "host_id uuid, generation text, after_ms float8, message text", "$2")} ORDER BY host_id) i
  WHERE r.host_id = i.host_id AND r.generation = i.generation::bigint AND r.lease_owner = $1::uuid
  RETURNING r.host_id`,
);

export interface LeaseRelease {
  readonly hostId: string;
  readonly generation: string;
  readonly afterMs: number;
  readonly message: string | null;
}

/** Returns leases without a decision; the hosts are due again after `afterMs`. */
export async function releaseLeases(
  database: HotDatabase,
  controllerId: string,
  leases: readonly LeaseRelease[],
): Promise<void> {
  if (leases.length === 0) return;
  await release(
    database,
    controllerId,
    jsonText(
      leases.map((lease) => ({
        host_id: lease.hostId,
        generation: lease.generation,
        after_ms: lease.afterMs,
        message: lease.message,
      })),
    ),
  );
}

const releaseMine = named<{ lease_owner: string | null }, [string]>(
  "lease_release_mine",
  freed("r.lease_owner = $1::uuid"),
);

/** Hands hosts over at once for a graceful stop, except those with a request in progress. Returns how many are due now. */
export async function releaseAll(database: HotDatabase, controllerId: string): Promise<number> {
  return (await releaseMine(database, controllerId)).filter((row) => row.lease_owner === null).length;
}
