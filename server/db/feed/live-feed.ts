// The live feed of a process: one poller and one LISTEN, however many streams read from it (docs/design/datapath.md#live-updates).
import { sql } from "kysely";
import { execute, queryRows } from "@/server/db/sql";
import { Client } from "pg";
import { feedChannel } from "@/server/db/hot/signal";
import type { Database } from "@/server/db/prisma";

/** How long rows are kept, and how old a position may be to go on from. */
export const feedKeptMs = 3_600_000;

/** Rows stay a little longer than positions may be used, so that a position that is young enough has all its rows. */
const prunedAfter = "65 minutes";
const pollMs = 250;
const pruneMs = 60_000;
const batch = 5_000;
/** Rows that a stream may have missed and is still told one by one. Who missed more reads its page anew, which costs less. */
export const maxBacklog = 5_000;

/** A place in the feed: all rows up to it are known. Written `xid.id.seconds`, the last being when it was given out. */
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

/** Null for a text that is no position. */
export function parsePosition(text: string): FeedPosition | null {
  const match = /^(\d{1,19})\.(\d{1,19})\.(\d{1,12})$/.exec(text);
  if (match === null) return null;
  return { xid: BigInt(match[1] ?? ""), id: BigInt(match[2] ?? ""), atMs: Number(match[3]) * 1000 };
}

/** Whether `a` comes after `b`. */
export const isAfter = (a: FeedPosition, b: FeedPosition): boolean =>
  a.xid > b.xid || (a.xid === b.xid && a.id > b.id);

/** The position before everything that is not visible yet: what is read now may be shown as of it. */
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

/** Rows after a position in order, none of them before one that is still to come; at most `batch`. */
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
 * What a stream missed, for a tenant its own rows and the last of all, whose place is where the stream goes on.
 * Null when so much was missed that reading it costs more than beginning anew.
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

/** Removes rows that no position can ask for any more. Returns how many. */
export function pruneFeed(database: Database): Promise<number> {
  return execute(database, sql`DELETE FROM feed WHERE at < now() - ${prunedAfter}::interval`);
}

export type FeedListener = (rows: readonly FeedRow[]) => void;

export interface FeedStart {
  /** Where the stream begins. */
  readonly position: FeedPosition;
  /** The asked-for position was too old or none: something may have been missed. */
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
  /** How far the poller has read. Never after the beginning of a follower, so that nothing falls between the two. */
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
   * Calls `listener` with all rows after `after`, once each and in order, beginning with those that are there already.
   * @param after a position that was given out earlier; null: from now on
   * @param tenantId of what was missed only this tenant's rows are read; null: all
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
    /** Rows that come while the backlog is read. More of them than a backlog may have: begin anew after them. */
    const hold = (held: FeedRow[], rows: readonly FeedRow[]): void => {
      held.push(...rows);
      const last = rows.at(-1);
      if (held.length <= maxBacklog || last === undefined) return;
      held.length = 0;
      reset = true;
      start = last;
    };
    // Joined before the catch-up is read, so that no row falls between the two.
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

  /** Ends the poller; listeners hear nothing any more. */
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
      // Somebody may have joined while it was ending: then it goes on where it was.
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

  /** Rows become readable a moment after their notification at the latest; it only makes the next poll come at once. */
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
