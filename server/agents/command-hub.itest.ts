// Commands reach the poll that waits for them: from this process, from another one, and when the word of it was lost.
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CommandHub, type WaitFor } from "@/server/agents/command-hub";
import { createHotPool } from "@/server/db/hot/pool";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing/test-database";

const hostId = "11111111-1111-4111-8111-111111111111";
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
  await pool.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password) VALUES ($1, 'h', $1, 'redfish', 's', $1, 'b', 'u', '\\x00')`,
    [hostId],
  );
  await pool.query("INSERT INTO host_run (host_id, site_id, name, state) VALUES ($1, $1, 'h', 'Enroll')", [hostId]);
});
beforeEach(async () => {
  await pool.query("UPDATE host_run SET command = NULL, command_epoch = NULL");
  here = new CommandHub({ databaseUrl: test.url, pool, log: () => undefined, onWaiting: (count) => (waiting = count) });
  there = new CommandHub({ databaseUrl: test.url, pool, log: () => undefined });
  await Promise.all([here.start(), there.start()]);
});
afterEach(() => Promise.all([here.close(), there.close()]));
afterAll(async () => {
  await pool.end();
  await test.drop();
});

const store = (command: unknown, epoch = 1) => pool.query("UPDATE host_run SET command = $1, command_epoch = $2", [JSON.stringify(command), epoch]);
const waitOn = (hub: CommandHub, change: Partial<WaitFor> = {}) => hub.wait({ hostId, bootEpoch: 1, known: new Set(), seen: null, timeoutMs: 2_000, since: hub.mark(), ...change });
const took = async <Value>(work: Promise<Value>): Promise<{ value: Value; ms: number }> => {
  const started = performance.now();
  return { value: await work, ms: performance.now() - started };
};

describe("a command", () => {
  it("of this process arrives without the database", async () => {
    const wait = took(waitOn(here));
    here.publish(hostId, 1, restart);
    const { value, ms } = await wait;
    expect(value).toEqual(restart);
    expect(ms).toBeLessThan(40);
  });

  it("of another process arrives by its notification", async () => {
    const wait = took(waitOn(here, { timeoutMs: 4_000 }));
    await store(restart);
    there.publish(hostId, 1, restart);
    const { value, ms } = await wait;
    expect(value).toEqual(restart);
    expect(ms).toBeLessThan(1_000);
  });

  it("whose notification never came is found all the same", async () => {
    const wait = waitOn(here, { timeoutMs: 8_000 });
    await store(restart);
    expect(await wait).toEqual(restart);
  });

  it("that was published between the statement and the wait is not lost", async () => {
    const since = here.mark();
    here.publish(hostId, 1, restart);
    expect(await waitOn(here, { since, timeoutMs: 0 })).toEqual(restart);
  });

  it("that another process published between the statement and the wait is not lost", async () => {
    const since = here.mark();
    await store(restart);
    there.publish(hostId, 1, restart);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { value, ms } = await took(waitOn(here, { since, timeoutMs: 4_000 }));
    expect(value).toEqual(restart);
    expect(ms).toBeLessThan(1_000);
  });

  it("from before the statement is not repeated: it may have been withdrawn since", async () => {
    here.publish(hostId, 1, restart);
    await new Promise((resolve) => setTimeout(resolve, 5));
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
    await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reclaim-commands' AND datname = current_database()");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const wait = took(waitOn(here, { timeoutMs: 4_000 }));
    await store(restart);
    there.publish(hostId, 1, restart);
    const { value, ms } = await wait;
    expect(value).toEqual(restart);
    expect(ms).toBeLessThan(1_000);
  });
});
