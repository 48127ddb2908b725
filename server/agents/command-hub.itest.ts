// Commands reach the poll that waits for them: from this process, from another one, and when the notification was lost.
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CommandHub, type WaitFor } from "@/server/agents/command-hub";
import { createHotPool } from "@/server/db/hot/pool";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing/test-database";
import { until } from "@/server/testing/until";

const hostId = "11111111-1111-4111-8111-111111111111";
const otherHostId = "22222222-2222-4222-8222-222222222222";
const restart = { kind: "restart", id: "r1" } as const;

let test: TestDatabase;
let pool: Pool;
let here: CommandHub;
let there: CommandHub;
let waiting = 0;
beforeAll(async () => {
  test = await createTestDatabase();
  pool = createHotPool(test.url, { max: 4 });
  await pool.query("INSERT INTO site (id, name) VALUES ($1, 'north')", [hostId]);
  for (const id of [hostId, otherHostId]) {
    await pool.query(
      `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces)
       VALUES ($1::uuid, $1::text, $2, 'redfish', $1::text, $1::uuid, $1::text, 'u', '\\x00', '{p0}')`,
      [id, hostId],
    );
    await pool.query(
      "INSERT INTO host_run (host_id, site_id, name, state) VALUES ($1::uuid, $2, $1::text, 'Enroll')",
      [id, hostId],
    );
  }
});
const hub = (lookAllMs: number, onWaiting: (count: number) => void = () => undefined) =>
  new CommandHub({ databaseUrl: test.url, pool, log: () => undefined, onWaiting, lookAllMs });
beforeEach(async () => {
  await pool.query("UPDATE host_run SET command = NULL, command_epoch = NULL");
  here = hub(neverMs, (count) => (waiting = count));
  there = hub(neverMs);
  await Promise.all([here.start(), there.start()]);
});
afterEach(() => Promise.all([here.close(), there.close()]));
afterAll(async () => {
  await pool.end();
  await test.drop();
});

const store = (command: unknown, epoch = 1) =>
  pool.query("UPDATE host_run SET command = $1, command_epoch = $2", [JSON.stringify(command), epoch]);
const waitOn = (on: CommandHub, change: Partial<WaitFor> = {}) =>
  on.wait({
    hostId,
    bootEpoch: 1,
    known: new Set(),
    seen: null,
    timeoutMs: patienceMs,
    since: on.mark(),
    ...change,
  });
/** How long a test waits for a command. The hub looks for lost notifications far less often, so only a notification can bring it. */
const patienceMs = 30_000;
const neverMs = 600_000;
const listening = async () =>
  (
    await pool.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'reclaim-commands' AND datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN%'",
    )
  ).rows.map(({ pid }) => pid);

describe("a command", () => {
  it("of this process arrives without the database", async () => {
    const wait = waitOn(here);
    here.publish(hostId, 1, restart); // and it is not stored, so that nobody could read it there
    expect(waiting).toBe(0);
    expect(await wait).toEqual(restart);
  });

  it("of another process arrives by its notification", async () => {
    const wait = waitOn(here);
    await store(restart);
    there.publish(hostId, 1, restart);
    expect(await wait).toEqual(restart);
  });

  it("whose notification never came is found all the same", async () => {
    const looking = hub(100);
    await looking.start();
    const wait = waitOn(looking);
    await store(restart);
    expect(await wait).toEqual(restart);
    await looking.close();
  });

  it("that was published between the statement and the wait is not lost", async () => {
    const since = here.mark();
    here.publish(hostId, 1, restart);
    expect(await waitOn(here, { since, timeoutMs: 0 })).toEqual(restart);
  });

  it("that another process published between the statement and the wait is not lost", async () => {
    const since = here.mark();
    await store(restart);
    // Both commands share one notification: a process that has heard of the other host's command has this one, too.
    const heard = waitOn(here, { hostId: otherHostId });
    for (const each of [hostId, otherHostId]) there.publish(each, 1, restart);
    expect(await heard).toEqual(restart);
    expect(await waitOn(here, { since })).toEqual(restart);
  });

  it("from before the statement is not repeated: it may have been withdrawn since", async () => {
    here.publish(hostId, 1, restart);
    const published = here.mark();
    await until("the clock to go on", patienceMs, () => Promise.resolve(here.mark() > published));
    expect(await waitOn(here, { timeoutMs: 50 })).toBeNull();
  });

  it("of another boot, or that the agent has, is not given", async () => {
    const wait = waitOn(here, { timeoutMs: 100, known: new Set(["r1"]) });
    here.publish(hostId, 1, restart);
    here.publish(hostId, 2, { ...restart, id: "r2" });
    expect(await wait).toBeNull();
  });

  it("that is not of the protocol is refused to its writer", () => {
    expect(() => here.publish(hostId, 1, { kind: "format", id: "x" })).toThrow();
  });
});

describe("waiting", () => {
  it("ends when the caller goes away, when the server stops, and leaves nothing behind", async () => {
    const gone = new AbortController();
    const wait = waitOn(here, { signal: gone.signal });
    expect(waiting).toBe(1);
    gone.abort();
    expect(await wait).toBeNull();
    const other = waitOn(here);
    here.release();
    expect(await other).toBeNull();
    expect(waiting).toBe(0);
  });

  it("is given up by the older of three polls of one host", async () => {
    const [first, second, third] = [waitOn(here), waitOn(here), waitOn(here)];
    expect(await first).toBeNull();
    expect(waiting).toBe(2);
    here.publish(hostId, 1, restart);
    expect(await Promise.all([second, third])).toEqual([restart, restart]);
  });

  it("goes on after the listening connection was lost", async () => {
    const before = await listening();
    await pool.query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid", [before]);
    await until("both to listen again", patienceMs, async () => {
      const now = await listening();
      return (now.length === 2 && now.every((pid) => !before.includes(pid))) || `${now.length} listen`;
    });
    const wait = waitOn(here);
    await store(restart);
    there.publish(hostId, 1, restart);
    expect(await wait).toEqual(restart);
  });
});
