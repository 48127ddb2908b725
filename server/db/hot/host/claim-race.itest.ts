// A signal that is stored while a claim looks for due hosts: the row lock sees its newest version, the signals are read from the snapshot.
import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { claimHosts } from "@/server/db/hot/host/claim";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { createHotPool } from "@/server/db/hot/pool";
import { signalHosts } from "@/server/db/hot/signal";
import { createTestDatabase } from "@/server/db/testing/test-database";
import type { TestDatabase } from "@/server/db/testing/test-database";
import { until } from "@/server/testing/until";
import { addHost, addSite } from "@/server/db/testing/rows";

let database: TestDatabase;
let pool: Pool;
let heldPool: Pool;
let holder: PoolClient;
const hostId = randomUUID();
const controllerId = randomUUID();
/** An advisory lock. While it is held, claims of `heldPool` wait. */
const gate = 7;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createHotPool(database.url, { max: 4 });
  // For claims of this pool the clock waits at a gate, and so does the search for due hosts: the race lasts until the test opens the gate.
  await pool.query(
    `CREATE SCHEMA held; CREATE FUNCTION held.now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${gate}); RETURN pg_catalog.now(); END $$`,
  );
  const url = new URL(database.url);
  url.searchParams.set("options", "-c search_path=held,public,pg_catalog");
  heldPool = createHotPool(url.href, { max: 1 });
  holder = await pool.connect();
  holder.on("error", () => undefined);
  const siteId = await addSite(pool);
  await addHost(pool, hostId, { siteId, serial: "s1" });
});
afterAll(async () => {
  holder.release();
  await heldPool.end();
  await pool.end();
  await database.drop();
});

/** Claims, and runs `meanwhile` after the claim has started and before it has found its hosts. */
async function claimWhile(meanwhile: () => Promise<unknown>): ReturnType<typeof claimHosts> {
  await holder.query("SELECT pg_advisory_lock($1)", [gate]);
  const claiming = claimHosts(heldPool, controllerId, 10, 60_000);
  try {
    await until(
      "the claim to stand at the gate",
      30_000,
      async () =>
        (
          await pool.query(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [gate],
          )
        ).rowCount === 1,
    );
    await meanwhile();
  } finally {
    await holder.query("SELECT pg_advisory_unlock($1)", [gate]);
  }
  return claiming;
}

const manage = () => ({
  hostId,
  kind: "manage" as const,
  payload: { by: { personId: null, name: "test", requestId: randomUUID() } },
});

const isDueAgain = () =>
  pool.query(
    "UPDATE host_run SET lease_owner = NULL, lease_until = NULL, due_at = now() - interval '1 second' WHERE host_id = $1",
    [hostId],
  );

async function verdictsOfNextClaim() {
  await isDueAgain();
  const [claim] = await claimHosts(pool, controllerId, 10, 60_000);
  return claim?.ok === true ? claim.view.deviceVerdicts : claim;
}

it("a claim counts as read only the signals that it shows", async () => {
  await signalHosts(pool, [manage()]);
  const [claim] = await claimWhile(() => signalHosts(pool, [manage()]));
  expect(claim?.ok).toBe(true);
  if (claim?.ok !== true) return;
  expect(claim.view.signals).toHaveLength(1);
  expect(claim.view.run.wakeSeq).toBe("1");
  const { rows } = await pool.query<{ wake_seq: bigint }>(
    "SELECT wake_seq FROM host_run WHERE host_id = $1",
    [hostId],
  );
  expect(rows[0]?.wake_seq).toBe(2n);
});

it("evidence that moves meanwhile is not taken for seen", async () => {
  await pool.query(
    "UPDATE host_run SET lease_owner = NULL, lease_until = NULL, due_at = now() - interval '1 second', evidence_seq = 5 WHERE host_id = $1",
    [hostId],
  );
  const [claim] = await claimWhile(() =>
    pool.query("UPDATE host_run SET evidence_seq = evidence_seq + 1 WHERE host_id = $1", [hostId]),
  );
  expect(claim?.ok === true ? claim.view.run.evidenceSeq : null).toBe("5");
});

it("a drive that an earlier release called sanitized by a technique that never counts is failed, until it is erased again", async () => {
  const reclamationId = randomUUID();
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, plan_epoch) VALUES ($1, $2, 's1', 'onboarding', 1, $3, 1)",
    [reclamationId, hostId, JSON.stringify(defaultPolicy())],
  );
  const erasedBy = (serial: string, technique: string | null, verdict = "sanitized") =>
    pool.query(
      "INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report) VALUES ($1, $2, gen_random_uuid(), 1, 1, $3, 'M', 'hdd', $4, 'ieee-2883', 'clear', 1, $5, 'as stored', '{}')",
      [reclamationId, hostId, serial, technique, verdict],
    );
  await erasedBy("D1", "scsi-format");
  await erasedBy("D2", "scsi-format");
  await erasedBy("D2", "overwrite");
  await erasedBy("D3", null, "failed");
  await erasedBy("D4", "scsi-format", "failed");
  expect(await verdictsOfNextClaim()).toEqual([
    { serial: "D1", model: "M", verdict: "failed", reason: "erased by scsi-format, which never counts" },
    { serial: "D2", model: "M", verdict: "sanitized", reason: "as stored" },
    { serial: "D3", model: "M", verdict: "failed", reason: "as stored" },
    { serial: "D4", model: "M", verdict: "failed", reason: "as stored" },
  ]);
});

it("a recheck shows what its drives were last erased by in this host, judged by today's table", async () => {
  const expected = ["D1", "D2", "D5"].map((serial) => ({ serial, model: "M" }));
  await pool.query("UPDATE reclamation SET ended_at = now(), outcome = 'ready' WHERE host_id = $1", [hostId]);
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, devices) VALUES (gen_random_uuid(), $1, 's1', 'recheck', 1, $2, $3)",
    [hostId, JSON.stringify(defaultPolicy()), JSON.stringify({ expected, missing: [], excluded: [] })],
  );
  expect(await verdictsOfNextClaim()).toEqual([
    { serial: "D1", model: "M", verdict: "failed", reason: "erased by scsi-format, which never counts" },
    { serial: "D2", model: "M", verdict: "sanitized", reason: "as stored" },
  ]);
  await pool.query("UPDATE reclamation SET plan_epoch = 1 WHERE host_id = $1 AND ended_at IS NULL", [hostId]);
});

it("a host that another controller claimed and gave back meanwhile is left alone", async () => {
  await isDueAgain();
  expect(
    await claimWhile(() =>
      pool.query("UPDATE host_run SET generation = generation + 1, state = 'Verifying' WHERE host_id = $1", [
        hostId,
      ]),
    ),
  ).toEqual([]);
  expect(await claimHosts(pool, controllerId, 10, 60_000)).toHaveLength(1);
});
