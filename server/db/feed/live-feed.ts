// The live feed of a process: one poller and one LISTEN, however many streams read from it (docs/design/datapath.md#live-updates).
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import { Client } from "pg";
import { feedChannel } from "@/server/db/hot/signal";
import type { Database } from "@/server/db/prisma";

/** How old a position may be to continue from it. */
export const feedKeptMs = 3_600_000;

/** Rows are kept a little longer than positions are valid, so that a valid position has all of its rows. */
const prunedAfter = "65 minutes";
const pollMs = 250;
const pruneMs = 60_000;
const batch = 5_000;
/** How many missed rows a stream still receives one by one. If it missed more, reading its page again costs less. */
export const maxBacklog = 5_000;

/** A position in the feed: all rows up to it are known. Written `xid.id.seconds`; the seconds are when it was issued. */
export interface FeedPosition {
  readonly xid: bigint;
  readonly id: bigint;
  readonly atMs: number;
}

export interface FeedRow extends FeedPosition {
  readonly hostId: string | null;
  readonly tenantId: string | null;
}

export const formatPosition = ({ xid, id, atMs }: FeedPosition): string =>
  `${xid}.${id}.${Math.floor(atMs / 1000)}`;

/** Null for a text that is not a valid position. */
export function parsePosition(text: string): FeedPosition | null {
  const match = /^(\d{1,19})\.(\d{1,19})\.(\d{1,12})$/.exec(text);
  if (match === null) return null;
  return { xid: BigInt(match[1] ?? ""), id: BigInt(match[2] ?? ""), atMs: Number(match[3]) * 1000 };
}

/** Whether `a` comes after `b`. */
export const isAfter = (a: FeedPosition, b: FeedPosition): boolean =>
  a.xid > b.xid || (a.xid === b.xid && a.id > b.id);

/** The position before everything that is not visible yet. What is read now can be shown as of it. */
async function readPosition(database: Database): Promise<FeedPosition> {
  const [row] = await queryRows(
    database,
    sql<{
      xid: bigint;
      at: Date;
    }>`SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xid, now() AS at`,
  );
  if (row === undefined) throw new Error("the database gave no snapshot");
  return { xid: row.xid, id: 0n, atMs: row.at.getTime() };
}

export const readFeedPosition = async (database: Database): Promise<string> =>
  formatPosition(await readPosition(database));

interface RawFeedRow {
  readonly xid: bigint;
  readonly id: bigint;
  readonly host_id: string | null;
  readonly tenant_id: string | null;
  readonly at: Date;
}

const toRow = ({ xid, id, host_id, tenant_id, at }: RawFeedRow): FeedRow => ({
  xid,
  id,
  hostId: host_id,
  tenantId: tenant_id,
  atMs: at.getTime(),
});

/** At most `batch` rows after a position, in order. No row that is still to come belongs before them. */
async function readAfter(database: Database, after: FeedPosition): Promise<readonly FeedRow[]> {
  const rows = await queryRows(
    database,
    sql<RawFeedRow>`
    SELECT xid, id, host_id::text, tenant_id::text, at FROM feed
    WHERE (xid, id) > (${after.xid}, ${after.id}) AND xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    ORDER BY xid, id LIMIT ${batch}`,
  );
  return rows.map(toRow);
}

/**
 * The rows that a stream missed: for a tenant its own rows, plus the last row of all, from which the stream continues.
 * Null if so many were missed that starting over costs less.
 */
async function readBacklog(
  database: Database,
  after: FeedPosition,
  tenantId: string | null,
): Promise<readonly FeedRow[] | null> {
  const rows = await queryRows(
    database,
    sql<RawFeedRow & { missed: number }>`
    WITH missed AS (
      SELECT xid, id, host_id, tenant_id, at, row_number() OVER (ORDER BY xid, id) AS place FROM feed
      WHERE (xid, id) > (${after.xid}, ${after.id}) AND xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      ORDER BY xid, id LIMIT ${maxBacklog + 1})
    SELECT xid, id, host_id::text, tenant_id::text, at, (SELECT count(*) FROM missed)::int AS missed FROM missed
    WHERE ${tenantId}::uuid IS NULL OR tenant_id = ${tenantId}::uuid OR place = (SELECT max(place) FROM missed)
    ORDER BY xid, id`,
  );
  return (rows[0]?.missed ?? 0) > maxBacklog ? null : rows.map(toRow);
}

/** Removes rows that no valid position can ask for. Returns how many. */
export function pruneFeed(database: Database): Promise<number> {
  return execute(database, sql`DELETE FROM feed WHERE at < now() - ${prunedAfter}::interval`);
}

export type FeedListener = (rows: readonly FeedRow[]) => void;

export interface FeedStart {
  /** Where the stream begins. */
  readonly position: FeedPosition;
  /** The requested position was too old or invalid, so rows may have been missed. */
  readonly reset: boolean;
  readonly stop: () => void;
}

/** Polls only while somebody listens. */
export class LiveFeed {
  readonly #database: Database;
  readonly #databaseUrl: string;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<FeedListener>();
  #running: Promise<void> | undefined;
  /** How far the poller has read. Never after the start of a follower, so that no row is lost between the two. */
  #position: FeedPosition | undefined;
  #nudge: () => void = () => undefined;
  #closed = false;

  constructor(database: Database, databaseUrl: string, onError: (error: unknown) => void) {
    this.#database = database;
    this.#databaseUrl = databaseUrl;
    this.#onError = onError;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /**
   * Calls `listener` with all rows after `after`, each once and in order, starting with those that already exist.
   * @param after a position that was issued earlier; null: from now on
   * @param tenantId of the missed rows, only this tenant's are read; null: all
   */
  async follow(
    after: string | null,
    listener: FeedListener,
    tenantId: string | null = null,
  ): Promise<FeedStart> {
    const now = await readPosition(this.#database);
    const asked = after === null ? null : parsePosition(after);
    let reset =
      after !== null && (asked === null || now.atMs - asked.atMs > feedKeptMs || asked.xid > now.xid);
    let start = reset || asked === null ? now : asked;
    let seen: FeedPosition = start;
    let waiting: FeedRow[] | null = [];
    const pass = (rows: readonly FeedRow[]): void => {
      const fresh = rows.filter((row) => isAfter(row, seen));
      const last = fresh.at(-1);
      if (last === undefined) return;
      seen = last;
      listener(fresh);
    };
    /** Rows that arrive while the backlog is read. If there are more than a backlog may have, start over after them. */
    const hold = (held: FeedRow[], rows: readonly FeedRow[]): void => {
      held.push(...rows);
      const last = rows.at(-1);
      if (held.length <= maxBacklog || last === undefined) return;
      held.length = 0;
      reset = true;
      start = last;
    };
    // Joined before the backlog is read, so that no row is lost between the two.
    const live: FeedListener = (rows) => (waiting === null ? pass(rows) : hold(waiting, rows));
    this.#listeners.add(live);
    this.#start(now);
    const stop = () => {
      this.#listeners.delete(live);
      if (this.#listeners.size === 0) this.#nudge();
    };
    try {
      const missed = await readBacklog(this.#database, seen, tenantId);
      if (missed === null) {
        reset = true;
        if (isAfter(now, start)) start = now;
      } else if (start === seen) pass(missed);
      if (isAfter(start, seen)) seen = start;
    } catch (error) {
      stop();
      throw error;
    }
    const held = waiting;
    waiting = null;
    pass(held);
    return { position: start, reset, stop };
  }

  /** Stops the poller. Listeners are no longer called. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    this.#nudge();
    await this.#running;
  }

  #goesOn(): boolean {
    return !this.#closed && this.#listeners.size > 0;
  }

  #start(now: FeedPosition): void {
    if (this.#running !== undefined || !this.#goesOn()) return;
    this.#position ??= now;
    this.#running = this.#run(this.#position).finally(() => {
      this.#running = undefined;
      // If somebody joined while it was ending, continue where it was.
      if (this.#goesOn()) this.#start(now);
      else this.#position = undefined;
    });
  }

  async #run(from: FeedPosition): Promise<void> {
    let client: Client | undefined;
    let position = from;
    let prunedAtMs = 0;
    while (this.#goesOn()) {
      try {
        client ??= await this.#listen(() => (client = undefined));
        const rows = await readAfter(this.#database, position);
        const last = rows.at(-1);
        if (last !== undefined) {
          position = last;
          this.#position = last;
          for (const listener of this.#listeners) listener(rows);
        }
        if (Date.now() - prunedAtMs > pruneMs) {
          prunedAtMs = Date.now();
          await pruneFeed(this.#database);
        }
        if (rows.length < batch) await this.#pause(pollMs);
      } catch (error) {
        this.#onError(error);
        await this.#pause(1_000);
      }
    }
    await client?.end().catch(() => undefined);
  }

  /** Rows become readable at or shortly after their notification, which only makes the next poll start at once. */
  async #listen(lost: () => void): Promise<Client> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: "reclaim live feed",
      keepAlive: true,
    });
    client.on("notification", () => this.#nudge());
    client.on("error", lost);
    client.on("end", lost);
    await client.connect();
    await client.query(`LISTEN ${feedChannel}`);
    return client;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#nudge = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
