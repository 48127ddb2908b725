// What is deleted when it expires, on a real database: old records go, the newest and the unread stay, evidence is not touched.
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { hostLogBytes, pruneRecords } from "@/server/db/retention";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";

const keepDays = 90;
const host = "00000000-0000-4000-8000-00000000000a";
const ended = "00000000-0000-4000-8000-0000000000e1";
const open = "00000000-0000-4000-8000-0000000000e2";
let given: TestDatabase;
let client: Client;
let database: Database;

beforeAll(async () => {
  given = await createTestDatabase();
  client = new Client({ connectionString: given.url });
  client.on("error", () => undefined);
  await client.connect();
  database = createDatabase(given.url, { max: 2, applicationName: "retention test" });
  await client.query(`INSERT INTO site (id, name) VALUES ('${host}', 'here')`);
  await client.query(
    `INSERT INTO host (id, name, site_id, hardware_type) VALUES ('${host}', 'h', '${host}', 'redfish')`,
  );
  await client.query(
    `INSERT INTO host_run (host_id, site_id, name, state, boot_epoch) VALUES ('${host}', '${host}', 'h', 'Enroll', 3)`,
  );
});
afterAll(async () => {
  await database.$disconnect();
  await client.end();
  await given.drop();
});

const count = async (from: string): Promise<number> =>
  (await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`)).rows[0]?.n ?? -1;

const old = "now() - interval '91 days'";
const young = "now() - interval '89 days'";

it("keeps what a handler has not read, and what is younger", async () => {
  const effect = (at: string, read: string) =>
    client.query(`INSERT INTO effect (id, host_id, generation, kind, request, request_hash, created_at, read_at)
      VALUES (gen_random_uuid(), '${host}', 1, 'readSystem', '{}', 'x', ${at}, ${read})`);
  await effect(old, "now()");
  await effect(old, "NULL");
  await effect(young, "now()");
  await client.query(
    `INSERT INTO intent_refusal (host_id, intent, reason, request_id, at) VALUES ('${host}', 'retry', 'no', 'r', ${old}), ('${host}', 'retry', 'no', 'r', ${young})`,
  );
  await client.query(
    `INSERT INTO health_change (host_id, source, mode, kind, by, at) VALUES ('${host}', 's', 'merge', 'set', 's', ${old}), ('${host}', 's', 'merge', 'set', 's', ${young})`,
  );
  const removed = await pruneRecords(database, keepDays);
  expect(["effects", "refused intents", "health changes"].map((name) => removed.get(name))).toEqual([
    1, 1, 1,
  ]);
  expect([
    await count("effect WHERE read_at IS NULL"),
    await count("effect"),
    await count("intent_refusal"),
  ]).toEqual([1, 2, 1]);
});

it("keeps the newest past capacity event of each reader, from which it continues", async () => {
  const tenant = "00000000-0000-4000-8000-0000000000f1";
  for (const [of, at] of [
    ["NULL", old],
    ["NULL", old],
    ["NULL", young],
    [`'${tenant}'`, old],
    [`'${tenant}'`, old],
  ])
    await client.query(`INSERT INTO capacity_event (at, direction, reason, host_id, host_name, site_id, tenant_id)
      VALUES (${at}, 'added', 'new', '${host}', 'h', '${host}', ${of})`);
  expect((await pruneRecords(database, keepDays)).get("capacity events")).toBe(2);
  const { rows } = await client.query<{ seq: string }>("SELECT seq::text FROM capacity_event ORDER BY seq");
  expect(rows.map(({ seq }) => seq)).toEqual(["2", "3", "5"]);
});

it("keeps the newest boot of a host however old it is", async () => {
  for (const epoch of [1, 2, 3]) {
    await client.query(
      `INSERT INTO boot_window (host_id, boot_epoch, generation, opened_at, expires_at) VALUES ('${host}', ${epoch}, 1, ${old}, ${old})`,
    );
    await client.query(`INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, registered_at, expires_at)
      VALUES ('${host}', ${epoch}, '\\x0${epoch}', '{}', '1', '[]', ${old}, ${old})`);
  }
  await pruneRecords(database, keepDays);
  expect([await count("boot_window"), await count("agent_session")]).toEqual([1, 1]);
  expect([
    await count("boot_window WHERE boot_epoch = 3"),
    await count("agent_session WHERE boot_epoch = 3"),
  ]).toEqual([1, 1]);
});

it("keeps the boots that an open reclamation rests on, and the boot of the newest agent", async () => {
  const [working, booting] = ["00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-00000000000c"];
  for (const [id, name] of [
    [working, "w"],
    [booting, "b"],
  ] as const) {
    await client.query(
      `INSERT INTO host (id, name, site_id, hardware_type) VALUES ('${id}', '${name}', '${host}', 'redfish')`,
    );
    await client.query(`INSERT INTO host_run (host_id, site_id, name, state, boot_epoch)
      VALUES ('${id}', '${host}', '${name}', 'Enroll', 3)`);
  }
  const boot = async (id: string, epoch: number, registers: boolean) => {
    await client.query(`INSERT INTO boot_window (host_id, boot_epoch, generation, opened_at, expires_at)
      VALUES ('${id}', ${epoch}, 1, ${old}, ${old})`);
    if (!registers) return;
    await client.query(`INSERT INTO agent_session
      (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, registered_at, expires_at)
      VALUES ('${id}', ${epoch}, decode(md5('${id}${epoch}'), 'hex'), '{}', '1', '[]', ${old}, ${old})`);
  };
  for (const epoch of [1, 2, 3]) {
    await boot(working, epoch, true);
    await boot(booting, epoch, epoch < 3);
  }
  await client.query(`INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy)
    VALUES ('${working}', '${working}', 'W', 'release', 1, '{}')`);
  const kept = async (table: string, id: string) =>
    (
      await client.query<{ boot_epoch: number }>(
        `SELECT boot_epoch FROM ${table} WHERE host_id = '${id}' ORDER BY 1`,
      )
    ).rows.map((row) => row.boot_epoch);
  await pruneRecords(database, keepDays);
  expect([await kept("boot_window", working), await kept("agent_session", working)]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect([await kept("boot_window", booting), await kept("agent_session", booting)]).toEqual([[2, 3], [2]]);
  await client.query(`UPDATE reclamation SET ended_at = now() WHERE id = '${working}'`);
  await pruneRecords(database, keepDays);
  expect([await kept("boot_window", working), await kept("agent_session", working)]).toEqual([[3], [3]]);
});

it("moves what the boots of a reclamation that ended say into its evidence, and leaves no token", async () => {
  const [used, trip, image] = [
    "00000000-0000-4000-8000-00000000000d",
    "00000000-0000-4000-8000-0000000000d1",
    "00000000-0000-4000-8000-0000000000d2",
  ];
  await client.query(
    `INSERT INTO host (id, name, site_id, hardware_type) VALUES ('${used}', 'u', '${host}', 'redfish')`,
  );
  await client.query(
    `INSERT INTO host_run (host_id, site_id, name, state, boot_epoch) VALUES ('${used}', '${host}', 'u', 'Enroll', 4)`,
  );
  await client.query(
    `INSERT INTO agent_image (id, site_id, version, url, sha256, status, stage) VALUES ('${image}', '${host}', '1.5.0', 'http://x', 'abc', 'current', 'all')`,
  );
  await client.query(`INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, started_at, ended_at, outcome)
    VALUES ('${trip}', '${used}', 'U', 'release', 1, '{}', now() - interval '100 days', now() - interval '99 days', 'ready')`);
  for (const [epoch, days] of [
    [1, 101],
    [2, 99.6],
    [3, 99.4],
    [4, 1],
  ] as const) {
    await client.query(`INSERT INTO boot_window (host_id, boot_epoch, generation, opened_at, expires_at, token_hash, image_id, reset_done_at, contested_at)
      VALUES ('${used}', ${epoch}, 1, now() - interval '${days} days', now(), decode(md5('w${epoch}'), 'hex'), '${image}', now() - interval '${days} days', ${epoch === 3 ? "now()" : "NULL"})`);
    if (epoch === 3) continue; // nothing registered
    await client.query(`INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, registered_at, last_seen_at, expires_at)
      VALUES ('${used}', ${epoch}, decode(md5('s${epoch}'), 'hex'), '{"serial": "U"}', '2.${epoch}', '[{"name": "generic"}]', now() - interval '${days} days', now() - interval '${days} days', now())`);
  }
  expect((await pruneRecords(database, keepDays)).get("boots")).toBe(3);
  expect([
    await count(`boot_window WHERE host_id = '${used}'`),
    await count(`agent_session WHERE host_id = '${used}'`),
  ]).toEqual([1, 1]);
  const kept = await database.reclamationBoot.findMany({
    where: { reclamationId: trip },
    orderBy: { bootEpoch: "asc" },
  });
  expect(kept).toMatchObject([
    {
      bootEpoch: 2,
      imageVersion: "1.5.0",
      imageSha256: "abc",
      agentVersion: "2.2",
      identity: { serial: "U" },
      resetDoneAt: expect.any(Date),
      contestedAt: null,
    },
    {
      bootEpoch: 3,
      imageVersion: "1.5.0",
      agentVersion: null,
      registeredAt: null,
      contestedAt: expect.any(Date),
    },
  ]);
  expect(JSON.stringify(kept)).not.toMatch(/token/i);
  expect((await pruneRecords(database, keepDays)).get("boots")).toBe(0);
});

it("empties journals of reclamations that ended, and keeps their reports and those of an open one", async () => {
  for (const [id, end] of [
    [ended, "now()"],
    [open, "NULL"],
  ] as const) {
    await client.query(
      `INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, ended_at) VALUES ('${id}', '${host}', 'S', 'release', 1, '{}', ${end})`,
    );
    await client.query(`INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, max_attempts)
      VALUES ('${id}', '${id}', '${host}', 1, 1, 'deploy', 'erase_devices', 'agent', 1, 'default', '{}', 1)`);
    await client.query(
      `INSERT INTO step_attempt (step_run_id, attempt, boot_epoch, started_at, journal, report, report_hash) VALUES ('${id}', 1, 1, ${old}, '[{"begun": "S1"}]', '{"ok": true}', 'h')`,
    );
  }
  expect((await pruneRecords(database, keepDays)).get("journals")).toBe(1);
  expect(
    await count(`step_attempt WHERE step_run_id = '${ended}' AND journal = '[]' AND report IS NOT NULL`),
  ).toBe(1);
  expect(await count(`step_attempt WHERE step_run_id = '${open}' AND journal <> '[]'`)).toBe(1);
});

it("deletes more than one batch, logs past their time and over the quota, and sessions that have run out", async () => {
  await client.query(
    `INSERT INTO agent_log (host_id, boot_epoch, sequence, text, at) SELECT '${host}', 1, n, 'past', ${old} FROM generate_series(1, 4500) n`,
  );
  expect((await pruneRecords(database, keepDays)).get("agent logs")).toBe(4500);
  const piece = 8 * 1024 * 1024;
  await client.query(
    `INSERT INTO agent_log (host_id, boot_epoch, sequence, text) SELECT '${host}', 2, n, repeat('x', ${piece}) FROM generate_series(1, 10) n`,
  );
  await client.query(
    `INSERT INTO ended_session (session_id, expires_at) VALUES (gen_random_uuid(), now() - interval '1 s'), (gen_random_uuid(), now() + interval '1 h')`,
  );
  const removed = await pruneRecords(database, keepDays);
  expect(removed.get("logs over a host's quota")).toBe(10 - hostLogBytes / piece);
  expect(
    (await client.query<{ sequence: number }>("SELECT min(sequence) AS sequence FROM agent_log")).rows,
  ).toEqual([{ sequence: 3 }]);
  expect(await count("ended_session")).toBe(1);
});

it("forgets the names of alerts that stand nowhere any more, whoever wrote them", async () => {
  const names = async () =>
    (await client.query<{ name: string }>("SELECT name FROM alert_name ORDER BY name")).rows.map(
      ({ name }) => name,
    );
  const raise = (ids: readonly string[], classifications: readonly string[]) =>
    client.query("UPDATE host_health SET alert_ids = $1, classifications = $2", [ids, classifications]);
  await client.query(`INSERT INTO host_health (host_id, alert_ids) VALUES ('${host}', ARRAY['Fan', 'Old'])`);
  await raise(["Fan", "Xid"], ["Hardware"]);
  expect(await names()).toEqual(["Fan", "Hardware", "Old", "Xid"]);
  expect((await pruneRecords(database, keepDays)).get("names of alerts")).toBe(1);
  expect(await names()).toEqual(["Fan", "Hardware", "Xid"]);
  await raise([], []);
  await pruneRecords(database, keepDays);
  expect(await names()).toEqual([]);
});
