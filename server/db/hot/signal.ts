// Stores signals and wakes their hosts in one statement, whoever sends them (docs/design/datapath.md#signal).
import { auditInsert, auditText } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { byKey, named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import { hotWithin } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Signal } from "@/server/domain/lifecycle/signals";

/** Stores the signals of `input` and makes their hosts due; the last CTE is `woken`. `set`: what else it sets, beginning with a comma. */
export const wokenWith = (set: string): string => `
  stored AS (
    INSERT INTO signal (host_id, kind, payload) SELECT host_id, kind, payload FROM input
  ), woken AS (
    UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1${set}
    FROM (SELECT DISTINCT host_id FROM input ORDER BY host_id ${byKey}) i WHERE r.host_id = i.host_id
    RETURNING r.host_id
  )`;
export const woken = wokenWith("");

/** The same with the signals of `$1`. */
const signalled = `
  input AS (
    SELECT host_id, kind, payload FROM jsonb_to_recordset($1::jsonb) AS x(host_id uuid, kind text, payload jsonb)
  ), ${woken}`;

const statement = named<{ host_id: string }, [string]>(
  "signal_hosts",
  `WITH ${signalled} SELECT host_id FROM woken`,
);

export type HostSignal = { readonly hostId: string } & Signal;

const signalText = (signals: readonly HostSignal[]): string =>
  JSON.stringify(signals.map(({ hostId, kind, payload }) => ({ host_id: hostId, kind, payload })));

/** The channel of an empty notification that only means: look for due hosts. */
export const wakeChannel = "reclaim_wake";

/**
 * Writes the signals and makes their hosts due in one statement. Returns how many hosts were woken. A signal for a host that does not exist is
 * an error of the caller, but does not throw. Call `notifyWake` after the commit.
 */
export async function signalHosts(database: HotDatabase, signals: readonly HostSignal[]): Promise<number> {
  if (signals.length === 0) return 0;
  const rows = await statement(database, signalText(signals));
  return rows.length;
}

const notify = named<Record<string, never>, []>(
  "notify_wake",
  `SELECT pg_notify('${wakeChannel}', '')::text`,
);

/** Tells every controller to look for due hosts. Callers must not send more than one per process every 50 ms. */
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

const tell = named<Record<string, never>, [string, string, readonly string[], string]>(
  "tell_hosts",
  `
  WITH ${signalled}, fed AS (
    INSERT INTO feed (host_id, tenant_id, what) SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(host_id uuid, tenant_id uuid, what text)
  ), audited AS (${auditInsert("$4")})
  SELECT pg_notify(channel, '')::text FROM unnest($3::text[]) AS channel`,
);

export interface FeedRow {
  readonly hostId: string;
  /** The tenant whose people may see it. */
  readonly tenantId: string | null;
  readonly what: string;
}

/** What an act tells the rest of the system, in its own transaction. */
export interface HostChanges {
  /** For the controller: stored, and their hosts made due (docs/design/datapath.md#signal). */
  readonly signals?: readonly HostSignal[];
  /** For the controller, without a signal: the row that its handlers read has changed. */
  readonly wake?: boolean;
  /** For the screens (docs/design/datapath.md#live-updates). */
  readonly feed: readonly FeedRow[];
}

/**
 * Publishes what an act changed and logs it in one statement: signals, feed rows, audit events and empty notifications. The notifications are
 * sent when the transaction commits; they only mean that there is something to read.
 */
export async function tellWithin(
  tx: SqlReader,
  { signals = [], wake = false, feed }: HostChanges,
  events: readonly AuditEvent[] = [],
): Promise<void> {
  await tell(
    hotWithin(tx),
    signalText(signals),
    JSON.stringify(
      feed.map(({ hostId, tenantId, what }) => ({ host_id: hostId, tenant_id: tenantId, what })),
    ),
    [feedChannel, ...(signals.length > 0 || wake ? [wakeChannel] : [])],
    auditText(events),
  );
}
