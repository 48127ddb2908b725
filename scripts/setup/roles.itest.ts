// With the server's role, every change to a table of the audit log is refused, and everything that the server does works. Only the sequencer's role numbers.
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { Pool } from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { logTables, migrateWithRoles, sessionLimits, setUpRoles } from "@/scripts/setup/roles.mjs";
import { dropDatabase } from "@/scripts/testing/drop-database.mjs";
import { writeAudit } from "@/server/db/audit";
import { addFirstKey, askForKey, makeWantedKey, readSigners } from "@/server/db/audit-log/keys";
import { readCheckpoint } from "@/server/db/audit-log/log-rows";
import { readProtection } from "@/server/db/audit-log/protection";
import { numberEvents } from "@/server/db/audit-log/sequencer";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { readChecks } from "@/server/db/audit-log/check-rows";
import { sessionLimits as poolLimits, withConnection } from "@/server/db/connection";
import { createDatabase, poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { pruneRecords } from "@/server/db/retention";
import { sqlOn } from "@/server/db/sql";
import { addHost, addSite } from "@/server/db/testing/rows";
import { selfAudit } from "@/server/jobs/audit-log/self-audit";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { onServer } from "@/server/db/testing/template";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";
import { systemEvent } from "@/server/db/testing/system-event";
import { formatKey, verifierKey } from "@/server/domain/audit-log/note";

const secrets = createSecretBox(randomBytes(32));
const suffix = randomBytes(4).toString("hex");
const names = { server: `reclaim_app_${suffix}`, sequencer: `reclaim_audit_${suffix}` };
let made: TestDatabase;
let owner: Pool;
let server: Pool;
let sequencer: Pool;
let database: Database;
const urlAs = (role: string): string => {
  const url = new URL(made.url);
  url.username = role;
  url.password = encodeURIComponent("p'w \\ %");
  return url.href;
};
const urls = () => ({ server: urlAs(names.server), sequencer: urlAs(names.sequencer) });

beforeAll(async () => {
  made = await createTestDatabase();
  owner = new Pool({ connectionString: made.url, max: 2 });
  await setUpRoles(made.url, urls());
  await owner.query(`GRANT SELECT ON reclamation, host TO ${names.sequencer}`);
  await setUpRoles(made.url, urls());
  server = new Pool({ connectionString: urls().server, max: 2 });
  sequencer = new Pool({ connectionString: urls().sequencer, max: 2 });
  database = createDatabase(urls().server, { max: 2, applicationName: "test" });
});
afterAll(async () => {
  await database.$disconnect();
  await Promise.all([server.end(), sequencer.end()]);
  for (const role of Object.values(names)) await owner.query(`DROP OWNED BY ${role}`);
  for (const role of Object.values(names)) await owner.query(`DROP ROLE ${role}`);
  await owner.end();
  await made.drop();
});

const event = (id: string) => ({ ...systemEvent, id });

describe("the server's role", () => {
  it("knows every table of the log", async () => {
    const { rows } = await owner.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'audit\\_%' ORDER BY 1",
    );
    expect(rows.map(({ name }) => name)).toEqual([...logTables].sort());
  });

  it.each(
    logTables.flatMap((table) => [
      [`UPDATE ${table} SET ${columnOf(table)} = ${columnOf(table)}`],
      [`DELETE FROM ${table}`],
      [`TRUNCATE ${table}`],
      [`ALTER TABLE ${table} DISABLE TRIGGER ALL`],
    ]),
  )("is refused: %s", async (statement) =>
    // SQLSTATE insufficient_privilege.
    expect(server.query(statement)).rejects.toMatchObject({ code: "42501" }),
  );

  it.each([
    "SET session_replication_role = 'replica'",
    "CREATE TABLE audit_event_2 (id int)",
    "DROP TABLE audit_event",
    "DROP TRIGGER audit_event_pends ON audit_event",
    "CREATE OR REPLACE FUNCTION audit_event_pends() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "INSERT INTO audit_leaf (seq, event_id, hash) VALUES (0, gen_random_uuid(), decode(repeat('00', 32), 'hex'))",
    "INSERT INTO audit_pending (xid, at, event_id) VALUES (0, now(), gen_random_uuid())",
    "INSERT INTO audit_checkpoint (size, note) VALUES (1, '')",
    "INSERT INTO audit_event (id, at, actor_kind, action, outcome) VALUES (gen_random_uuid(), '2020-01-01', 'system', 'x', 'done')",
    "SELECT private_key FROM audit_key",
    "INSERT INTO audit_key (origin, public_key, private_key) VALUES ('x', 'x', '\\x00')",
    "DELETE FROM audit_key_wanted",
    "DELETE FROM _prisma_migrations",
    "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES (gen_random_uuid(), 'system', 'auditLog.check', 'done')",
    "CREATE TEMP TABLE audit_leaf (id int); INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES (gen_random_uuid(), 'system', 'auditLog.check', 'done')",
  ])("is refused: %s", async (statement) =>
    expect(server.query(statement)).rejects.toMatchObject({ code: "42501" }),
  );

  it("writes events that reach the queue, also when it has a table of that name of its own", async () => {
    const client = await server.connect();
    client.on("error", () => undefined);
    try {
      await client.query("CREATE TEMP TABLE audit_pending (xid bigint, at timestamptz, event_id uuid)");
      await client.query(
        "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES ($1, 'system', 'host.retry', 'done')",
        [randomUUID()],
      );
    } finally {
      client.release(true);
    }
    const pending = await owner.query("SELECT 1 FROM audit_pending");
    expect(pending.rowCount).toBe(1);
  });

  it("asks for a key and does not make it, deletes what is past its time, and cannot number", async () => {
    await addFirstKey(sequencer, secrets, "reclaim.test/audit-log");
    await numberAll(sequencer);
    expect(await signNews(sequencer, secrets)).toBe(true);
    await database.$transaction((tx) => askForKey(tx));
    await expect(makeWantedKey(server, secrets)).rejects.toMatchObject({ code: "42501" });
    expect(await makeWantedKey(sequencer, secrets)).toBe(true);
    expect((await pruneRecords(database, 90)).size).toBeGreaterThan(5);
    await expect(numberEvents(server)).rejects.toMatchObject({ code: "42501" });
    await numberAll(sequencer);
    expect(await signNews(sequencer, secrets)).toBe(true);
    expect(await readCheckpoint(server)).toContain("reclaim.test/audit-log\n3\n");
  });

  // An older release lets the server's role add keys.
  it("stops no signing with keys of its own that are of no use", async () => {
    const before = await readSigners(sequencer, secrets);
    const { publicKey } = generateKeyPairSync("ed25519");
    const key = verifierKey("reclaim.test/audit-log", "ed25519", publicKey);
    await owner.query(
      "INSERT INTO audit_key (origin, public_key, private_key) SELECT origin, public_key, '\\x00' FROM audit_key ORDER BY id",
    );
    await owner.query(
      "INSERT INTO audit_key (origin, public_key, private_key) VALUES ($1, $2, '\\x00'), ($1, 'none', '\\x00')",
      ["reclaim.test/audit-log", formatKey(key)],
    );
    await database.$transaction((tx) =>
      writeAudit(tx, {
        ...event(randomUUID()),
        action: "auditKey.rotate",
        targetId: key.id,
        after: { key: formatKey(key) },
      }),
    );
    await numberAll(sequencer);
    const leftOut: string[] = [];
    expect(await signNews(sequencer, secrets, (text) => leftOut.push(text))).toBe(true);
    expect(leftOut).toEqual([formatKey(key), "none"]);
    expect(await readCheckpoint(server)).toContain("reclaim.test/audit-log\n4\n");
    expect((await readSigners(sequencer, secrets)).map((signer) => signer.key.id)).toEqual(
      before.map((signer) => signer.key.id),
    );
    expect(before.map(({ vouched }) => vouched)).toEqual([true, true]);
  });

  it("is told whether it could change the log", async () => {
    expect(await readProtection(server)).toEqual({ role: names.server, changeable: [] });
    expect((await readProtection(owner)).changeable).toEqual([...logTables].sort());
  });
});

it("ends a session of each role that forgets its transaction, and a statement that does not end", async () => {
  const limitsOf = async (url: string) => {
    const pool = new Pool({ connectionString: url, max: 1 });
    const { rows } = await pool.query<{ name: string; ms: number }>(
      "SELECT name, setting::int AS ms FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'statement_timeout') ORDER BY name",
    );
    await pool.end();
    return Object.fromEntries(rows.map(({ name, ms }) => [name, ms]));
  };
  for (const url of Object.values(urls())) expect(await limitsOf(url)).toEqual(sessionLimits);
  const { idle_in_transaction_session_timeout } = sessionLimits;
  expect(await limitsOf(made.url)).toEqual({ idle_in_transaction_session_timeout, statement_timeout: 0 });
  // The server's own pools have the same limits, where the roles are not set up.
  const { rows } = await poolOf(database).query("SHOW idle_in_transaction_session_timeout");
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: "1min" }]);
  expect(poolLimits).toEqual(sessionLimits);
});

it("the sequencer's role changes no event either", async () => {
  for (const table of ["audit_event", "audit_leaf", "audit_checkpoint", "audit_key"])
    await expect(sequencer.query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: "42501" });
});

it("the sequencer's role runs the self-audit that the server's role asked for, and reads nothing else of hosts", async () => {
  const hostId = randomUUID();
  await addHost(owner, hostId, { siteId: await addSite(owner) });
  await server.query("INSERT INTO audit_check (asked_by) VALUES ('Ada')");
  await expect(server.query("INSERT INTO audit_check (done) VALUES (1)")).rejects.toMatchObject({
    code: "42501",
  });
  await numberAll(sequencer);
  await signNews(sequencer, secrets);
  await withConnection(sequencer, (client) =>
    selfAudit(client, pino({ level: "silent" }), new AbortController().signal),
  );
  expect((await readChecks(sqlOn(server), 1, null))[0]).toMatchObject({
    askedBy: "Ada",
    covered: { hosts: 1, transitions: 1 },
  });
  for (const secret of [
    "SELECT policy FROM reclamation",
    "SELECT content FROM reclamation",
    "SELECT bmc_password FROM host",
    "SELECT password_hash FROM person",
    "SELECT statement FROM certificate",
    "UPDATE state_history SET reason = 'x'",
    "DELETE FROM step_run",
  ])
    await expect(sequencer.query(secret)).rejects.toMatchObject({ code: "42501" });
});

it.each([
  ["owns a table of the log", (role: string) => `ALTER TABLE audit_event OWNER TO ${role}`],
  ["owns the schema", (role: string) => `ALTER SCHEMA public OWNER TO ${role}`],
  [
    "owns the database",
    (role: string) => `ALTER DATABASE "${new URL(made.url).pathname.slice(1)}" OWNER TO ${role}`,
  ],
  ["may make itself a member of the owner", (role: string) => `ALTER ROLE ${role} CREATEROLE`],
  ["writes all tables", (role: string) => `GRANT pg_write_all_data TO ${role}`],
])("a server's role that %s is refused, and told of", async (_what, give) => {
  const role = `reclaim_mighty_${suffix}`;
  const given = { ...urls(), server: urlAs(role) };
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p''w \\ %'`);
  const mighty = new Pool({ connectionString: given.server, max: 1 });
  try {
    await owner.query(`GRANT USAGE ON SCHEMA public TO ${role}`);
    await owner.query(give(role));
    await expect(setUpRoles(made.url, given)).rejects.toThrow(`the role ${role} `);
    expect((await readProtection(mighty)).changeable).not.toEqual([]);
  } finally {
    await mighty.end();
    await owner.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
    await owner.query(`DROP OWNED BY ${role}`);
    await owner.query(`DROP ROLE ${role}`);
  }
});

it("a role that is refused is refused before anything is migrated", async () => {
  const url = onServer(inject("testServerUrl"), `${inject("testPrefix")}mighty`);
  await expect(migrateWithRoles({ owner: url, server: url, sequencer: urls().sequencer })).rejects.toThrow(
    "could change the audit log",
  );
  const empty = new Pool({ connectionString: url, max: 1 });
  const { rows } = await empty.query("SELECT to_regclass('host') AS host");
  await empty.end();
  await dropDatabase(url);
  expect(rows).toEqual([{ host: null }]);
});

it.each([
  [
    "the owner as the server",
    () => ({ server: made.url, sequencer: urls().sequencer }),
    /could change the audit log/,
  ],
  ["one role for both", () => ({ server: urls().server, sequencer: urls().server }), /same role/],
])("%s is refused", async (_what, given, why) => expect(setUpRoles(made.url, given())).rejects.toThrow(why));

/** Some column of the table. */
function columnOf(table: string): string {
  const columns: Readonly<Record<string, string>> = {
    audit_event: "outcome",
    audit_pending: "xid",
    audit_leaf: "hash",
    audit_node: "hash",
    audit_tree: "size",
    audit_checkpoint: "note",
    audit_key: "origin",
    audit_key_wanted: "at",
    audit_rotation: "note",
    audit_check: "stage",
  };
  return columns[table] ?? "line";
}
