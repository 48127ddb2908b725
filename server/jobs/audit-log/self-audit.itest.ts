// The log's check of itself on a database: it says so when all is well, and names what was changed, night after night.
import { randomBytes, randomUUID } from "node:crypto";
import pino from "pino";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { addFirstKey } from "@/server/db/audit-log/keys";
import { readSelfAudit, whileChecking } from "@/server/db/audit-log/self-audit";
import { signNews } from "@/server/db/audit-log/sign";
import { numberAll } from "@/server/db/audit-log/testing/number-all";
import { withConnection } from "@/server/db/connection";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import { fileDatabase } from "@/server/db/testing/file-database";
import { checkLog } from "@/server/jobs/audit-log/self-audit";

let pool: Pool;
const secrets = createSecretBox(randomBytes(32));
const logger = pino({ level: "silent" });
fileDatabase(4, async (made) => {
  pool = made;
  await addFirstKey(pool, secrets, "reclaim.test/audit-log");
  for (let n = 0; n < 3; n += 1)
    await pool.query(
      "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES ($1, 'system', 'host.retry', 'done')",
      [randomUUID()],
    );
});

async function check() {
  await numberAll(pool);
  await signNews(pool, secrets, () => undefined);
  await withConnection(pool, (client) =>
    whileChecking(client, () => checkLog(client, logger, new AbortController().signal)),
  );
  return readSelfAudit(pool);
}

it("finds nothing in a log that is whole, and an event that was changed since", async () => {
  expect(await check()).toMatchObject({ ok: true, events: 4, faults: 0, first: [] });
  // The event of a check is an event like any other, and the next check covers it and keeps its checkpoint.
  expect(await check()).toMatchObject({ ok: true, events: 5 });
  await withConnection(pool, async (client) => {
    await client.query("SET session_replication_role = replica");
    await client.query(
      "UPDATE audit_event SET actor_name = 'Mallory' WHERE id = (SELECT event_id FROM audit_leaf WHERE seq = 1)",
    );
    await client.query("RESET session_replication_role");
  });
  const found = await check();
  expect(found).toMatchObject({ ok: false, events: 6 });
  expect(found?.first.join()).toMatch(/event 1 .*is not what was logged/);
  expect(await check()).toMatchObject({ ok: false, events: 7 });
  await withConnection(pool, async (client) => {
    await client.query("SET session_replication_role = replica");
    await client.query(
      "INSERT INTO audit_event (id, actor_kind, action, outcome) VALUES ($1, 'system', 'host.retry', 'done')",
      [randomUUID()],
    );
    await client.query("RESET session_replication_role");
  });
  expect((await check())?.faults).toBe((found?.faults ?? 0) + 1);
});

it("leaves it to the process that is at it", async () => {
  const others: string[] = [];
  await withConnection(pool, (one) =>
    whileChecking(one, () =>
      withConnection(pool, (other) =>
        whileChecking(other, async () => {
          others.push("checked");
        }),
      ),
    ),
  );
  expect(others).toEqual([]);
});
