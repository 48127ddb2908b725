// The job that goes on with acts on many hosts: cut off in the middle of a portion, the next one finishes it, and no host is asked twice.
import pino from "pino";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { startBulkRunner } from "@/server/jobs/bulk-runner";
import { until } from "@/server/testing/until";
import { portionHosts } from "@/server/usecases/hosts/bulk/ask-portion";
import { previewBulk } from "@/server/usecases/hosts/bulk/preview-bulk";
import { startBulk } from "@/server/usecases/hosts/bulk/start-bulk";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const hosts = 2 * portionHosts + 100;
const quiet = pino({ level: "silent" });
let world: World;
let watcher: Client;
let round = 0;

beforeAll(async () => {
  world = await createWorld();
  watcher = new Client({ connectionString: world.url });
  watcher.on("error", () => undefined); // what is asked on it fails by itself
  await watcher.connect();
});
afterAll(async () => {
  await watcher.end();
  await world.stop();
});
beforeEach(() => watcher.query("DELETE FROM signal"));

/** An act on so many hosts, of which the first portion was asked. */
async function startedAct(): Promise<string> {
  round += 1;
  const prefix = `r${round}`;
  await watcher.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, macs, bmc_address, bmc_username, bmc_password, network_interfaces)
     SELECT gen_random_uuid(), $1 || '-' || n, $2, 'redfish', $1 || 'S' || n, gen_random_uuid(), '{}', 'http://' || $1 || '-' || n, 'root', '\\x00', '{dpu0}' FROM generate_series(1, $3::int) n`,
    [prefix, world.siteId, hosts],
  );
  await watcher.query(
    "INSERT INTO host_run (host_id, site_id, name, state) SELECT id, site_id, name, 'Enroll' FROM host WHERE name LIKE $1",
    [`${prefix}-%`],
  );
  await watcher.query("UPDATE host_run SET state = 'Manageable' WHERE name LIKE $1", [`${prefix}-%`]);
  const made = await previewBulk(world.backend, world.actor("operator"), world.request(), {
    target: { filter: `${prefix}-` },
    intent: "clean",
    steps: [{ interface: "power", step: "reboot", args: {} }],
  });
  if (!made.ok) throw new Error(made.problem.detail);
  expect(
    await startBulk(world.backend, world.actor("operator"), world.request(), { id: made.value.id }),
  ).toMatchObject({ ok: true });
  return made.value.id;
}

const count = async (text: string, values: readonly unknown[]): Promise<number> =>
  (await watcher.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${text}`, [...values])).rows[0]
    ?.count ?? 0;
const asked = (id: string) => count("bulk_act_host WHERE bulk_id = $1 AND status = 'asked'", [id]);
const isThrough = async (id: string): Promise<boolean> =>
  (await count("bulk_act WHERE id = $1 AND asked_all_at IS NOT NULL", [id])) === 1;

/** Every host has one signal and one audit event of the act. */
async function askedOnce(id: string): Promise<void> {
  expect(await asked(id)).toBe(hosts);
  expect(await count("signal WHERE kind = 'clean' AND payload ->> 'bulkId' = $1", [id])).toBe(hosts);
  expect(
    await count(
      "(SELECT DISTINCT host_id FROM signal WHERE kind = 'clean' AND payload ->> 'bulkId' = $1) s",
      [id],
    ),
  ).toBe(hosts);
  expect(await count("audit_event WHERE action = 'host.clean' AND after ->> 'bulkId' = $1", [id])).toBe(
    hosts,
  );
}

const open = (name: string): Database => createDatabase(world.url, { max: 2, applicationName: name });

/** Stops a portion at its audit events: it has marked its hosts and written their signals by then. Returns how to let it go on. */
async function lockAuditEvents(): Promise<() => Promise<void>> {
  const locker = new Client({ connectionString: world.url });
  locker.on("error", () => undefined); // what is asked on it fails by itself
  await locker.connect();
  await locker.query("BEGIN");
  await locker.query("LOCK TABLE audit_event IN SHARE ROW EXCLUSIVE MODE");
  return async () => {
    await locker.query("ROLLBACK");
    await locker.end();
  };
}

const portionWaits = (name: string) =>
  until(
    "the portion waits",
    10_000,
    async () =>
      (await count("pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'", [name])) > 0,
  );

it("goes on where one was cut off in the middle of a portion, and asks nobody twice", async () => {
  const id = await startedAct();
  expect(await asked(id)).toBe(portionHosts);
  const unlock = await lockAuditEvents();
  const cut = open("cut off");
  const stopCut = startBulkRunner(cut, quiet);
  await portionWaits("cut off");
  const stopped = stopCut();
  await watcher.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut off'",
  );
  await stopped;
  await unlock();
  expect(await asked(id)).toBe(portionHosts);
  expect(await isThrough(id)).toBe(false);

  const next = open("next");
  const stopNext = startBulkRunner(next, quiet);
  await until("the act is through", 20_000, () => isThrough(id));
  await stopNext();
  await askedOnce(id);
  await Promise.all([cut.$disconnect(), next.$disconnect()]);
});

it("asks each host once where two processes run it side by side", async () => {
  const id = await startedAct();
  const databases = [open("one"), open("two")];
  const stops = databases.map((database) => startBulkRunner(database, quiet));
  await until("the act is through", 20_000, () => isThrough(id));
  await Promise.all(stops.map((stop) => stop()));
  await askedOnce(id);
  await Promise.all(databases.map((database) => database.$disconnect()));
});

it("goes on with the others where this version cannot read one, and leaves that one alone", async () => {
  const unread = await startedAct();
  const id = await startedAct();
  const before = await asked(unread);
  await watcher.query(`UPDATE bulk_act SET args = args || '{"pace": 3}' WHERE id = $1`, [unread]);
  const errors: unknown[] = [];
  const logger = pino({}, { write: (line) => void errors.push(JSON.parse(line)) });
  const database = open("this version");
  const stop = startBulkRunner(database, logger);
  await until("the act is through", 20_000, () => isThrough(id));
  await stop();
  await database.$disconnect();
  await askedOnce(id);
  expect(await asked(unread)).toBe(before);
  expect(await isThrough(unread)).toBe(false);
  expect(JSON.stringify(errors)).toContain(unread);
  await watcher.query("UPDATE bulk_act SET asked_all_at = now() WHERE id = $1", [unread]);
});

it("waits for the portion under way when it is stopped, and begins no other", async () => {
  const id = await startedAct();
  const unlock = await lockAuditEvents();
  const database = open("stopped");
  const stop = startBulkRunner(database, quiet);
  await portionWaits("stopped");
  const stopped = stop();
  await unlock();
  await stopped;
  expect(await asked(id)).toBe(2 * portionHosts);
  await database.$disconnect();
});
