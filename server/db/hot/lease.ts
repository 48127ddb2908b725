// Leases of controllers: who is alive, what a dead one held, what ran out (design: datapath.md, Sweep).
import { jsonText } from "./json-text";
import { named } from "./pool";
import type { HotDatabase } from "./pool";

const register = named<{ lock_key: bigint }, [string, string, number]>("controller_register", `
  INSERT INTO controller (id, name, pid) VALUES ($1::uuid, $2, $3)
  ON CONFLICT (id) DO UPDATE SET lock_key = DEFAULT, started_at = now() RETURNING lock_key`);
/** Two keys make one lock: ours is the first, so that no other use of advisory locks meets it. */
const lockClass = 7_237_142;
const hold = named<{ held: boolean }, [number, string]>("controller_hold", "SELECT pg_try_advisory_lock($1::int, $2::int) AS held");

/**
 * Announces a controller and takes its lock on this session: PostgreSQL drops it with the connection, however the process ends.
 * One that announces itself again gets another lock, because PostgreSQL may not have noticed the end of its last session yet.
 * `session` must be one client that is kept for as long as the controller works.
 */
export async function announceController(session: HotDatabase, controller: { readonly id: string; readonly name: string; readonly pid: number }): Promise<void> {
  const key = (await register(session, controller.id, controller.name, controller.pid))[0]?.lock_key;
  if (key === undefined) throw new Error("the controller could not be announced");
  const held = (await hold(session, lockClass, key.toString()))[0]?.held;
  if (held !== true) throw new Error(`the lock of controller ${controller.id} is held by another session`);
}

/** Whether the session of a controller, a row of `controller` under this alias, still holds its lock. */
export const aliveController = (alias: string): string => `EXISTS (
      SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${lockClass} AND l.objid = ${alias}.lock_key::int::oid AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const takeOver = named<{ host_id: string }, []>("lease_take_over", `
  WITH dead AS (
    SELECT c.id FROM controller c WHERE NOT ${aliveController("c")}
  ), freed AS (
    UPDATE host_run r SET lease_owner = NULL, lease_until = NULL, due_at = now() FROM dead WHERE r.lease_owner = dead.id RETURNING r.host_id
  ), buried AS (
    DELETE FROM controller c USING dead WHERE c.id = dead.id AND c.started_at < now() - interval '10 seconds'
  )
  SELECT host_id FROM freed`);

/** Frees what dead controllers held: their locks went with their connections. Returns the hosts that are due now. */
export async function takeOverDead(database: HotDatabase): Promise<number> {
  return (await takeOver(database)).length;
}

const sweep = named<{ host_id: string }, []>("lease_sweep", `
  UPDATE host_run r SET lease_owner = NULL, lease_until = NULL, due_at = now() WHERE r.lease_owner IS NOT NULL AND r.lease_until < now()
  RETURNING r.host_id`);

/** Frees leases that ran out, and with them hosts whose wake-up was lost. */
export async function sweepLeases(database: HotDatabase): Promise<number> {
  return (await sweep(database)).length;
}

const lostWakes = named<{ host_id: string }, []>("signal_sweep", `
  UPDATE host_run r SET due_at = now() WHERE r.lease_owner IS NULL AND (r.due_at IS NULL OR r.due_at > now())
    AND EXISTS (SELECT 1 FROM signal g WHERE g.host_id = r.host_id AND g.at < now() - interval '5 seconds')
  RETURNING r.host_id`);

/** Wakes hosts with unread signals that nothing made due. */
export async function sweepSignals(database: HotDatabase): Promise<number> {
  return (await lostWakes(database)).length;
}

const release = named<{ host_id: string }, [string, string]>("lease_release", `
  UPDATE host_run r SET lease_owner = NULL, lease_until = NULL, due_at = now() + i.after_ms * interval '1 millisecond', last_error = coalesce(i.message, r.last_error)
  FROM (SELECT * FROM jsonb_to_recordset($2::jsonb) AS q(host_id uuid, generation text, after_ms float8, message text) ORDER BY host_id) i
  WHERE r.host_id = i.host_id AND r.generation = i.generation::bigint AND r.lease_owner = $1::uuid
  RETURNING r.host_id`);

export interface LeaseRelease {
  readonly hostId: string;
  readonly generation: string;
  readonly afterMs: number;
  readonly message: string | null;
}

/** Gives leases back without a decision; the hosts are due again after `afterMs`. */
export async function releaseLeases(database: HotDatabase, controllerId: string, leases: readonly LeaseRelease[]): Promise<void> {
  if (leases.length === 0) return;
  await release(database, controllerId, jsonText(leases.map((lease) => ({ host_id: lease.hostId, generation: lease.generation, after_ms: lease.afterMs, message: lease.message }))));
}

const releaseMine = named<{ host_id: string }, [string]>("lease_release_mine", `
  UPDATE host_run r SET lease_owner = NULL, lease_until = NULL, due_at = now() WHERE r.lease_owner = $1::uuid RETURNING r.host_id`);

/** Hands all hosts over at once, for a graceful stop. */
export async function releaseAll(database: HotDatabase, controllerId: string): Promise<number> {
  return (await releaseMine(database, controllerId)).length;
}
