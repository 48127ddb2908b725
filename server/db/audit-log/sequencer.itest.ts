// Numbers without gaps and a tree that matches them, whoever writes and whatever is killed in between.
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { writeAudit } from "@/server/db/audit";
import type { AuditEvent } from "@/server/db/audit";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { readEntries, readHashes } from "@/server/db/audit-log/log-rows";
import { numberEvents, readTree } from "@/server/db/audit-log/sequencer";
import { ForkedLogError, signNews } from "@/server/db/audit-log/sign";
import { withConnection } from "@/server/db/connection";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { sqlOn } from "@/server/db/sql";
import { fileDatabase } from "@/server/db/testing/file-database";
import { isAsWritten, parseEntry } from "@/server/domain/audit-log/entry";
import { foldWhole, GrowingTree, leafHash, splitHashes } from "@/server/domain/audit-log/merkle";

let pool: Pool;
const secrets = createSecretBox(randomBytes(32));
let databaseUrl: string;
fileDatabase(12, async (made, url) => {
  pool = made;
  databaseUrl = url;
});

const event = (name: string): AuditEvent => ({
  actor: { kind: "person", id: null, name },
  action: "host.retry",
  targetId: "h-1",
  tenantId: null,
  requestId: randomUUID(),
  address: null,
  outcome: "done",
  before: null,
  after: { n: 1, text: "\u0000 ü \ud800", list: ["a"], ok: true },
});

/** One transaction with `count` events; `end` says how it ends. */
const write = (count: number, end: "COMMIT" | "ROLLBACK", name = "Ada"): Promise<void> =>
  withConnection(pool, async (client) => {
    await client.query("BEGIN");
    for (let n = 0; n < count; n += 1) await writeAudit(sqlOn(client), event(name));
    await client.query(end);
  });

const rows = async <Row extends object>(text: string): Promise<Row[]> => (await pool.query<Row>(text)).rows;

/** Checks the log against its own tables. */
async function expectWhole(): Promise<void> {
  const [counts] = await rows<{ events: number; leaves: number; last: number; pending: number }>(
    "SELECT (SELECT count(*)::int FROM audit_event) AS events, (SELECT count(*)::int FROM audit_leaf) AS leaves, (SELECT coalesce(max(seq), -1)::int FROM audit_leaf) AS last, (SELECT count(*)::int FROM audit_pending) AS pending",
  );
  const count = counts?.events ?? 0;
  expect(counts).toEqual({ events: count, leaves: count, last: count - 1, pending: 0 });
  const [leaves = [], nodes = []] = (
    await readHashes(pool, [
      { level: 0, first: 0, count },
      { level: 1, first: 0, count },
    ])
  ).map(splitHashes);
  const entries = await readEntries(pool, 0, count);
  expect(entries.map((entry) => leafHash(entry).toString())).toEqual(leaves.map(String));
  const tree = new GrowingTree();
  for (const leaf of leaves) tree.append(leaf);
  expect((await readTree(pool)).root()).toEqual(tree.root());
  expect(nodes.map(String)).toEqual(
    Array.from({ length: Math.floor(count / 256) }, (_, n) =>
      String(foldWhole(leaves.slice(n * 256, (n + 1) * 256))),
    ),
  );
}

it("events are logged as they were written, with characters that the database cannot hold replaced", async () => {
  await write(1, "COMMIT");
  await numberAll(pool);
  const [bytes] = await readEntries(pool, 0, 1);
  const entry = bytes === undefined ? null : parseEntry(bytes);
  expect(entry).toMatchObject({ actorName: "Ada", after: { text: "\ufffd ü \ufffd" } });
  expect(entry !== null && isAsWritten(entry)).toBe(true);
});

it("an event of a release without hashes is numbered, too", async () => {
  await pool.query(
    "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES ($1, 'system', 'host.retry', 'done')",
    [randomUUID()],
  );
  await numberAll(pool);
  await expectWhole();
});

it("an event without a canonical form is numbered by the digest of its text, and so are those after it", async () => {
  const { size } = await readTree(pool);
  const write = (after: string) =>
    pool.query(
      `INSERT INTO audit_event (id, actor_kind, action, outcome, after) VALUES ($1, 'system', 'host.retry', 'done', $2)`,
      [randomUUID(), after],
    );
  await write('{"a":1e400}');
  await write('{"a":1e401}');
  await numberAll(pool);
  await expectWhole();
  const entries = (await readEntries(pool, size, 2)).map(parseEntry);
  expect(entries).toMatchObject([
    { after: null, afterDigest: { bytes: 408 } },
    { after: null, afterDigest: { bytes: 409 } },
  ]);
});

it("cuts texts of an event, and refuses one whose texts are longer than an entry", async () => {
  const long = { ...event("\u20ac".repeat(20_000)), targetId: "\u20ac".repeat(20_000) };
  await writeAudit(sqlOn(pool), long);
  await numberAll(pool);
  await expectWhole();
  await expect(
    pool.query(
      "INSERT INTO audit_event (id, actor_kind, actor_name, action, outcome) VALUES ($1, 'system', $2, 'host.retry', 'done')",
      [randomUUID(), "x".repeat(10_001)],
    ),
  ).rejects.toThrow("audit_event_texts_fit");
});

/** Names of who wrote the events from a number on. */
const namesFrom = async (first: number): Promise<(string | null | undefined)[]> =>
  (await readEntries(pool, first, 10_000)).map((entry) => parseEntry(entry)?.actorName);

it("waits for no transaction that has an id and stays open, in this database or another one", async () => {
  const { size: before } = await readTree(pool);
  const other = new URL(databaseUrl);
  other.pathname = "/postgres";
  const elsewhere = new Client({ connectionString: other.href });
  elsewhere.on("error", () => undefined); // what is asked on it fails by itself
  await elsewhere.connect();
  try {
    await elsewhere.query("BEGIN");
    await elsewhere.query("SELECT pg_current_xact_id()");
    await withConnection(pool, async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT pg_current_xact_id()");
      await write(2, "COMMIT", "not held up");
      await numberEvents(pool);
      expect(await namesFrom(before)).toEqual(["not held up", "not held up"]);
      await client.query("ROLLBACK");
    });
  } finally {
    await elsewhere.end();
  }
  await expectWhole();
});

it.each(["COMMIT", "ROLLBACK"] as const)(
  "waits for no writer of events that stays open, and leaves no gap after its %s",
  async (end) => {
    const { size: before } = await readTree(pool);
    await withConnection(pool, async (client) => {
      await client.query("BEGIN");
      await writeAudit(sqlOn(client), event("slow"));
      await write(3, "COMMIT", "fast");
      await numberEvents(pool);
      expect(await namesFrom(before)).toEqual(["fast", "fast", "fast"]);
      await writeAudit(sqlOn(client), event("slow"));
      await client.query(end);
    });
    await numberEvents(pool);
    expect((await namesFrom(before)).slice(3)).toEqual(end === "COMMIT" ? ["slow", "slow"] : []);
    await expectWhole();
  },
);

it("gives an event a lower number than those of transactions that began after it was committed", async () => {
  const { size: before } = await readTree(pool);
  await withConnection(pool, async (client) => {
    // It has its id before all others, and ends in the middle of them.
    await client.query("BEGIN");
    await writeAudit(sqlOn(client), event("open"));
    await write(1, "COMMIT", "1");
    await client.query("COMMIT");
  });
  await write(1, "COMMIT", "2");
  await write(1, "COMMIT", "3");
  await numberAll(pool);
  expect(await namesFrom(before)).toEqual(["open", "1", "2", "3"]);
});

it("eight writers with rollbacks, and three sequencers of which some are ended, leave no gap", async () => {
  const { size: before } = await readTree(pool);
  let over = false;
  const sequencers = [1, 2, 3].map(async (every) => {
    for (let n = 0; !over; n += 1) {
      await numberEvents(pool).catch(() => 0);
      // Kills a session while it numbers: nothing of its batch may remain.
      if (n % 5 === every)
        await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 72707401 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        );
    }
  });
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 25; n += 1)
        await write(3, (n + writer) % 20 === 0 ? "ROLLBACK" : "COMMIT", `writer ${writer} ${n}`);
    }),
  );
  over = true;
  await Promise.all(sequencers);
  await numberAll(pool);
  await expectWhole();
  // What one writer wrote one after the other is in that order.
  const written = (await namesFrom(before)).map((name) => (name ?? "").split(" ").slice(1).map(Number));
  for (let writer = 0; writer < 8; writer += 1) {
    const order = written.filter(([by]) => by === writer).map(([, n]) => n ?? -1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order.length).toBeGreaterThan(60);
  }
});

it("a batch that fails at its last statement left nothing behind", async () => {
  await write(2, "COMMIT");
  await pool.query("ALTER TABLE audit_tree ADD CONSTRAINT full_log CHECK (size < 1) NOT VALID");
  await expect(numberAll(pool)).rejects.toThrow("full_log");
  await pool.query("ALTER TABLE audit_tree DROP CONSTRAINT full_log");
  await numberAll(pool);
  await expectWhole();
});

it("a batch of which not every row could be removed from the queue left nothing behind", async () => {
  await write(2, "COMMIT");
  const { size } = await readTree(pool);
  await pool.query(
    `CREATE FUNCTION keep_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RETURN CASE WHEN OLD.event_id = (SELECT min(event_id::text)::uuid FROM audit_pending) THEN NULL ELSE OLD END;
     END $$;
     CREATE TRIGGER keep_one BEFORE DELETE ON audit_pending FOR EACH ROW EXECUTE FUNCTION keep_one()`,
  );
  await expect(numberAll(pool)).rejects.toThrow("the queue of the audit log was changed while it was read");
  expect((await readTree(pool)).size).toBe(size);
  await pool.query("DROP TRIGGER keep_one ON audit_pending");
  await numberAll(pool);
  await expectWhole();
});

it("events of a database that was moved here by a dump are numbered: their transactions are of another server", async () => {
  await write(1, "COMMIT");
  await pool.query("UPDATE audit_pending SET xid = xid + 1000000000");
  await numberAll(pool);
  await expectWhole();
});

it("an event that was taken out before it had a number has one, and an empty entry", async () => {
  await write(2, "COMMIT");
  const { size } = await readTree(pool);
  await pool.query("DELETE FROM audit_event WHERE id = (SELECT event_id FROM audit_pending LIMIT 1)");
  await numberAll(pool);
  expect((await readEntries(pool, size, 2)).map(({ length }) => length > 0).sort()).toEqual([false, true]);
});

it("signs news once, and nothing that does not begin with what was signed", async () => {
  await addFirstKey(pool, secrets, "reclaim.test/audit-log");
  await addFirstKey(pool, secrets, "reclaim.test/audit-log");
  await numberAll(pool);
  expect([await signNews(pool, secrets), await signNews(pool, secrets)]).toEqual([true, false]);
  expect(await rows("SELECT 1 FROM audit_key")).toHaveLength(1);
  await write(1, "COMMIT");
  await numberAll(pool);
  expect(await signNews(pool, secrets)).toBe(true);
  await write(1, "COMMIT");
  await numberAll(pool);
  // Rewrites the tree.
  await pool.query("UPDATE audit_leaf SET hash = $1 WHERE seq = 3", [randomBytes(32)]);
  await pool.query("UPDATE audit_tree SET edge = overlay(edge placing $1 from 1)", [randomBytes(32)]);
  await expect(signNews(pool, secrets)).rejects.toThrow(ForkedLogError);
  expect(await rows("SELECT 1 FROM audit_checkpoint")).toHaveLength(2);
});
