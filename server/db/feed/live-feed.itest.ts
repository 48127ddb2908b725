// The live feed on a real database: every row once and in order, including rows that commit out of order.
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  formatPosition,
  LiveFeed,
  maxBacklog,
  parsePosition,
  pruneFeed,
  readFeedPosition,
} from "@/server/db/feed/live-feed";
import type { FeedRow } from "@/server/db/feed/live-feed";
import { createDatabase, poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";

let test: TestDatabase;
let database: Database;
let feed: LiveFeed;
beforeAll(async () => {
  test = await createTestDatabase();
  database = createDatabase(test.url, { max: 4, applicationName: "test" });
  feed = new LiveFeed(database, test.url, (error) => {
    throw error;
  });
});
afterAll(async () => {
  await feed.close();
  await database.$disconnect();
  await test.drop();
});

const tell = async (hostId: string): Promise<void> => {
  await database.$transaction([
    database.feed.create({ data: { hostId, what: "test" } }),
    database.$queryRaw`SELECT pg_notify('reclaim_feed', '')::text`,
  ]);
};
/** Other databases of the same server delay the feed: any running transaction holds rows back, and those of other tests may be long. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 200_000, interval: 20 });

/** Waits until no open transaction is as old as the newest row: a follower that starts earlier may receive that row. */
async function settled(): Promise<void> {
  const newest = await database.feed.findFirst({ orderBy: { id: "desc" }, select: { id: true } });
  if (newest === null) return;
  await eventually(async () => {
    const { rows } = await poolOf(database).query<{ settled: boolean }>(
      "SELECT xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS settled FROM feed WHERE id = $1",
      [newest.id],
    );
    return rows[0]?.settled ?? true;
  }).toBe(true);
}

async function follower(after: string | null) {
  if (after === null) await settled();
  const rows: FeedRow[] = [];
  const start = await feed.follow(after, (more) => rows.push(...more));
  return { ...start, rows, hosts: () => rows.map(({ hostId }) => hostId) };
}

describe("a follower", () => {
  it("hears what comes after it", async () => {
    await tell(randomUUID());
    const follow = await follower(null);
    const host = randomUUID();
    await tell(host);
    await eventually(follow.hosts).toEqual([host]);
    follow.stop();
  });
  it("goes on from a position without a gap and without hearing anything twice", async () => {
    const position = await readFeedPosition(database);
    const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
    await tell(a);
    await tell(b);
    const first = await follower(position);
    await eventually(first.hosts).toEqual([a, b]);
    first.stop();
    const seen = first.rows[0];
    if (seen === undefined) throw new Error("nothing was heard");
    await tell(c);
    const second = await follower(formatPosition(seen));
    await eventually(second.hosts).toEqual([b, c]);
    expect(second.reset).toBe(false);
    second.stop();
  });
  it("that missed more than a backlog may have begins anew, and hears what comes then", async () => {
    // A position counts from the oldest transaction of the whole cluster, so from rows of earlier tests where other tests run beside this one.
    await database.feed.deleteMany();
    const position = await readFeedPosition(database);
    const tellMany = (rows: number) =>
      database.$executeRaw`INSERT INTO feed (host_id, what) SELECT gen_random_uuid(), 'many' FROM generate_series(1, ${rows}::int)`;
    await tellMany(maxBacklog);
    await eventually(() => database.feed.count({ where: { what: "many" } })).toBe(maxBacklog);
    const most = await follower(position);
    expect(most).toMatchObject({ reset: false });
    await eventually(() => most.rows.length).toBe(maxBacklog);
    most.stop();
    await tellMany(1);
    await eventually(async () => {
      const late = await follower(position);
      late.stop();
      return { reset: late.reset, rows: late.rows.length };
    }).toEqual({ reset: true, rows: 0 });
    const late = await follower(position);
    const host = randomUUID();
    await tell(host);
    await eventually(() => late.hosts().at(-1)).toBe(host);
    expect(late.rows.length).toBeLessThan(10);
    late.stop();
  });
  it("of one tenant is told of what it missed its own rows only, and goes on from the last of all", async () => {
    const position = await readFeedPosition(database);
    const [own, other] = [randomUUID(), randomUUID()];
    for (const tenantId of [own, other, other])
      await database.feed.create({ data: { hostId: randomUUID(), tenantId, what: "test" } });
    const read = async () => {
      const rows: FeedRow[] = [];
      const start = await feed.follow(position, (more) => rows.push(...more), own);
      start.stop();
      return rows.map(({ tenantId }) => tenantId);
    };
    await eventually(read).toEqual([own, other]);
  });
  /** Waits until the poller has queried the database this many times. */
  const looks = async (times: number): Promise<void> => {
    const asked = vi.spyOn(poolOf(database), "query");
    await eventually(() => asked.mock.calls.length).toBeGreaterThanOrEqual(times);
    asked.mockRestore();
  };
  it("does not miss a row whose transaction began before others and ended after them", async () => {
    const follow = await follower(null);
    const slow = new Client({ connectionString: test.url });
    slow.on("error", () => undefined); // a pending query fails by itself
    await slow.connect();
    const [late, quick] = [randomUUID(), randomUUID()];
    await slow.query("BEGIN");
    await slow.query("INSERT INTO feed (host_id, what) VALUES ($1, 'slow')", [late]);
    await tell(quick);
    // The later row waits for the earlier one, even after several polls.
    await looks(3);
    expect(follow.hosts()).toEqual([]);
    await slow.query("COMMIT");
    await slow.end();
    await eventually(follow.hosts).toEqual([late, quick]);
    follow.stop();
  });
  it("hears everything of many who write at once, each once", async () => {
    const follow = await follower(null);
    const hosts = Array.from({ length: 200 }, () => randomUUID());
    await Promise.all(hosts.map(tell));
    await eventually(() => follow.rows.length).toBe(200);
    expect(new Set(follow.hosts())).toEqual(new Set(hosts));
    const positions = follow.rows.map(({ xid, id }) => [xid, id]);
    expect(positions).toEqual(
      [...positions].sort(([ax = 0n, ai = 0n], [bx = 0n, bi = 0n]) =>
        ax === bx ? Number(ai - bi) : Number(ax - bx),
      ),
    );
    follow.stop();
  });
  it.each(["nonsense", "1.2", "99999999999999999999.1.1", `999999999.1.${Math.floor(Date.now() / 1000)}`])(
    "from the position %j is reset",
    async (position) => {
      const follow = await follower(position);
      expect(follow.reset).toBe(true);
      follow.stop();
    },
  );
  it("from a position of more than an hour ago is reset, and begins now", async () => {
    const now = parsePosition(await readFeedPosition(database));
    if (now === null) throw new Error("no position");
    const young = await follower(formatPosition({ ...now, atMs: now.atMs - 3_500_000 }));
    const old = await follower(formatPosition({ ...now, xid: 1n, atMs: now.atMs - 3_700_000 }));
    expect([young.reset, old.reset]).toEqual([false, true]);
    expect(old.hosts()).toEqual([]);
    young.stop();
    old.stop();
  });
});

describe("the poller", () => {
  it("is one for all, and rests when nobody listens", async () => {
    const followers = await Promise.all(Array.from({ length: 20 }, () => follower(null)));
    const listening = () =>
      database.$queryRaw<
        { count: number }[]
      >`SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'reclaim live feed'`;
    await eventually(listening).toEqual([{ count: 1 }]);
    for (const { stop } of followers) stop();
    await eventually(listening).toEqual([{ count: 0 }]);
    const host = randomUUID();
    const again = await follower(null);
    await tell(host);
    await eventually(again.hosts).toEqual([host]);
    again.stop();
  });
  it("survives the loss of its connections", async () => {
    const errors: unknown[] = [];
    const own = new LiveFeed(database, test.url, (error) => errors.push(error));
    const rows: FeedRow[] = [];
    const { stop } = await own.follow(null, (more) => rows.push(...more));
    const listening = () =>
      database.$queryRaw<
        { pid: number }[]
      >`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'reclaim live feed'`;
    await eventually(async () => (await listening()).length).toBe(1);
    await database.$queryRaw`SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'reclaim live feed'`;
    const host = randomUUID();
    await tell(host);
    await eventually(() => rows.map(({ hostId }) => hostId)).toEqual([host]);
    stop();
    await own.close();
  });
  it("lets go of what is too old to ask for", async () => {
    const old = randomUUID();
    await database.feed.create({
      data: { hostId: old, what: "test", at: new Date(Date.now() - 2 * 3_600_000) },
    });
    expect(await pruneFeed(database)).toBe(1);
    expect(await database.feed.count({ where: { hostId: old } })).toBe(0);
  });
});
