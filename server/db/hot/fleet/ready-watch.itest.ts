// Hosts that wait in Ready, on a real database: which are compared, what is kept, which are put in doubt, and which proofs are too old.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { recheckAged } from "@/server/db/hot/fleet/aged-proof";
import { doubtReady, storeWatched, watchedHosts } from "@/server/db/hot/fleet/ready-watch";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addSite } from "@/server/db/testing/rows";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { nothingToWatch } from "@/server/domain/hosts/ready-watch/reading";

let pool: Pool;
const [siteId, tenantId, skuId] = [randomUUID(), randomUUID(), randomUUID()];
fileDatabase(4, async (started) => {
  pool = started;
  await addSite(pool, siteId);
  await pool.query("INSERT INTO tenant (id, org, name) VALUES ($1, 't', 't')", [tenantId]);
  await pool.query("INSERT INTO sku (id, name, components) VALUES ($1, 's', '{}')", [skuId]);
  // The triggers guard what the controller writes row by row.
  await pool.query("ALTER TABLE host_run DISABLE TRIGGER USER");
  for (const table of ["reclamation", "debt"]) await pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
});
beforeEach(async () => {
  for (const table of ["instance", "debt", "reclamation", "host"]) await pool.query(`DELETE FROM ${table}`);
});

/** A Ready host with one drive, whose proof is `days` old. */
async function ready(drive: string, days = 1): Promise<{ hostId: string; reclamationId: string }> {
  const [hostId, reclamationId] = [randomUUID(), randomUUID()];
  await pool.query(
    `INSERT INTO host (id, name, site_id, sku_id, hardware_type, serial, system_uuid, bmc_links, network_interfaces)
     VALUES ($1::uuid, $1::text, $2, $3, 'redfish', $1::text, $1::uuid, '{}', '{p0}')`,
    [hostId, siteId, skuId],
  );
  await pool.query(
    `INSERT INTO reclamation (id, host_id, kind, policy_version, policy, started_at, ended_at, outcome, host_serial)
     VALUES ($1, $2, 'onboarding', 1, '{}', now(), now() - $3 * interval '1 day', 'ready', 'S')`,
    [reclamationId, hostId, days],
  );
  await pool.query(
    `INSERT INTO host_run (host_id, site_id, name, state, allocatable, reclamation_id, context)
     VALUES ($1::uuid, $2, $1::text, 'Ready', true, $3, $4)`,
    [hostId, siteId, reclamationId, { drives: [drive], resetMark: "2026-11-01T00:00:00Z" }],
  );
  await pool.query("INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'bmc', $2)", [
    hostId,
    { storage: [{ serial: drive, model: "m" }], unresolved: [{ key: "bay 2" }] },
  ]);
  return { hostId, reclamationId };
}
const claim = (hostId: string) =>
  pool.query("INSERT INTO instance (id, name, tenant_id, host_id) VALUES (gen_random_uuid(), 'i', $1, $2)", [
    tenantId,
    hostId,
  ]);
const known = async (hostId: string) => (await watchedHosts(pool, [hostId]))[0];
const run = async (hostId: string) =>
  (
    await pool.query<{
      touched: boolean;
      touched_reason: string | null;
      allocatable: boolean;
      wake_seq: string;
    }>("SELECT touched, touched_reason, allocatable, wake_seq::text FROM host_run WHERE host_id = $1", [
      hostId,
    ])
  ).rows[0];

it("what its reclamation left is there before the first reading, and a reading of an earlier reclamation is not", async () => {
  const { hostId, reclamationId } = await ready("A");
  expect(await known(hostId)).toMatchObject({
    last: null,
    orderedMark: "2026-11-01T00:00:00Z",
    inventory: { drives: [{ serial: "A", model: "m" }], unnamed: ["bay 2"] },
    elsewhere: [],
  });
  await storeWatched(pool, [{ hostId, reclamationId, reading: nothingToWatch, failure: null }]);
  await storeWatched(pool, [{ hostId, reclamationId, reading: null, failure: "no answer" }]);
  expect((await known(hostId))?.last).toEqual(nothingToWatch);
  const { rows } = await pool.query("SELECT failure, read_at IS NOT NULL AS read FROM ready_watch");
  expect(rows).toEqual([{ failure: "no answer", read: true }]);
  await pool.query("UPDATE ready_watch SET reclamation_id = gen_random_uuid()");
  expect((await known(hostId))?.last).toBeNull();
});

describe("a drive that belongs elsewhere", () => {
  it("is one that is owed", async () => {
    const { hostId } = await ready("A");
    await pool.query(
      "INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), 'OTHER', '{A}')",
    );
    expect((await known(hostId))?.elsewhere).toEqual([{ serial: "A", why: "owed", host: "OTHER" }]);
    await pool.query("UPDATE debt SET cleared_at = now(), cleared_by = gen_random_uuid()");
    expect((await known(hostId))?.elsewhere).toEqual([]);
  });

  it("is none that this host erased since, and one that it erased before", async () => {
    const { hostId, reclamationId } = await ready("A");
    await pool.query("ALTER TABLE device_result DISABLE TRIGGER USER");
    await pool.query(
      `INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report)
       VALUES ($1, $2, gen_random_uuid(), 1, 1, 'A', 'm', 'nvme', 'nvme-sanitize-crypto', 's', 'purge', 1, 'sanitized', '', '{}')`,
      [reclamationId, hostId],
    );
    await pool.query(
      "INSERT INTO debt (id, chassis_serial, drive_serials, created_at) VALUES (gen_random_uuid(), 'OTHER', '{A}', now() - interval '1 hour')",
    );
    expect((await known(hostId))?.elsewhere).toEqual([]);
    await pool.query("UPDATE debt SET created_at = now() + interval '1 second'");
    expect((await known(hostId))?.elsewhere).toEqual([{ serial: "A", why: "owed", host: "OTHER" }]);
  });

  it("is none that only this host owes, and none by a placeholder in place of a serial number", async () => {
    const { hostId } = await ready("To be filled by O.E.M.");
    const owe = (chassis: string, drive: string) =>
      pool.query(
        "INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), $1, ARRAY[$2])",
        [chassis, drive],
      );
    await owe("OTHER", "To be filled by O.E.M.");
    expect((await known(hostId))?.elsewhere).toEqual([]);
    const own = await ready("A");
    await owe(own.hostId, "A");
    expect((await known(own.hostId))?.elsewhere).toEqual([]);
  });

  it("is one that a tenant has in another host", async () => {
    const { hostId } = await ready("A");
    const other = await ready("A");
    await claim(other.hostId);
    expect((await known(hostId))?.elsewhere).toEqual([{ serial: "A", why: "held", host: other.hostId }]);
    await pool.query("UPDATE instance SET ended_at = now()");
    expect((await known(hostId))?.elsewhere).toEqual([]);
  });
});

it("a host in doubt leaves allocation and is woken with the reason; one that was claimed, or proven anew, is left alone", async () => {
  const [one, claimed, anew] = [await ready("A"), await ready("B"), await ready("C")];
  await claim(claimed.hostId);
  const why = "it changed";
  const doubted = await doubtReady(pool, [
    { ...one, why },
    { ...claimed, why },
    { ...anew, reclamationId: randomUUID(), why },
  ]);
  expect(doubted).toEqual([one.hostId]);
  expect(await run(one.hostId)).toEqual({
    touched: true,
    touched_reason: why,
    allocatable: false,
    wake_seq: "1",
  });
  expect(await run(anew.hostId)).toMatchObject({ touched: false, allocatable: true });
  expect(await known(one.hostId)).toBeUndefined();
});

describe("an old proof", () => {
  const policy = (proofMaxAgeDays: number) =>
    pool.query("UPDATE site_policy SET body = $1", [{ ...defaultPolicy(), proofMaxAgeDays }]);
  const taken = async () =>
    (await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM host_run WHERE touched")).rows[0]?.n;

  it("is checked again a few hosts at a time, and the last host of a SKU only at its full age", async () => {
    await policy(100);
    for (let n = 0; n < 12; n += 1) await ready(`A${n}`, 95);
    await recheckAged(pool);
    expect(await taken()).toBe(1);
    await pool.query(
      "DELETE FROM host WHERE id IN (SELECT host_id FROM host_run ORDER BY touched DESC LIMIT 11)",
    );
    await recheckAged(pool);
    expect(await taken()).toBe(0);
    await pool.query("UPDATE reclamation SET ended_at = now() - interval '101 days'");
    await recheckAged(pool);
    expect(await taken()).toBe(1);
  });

  it("counts for ever where the policy says so, and not before nine tenths of the age", async () => {
    await policy(100);
    await ready("A", 89);
    await ready("B", 80);
    await recheckAged(pool);
    expect(await taken()).toBe(0);
    await policy(0);
    await pool.query("UPDATE reclamation SET ended_at = now() - interval '3000 days'");
    await recheckAged(pool);
    expect(await taken()).toBe(0);
  });
});
