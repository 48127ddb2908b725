// The job as a controller runs it: events of before the upgrade come first, then its own key, then what is written; two of it do no harm.
import { randomBytes } from "node:crypto";
import pino from "pino";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { startAuditLog } from "@/server/jobs/audit-log/audit-log";
import { readCheckpoint, readEntries } from "@/server/db/audit-log/log-rows";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { fileDatabase } from "@/server/db/testing/file-database";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { parseEntry } from "@/server/domain/audit-log/entry";

let pool: Pool;
fileDatabase(6, async (made) => {
  pool = made;
  // As the migration leaves them: in the queue, of no transaction.
  await pool.query(
    "INSERT INTO audit_event (id, at, actor_kind, action, outcome, actor_name) SELECT gen_random_uuid(), '2026-01-01'::timestamptz - n * interval '1 second', 'system', 'host.retry', 'done', n::text FROM generate_series(1, 5) n",
  );
  await pool.query("UPDATE audit_pending SET xid = 0");
});

const size = async (): Promise<number> => parseCheckpoint((await readCheckpoint(pool)) ?? "")?.size ?? 0;

it("numbers and signs, until it is stopped", async () => {
  const secrets = createSecretBox(randomBytes(32));
  const start = () => startAuditLog(pool, secrets, pino({ level: "silent" }), "https://reclaim.test:8443/");
  const stops = [start(), start()];
  await expect.poll(size).toBe(6);
  expect((await readEntries(pool, 0, 6)).map((entry) => parseEntry(entry)?.actorName)).toEqual([
    "5",
    "4",
    "3",
    "2",
    "1",
    null,
  ]);
  expect(parseCheckpoint((await readCheckpoint(pool)) ?? "")?.origin).toBe("reclaim.test:8443/audit-log");
  await pool.query(
    "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES (gen_random_uuid(), 'system', 'host.retry', 'done')",
  );
  await expect.poll(size).toBe(7);
  await Promise.all(stops.map((stop) => stop()));
  await pool.query(
    "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES (gen_random_uuid(), 'system', 'host.retry', 'done')",
  );
  expect((await pool.query("SELECT 1 FROM audit_pending")).rowCount).toBe(1);
});
