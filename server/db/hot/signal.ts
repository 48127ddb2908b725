// Stores signals and wakes their hosts: one statement, whoever sends them (design: datapath.md, Signal).
import { named } from "./pool";
import type { HotDatabase } from "./pool";
import type { Signal } from "@/server/domain/lifecycle/signals";

const statement = named<{ host_id: string }, [string]>("signal_hosts", `
  WITH input AS (
    SELECT host_id, kind, payload FROM jsonb_to_recordset($1::jsonb) AS x(host_id uuid, kind text, payload jsonb)
  ), stored AS (
    INSERT INTO signal (host_id, kind, payload) SELECT host_id, kind, payload FROM input
  )
  UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
  FROM (SELECT DISTINCT host_id FROM input) i WHERE r.host_id = i.host_id
  RETURNING r.host_id`);

export type HostSignal = { readonly hostId: string } & Signal;

/** The channel of the empty notification that only says: look. */
export const wakeChannel = "reclaim_wake";

/**
 * Writes the signals and makes their hosts due, in one statement. Returns how many hosts were woken; a signal for a host
 * that does not exist is an error of the caller and throws nothing here. Follow it with `notifyWake` after the commit.
 */
export async function signalHosts(database: HotDatabase, signals: readonly HostSignal[]): Promise<number> {
  if (signals.length === 0) return 0;
  const rows = await statement(database, JSON.stringify(signals.map(({ hostId, kind, payload }) => ({ host_id: hostId, kind, payload }))));
  return rows.length;
}

const notify = named<Record<string, never>, []>("notify_wake", `SELECT pg_notify('${wakeChannel}', '')::text`);

/** Tells every controller to look. At most one per process and 50 ms is the caller's duty. */
export async function notifyWake(database: HotDatabase): Promise<void> {
  await notify(database);
}

/** The channel of the live feed; also an empty notification. */
export const feedChannel = "reclaim_feed";

const tellFeed = named<Record<string, never>, []>("notify_feed", `SELECT pg_notify('${feedChannel}', '')`);

/** Tells every process with open streams that there are new feed rows. */
export async function notifyFeed(database: HotDatabase): Promise<void> {
  await tellFeed(database);
}
