// A signal that is stored while a claim looks for due hosts: the row is locked in its newest version, the signals are read as of before.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimHosts } from "@/server/db/hot/claim";
import { createHotPool } from "@/server/db/hot/pool";
import { signalHosts } from "@/server/db/hot/signal";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";
import { defaultPolicy } from "@/server/domain/cleaning/policy";

let database: TestDatabase;
let pool: Pool;
let slowPool: Pool;
const hostId = randomUUID();
const controllerId = randomUUID();
const slowMs = 150;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createHotPool(database.url, { max: 4 });
  // For the claims of this pool the clock takes its time, and with it the search for due hosts: what is a moment becomes long enough to meet.
  await pool.query(`CREATE SCHEMA slow; CREATE FUNCTION slow.now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM pg_sleep(${slowMs / 1000}); RETURN pg_catalog.now(); END $$`);
  const url = new URL(database.url);
  url.searchParams.set("options", "-c search_path=slow,public,pg_catalog");
  slowPool = createHotPool(url.href, { max: 1 });
  const siteId = randomUUID();
  await pool.query("INSERT INTO site (id, name) VALUES ($1, 'a')", [siteId]);
  await pool.query("INSERT INTO site_policy (site_id, version, body) VALUES ($1, 1, $2)", [siteId, JSON.stringify(defaultPolicy())]);
  await pool.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces) VALUES ($1, 'h1', $2, 'redfish', 's1', $1, 'bmc', 'u', '', '{p0}')`,
    [hostId, siteId],
  );
  await pool.query("INSERT INTO host_run (host_id, site_id, name, state) VALUES ($1, $2, 'h1', 'Enroll')", [hostId, siteId]);
});
afterAll(async () => {
  await slowPool.end();
  await pool.end();
  await database.drop();
});

const manage = () => ({ hostId, kind: "manage" as const, payload: { by: { personId: null, name: "test", requestId: randomUUID() } } });

it("a claim counts as read only the signals that it shows", async () => {
  await signalHosts(pool, [manage()]);
  const claiming = claimHosts(slowPool, controllerId, 10, 60_000);
  await sleep(slowMs / 2);
  await signalHosts(pool, [manage()]);
  const [claim] = await claiming;
  expect(claim?.ok).toBe(true);
  if (claim?.ok !== true) return;
  expect(claim.view.signals).toHaveLength(1);
  expect(claim.view.run.wakeSeq).toBe("1");
  const { rows } = await pool.query<{ wake_seq: bigint }>("SELECT wake_seq FROM host_run WHERE host_id = $1", [hostId]);
  expect(rows[0]?.wake_seq).toBe(2n);
});

it("evidence that moves meanwhile is not taken for seen", async () => {
  await pool.query("UPDATE host_run SET lease_owner = NULL, lease_until = NULL, due_at = now(), evidence_seq = 5 WHERE host_id = $1", [hostId]);
  const claiming = claimHosts(slowPool, controllerId, 10, 60_000);
  await sleep(slowMs / 2);
  await pool.query("UPDATE host_run SET evidence_seq = evidence_seq + 1 WHERE host_id = $1", [hostId]);
  const [claim] = await claiming;
  expect(claim?.ok === true ? claim.view.run.evidenceSeq : null).toBe("5");
});

it("a host that another controller claimed and gave back meanwhile is left alone", async () => {
  await pool.query("UPDATE host_run SET lease_owner = NULL, lease_until = NULL, due_at = now() WHERE host_id = $1", [hostId]);
  const claiming = claimHosts(slowPool, controllerId, 10, 60_000);
  await sleep(slowMs / 2);
  await pool.query("UPDATE host_run SET generation = generation + 1, state = 'Verifying' WHERE host_id = $1", [hostId]);
  expect(await claiming).toEqual([]);
  expect(await claimHosts(pool, controllerId, 10, 60_000)).toHaveLength(1);
});
