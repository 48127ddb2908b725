// Which debts and statements a claim shows: those of the chassis and of drives that were moved here, and those that another person signed.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect, it } from "vitest";
import { claimHosts } from "@/server/db/hot/host/claim";
import { fileDatabase } from "@/server/db/testing/file-database";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { gateStates } from "@/server/domain/hosts/record/scope";
import { addHost, addSite } from "@/server/db/testing/rows";

let pool: Pool;
const hostId = randomUUID();

fileDatabase(2, async (started) => {
  pool = started;
  const siteId = await addSite(pool);
  await addHost(pool, hostId, { siteId, serial: "chassis-1" });
  await pool.query("UPDATE host_run SET state = 'Manageable' WHERE host_id = $1", [hostId]);
  await pool.query("INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'bmc', $2)", [
    hostId,
    JSON.stringify({ storage: [{ serial: "drive-1" }, { serial: "drive-2" }] }),
  ]);
});

async function due() {
  await pool.query(
    "UPDATE host_run SET lease_owner = NULL, lease_until = NULL, due_at = now() - interval '1 second' WHERE host_id = $1",
    [hostId],
  );
  return claimHosts(pool, randomUUID(), 1, 60_000);
}

async function debts(): Promise<unknown> {
  const [claim] = await due();
  return claim?.ok === true ? claim.view.debts : claim;
}

/** Of a request that another person has decided, or not yet. */
async function approval(decision: string | null): Promise<string> {
  const id = randomUUID();
  await pool.query(
    "INSERT INTO approval (id, kind, subject_id, evidence, asked_by, asked_by_name, reason) VALUES ($1, 'disposition', $1, 'x', gen_random_uuid(), 'Ada', '')",
    [id],
  );
  if (decision !== null)
    await pool.query(
      "UPDATE approval SET decision = $2, decided_by = gen_random_uuid(), decided_by_name = 'Bea', decided_at = now(), decided_reason = '' WHERE id = $1",
      [id, decision],
    );
  return id;
}

/** Without an approval: from before the release that requires two signatures. */
const dispose = (chassis: string, drive: string, approvalId: string | null = null) =>
  pool.query(
    "INSERT INTO drive_disposition (id, host_id, chassis_serial, key, kind, reason, by_name, approval_id) VALUES (gen_random_uuid(), gen_random_uuid(), $1, $2, 'removed-returned', 'RMA 7', 'Ada', $3)",
    [chassis, drive, approvalId],
  );

const owe = (chassis: string, drives: readonly string[]) =>
  pool.query("INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), $1, $2)", [
    chassis,
    drives,
  ]);

it("counts the debt of a drive that came from another chassis, and does not miss that one's other drives here", async () => {
  expect(await debts()).toEqual({ count: 0, driveSerials: [] });
  await owe("chassis-9", ["drive-7", "drive-8"]);
  expect(await debts()).toEqual({ count: 0, driveSerials: [] });
  await owe("chassis-8", ["drive-2", "drive-9"]);
  expect(await debts()).toEqual({ count: 1, driveSerials: [] });
  await owe("chassis-1", ["drive-1"]);
  expect(await debts()).toEqual({ count: 2, driveSerials: ["drive-1"] });
});

it("counts a drive that was stated to be removed from a host and is in this one, until the statement is withdrawn", async () => {
  const before = await debts();
  expect(before).toMatchObject({ count: 2 });
  await dispose("chassis-7", "drive-5");
  expect(await debts()).toEqual(before);
  await dispose("chassis-7", "drive-2");
  expect(await debts()).toMatchObject({ count: 3, driveSerials: ["drive-1"] });
  await pool.query("UPDATE drive_disposition SET withdrawn_at = now() WHERE key = 'drive-2'");
  expect(await debts()).toEqual(before);
});

it("brings the drives that belong elsewhere where the gates are evaluated", async () => {
  const elsewhere = async (state: string) => {
    await pool.query(
      "UPDATE host_run SET state = $2, lease_owner = NULL, lease_until = NULL, due_at = now() - interval '1 second' WHERE host_id = $1",
      [hostId, state],
    );
    const [claim] = await claimHosts(pool, randomUUID(), 1, 60_000);
    return claim?.ok === true ? claim.view.elsewhere : claim;
  };
  for (const state of gateStates)
    expect(await elsewhere(state)).toEqual([{ serial: "drive-2", why: "owed", host: "chassis-8" }]);
  expect(await elsewhere("Manageable")).toBeNull();
});

it("brings what stands of this chassis, and keeps statements as they are", async () => {
  await dispose("chassis-1", "drive-9");
  await dispose("chassis-1", "drive-8", await approval(null));
  await dispose("chassis-1", "drive-10", await approval("rejected"));
  await dispose("chassis-1", "drive-11", await approval("approved"));
  await pool.query(
    "UPDATE host_run SET lease_owner = NULL, lease_until = NULL, due_at = now() - interval '1 second' WHERE host_id = $1",
    [hostId],
  );
  const [claim] = await claimHosts(pool, randomUUID(), 1, 60_000);
  expect(claim?.ok === true ? claim.view.dispositions : claim).toMatchObject([
    {
      key: "drive-9",
      kind: "removed-returned",
      reason: "RMA 7",
      by: "Ada",
      slot: null,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      signature: "one",
      signedBy: null,
    },
    { key: "drive-11", signature: "signed", signedBy: "Bea" },
  ]);
  await expect(dispose("chassis-1", "drive-9")).rejects.toThrow(/drive_disposition_standing/);
  await expect(
    pool.query("UPDATE drive_disposition SET reason = 'other' WHERE key = 'drive-9'"),
  ).rejects.toThrow(/never changed/);
  await expect(pool.query("DELETE FROM drive_disposition")).rejects.toThrow(/never changed or deleted/);
});

it("brings the exceptions of the open reclamation that another person approved; their drives stay owed", async () => {
  const reclamation = randomUUID();
  await pool.query("UPDATE host_run SET state = 'Failed/GateUnsatisfied' WHERE host_id = $1", [hostId]);
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy, plan_epoch) VALUES ($1, $2, 'x', 'onboarding', 1, $3, 1)",
    [reclamation, hostId, JSON.stringify(defaultPolicy())],
  );
  const before = await debts();
  const except = async (decision: string | null) => {
    const id = randomUUID();
    await pool.query(
      "INSERT INTO approval (id, kind, subject_id, evidence, asked_by, asked_by_name, reason, valid_until) VALUES ($1, 'exception', $1, 'x', gen_random_uuid(), 'Ada', '', now() + interval '1 day')",
      [id],
    );
    await pool.query(
      "INSERT INTO gate_exception (id, site_id, host_id, host_name, reclamation_id, gate, drive_serial, drive_model, found, measure, risk, approval_id) VALUES ($1, gen_random_uuid(), $2, 'x', $3, 'storageSanitized', 'drive-1', 'M', '{}', 'm', 'r', $1)",
      [id, hostId, reclamation],
    );
    if (decision !== null)
      await pool.query(
        "UPDATE approval SET decision = $2, decided_by = gen_random_uuid(), decided_by_name = 'Bea', decided_at = now(), decided_reason = '' WHERE id = $1",
        [id, decision],
      );
    return id;
  };
  await except(null);
  await except("rejected");
  expect(await debts()).toEqual(before);
  const id = await except("approved");
  expect(await debts()).not.toEqual(before);
  await pool.query(
    "UPDATE host_run SET lease_owner = NULL, lease_until = NULL, due_at = now() - interval '1 second' WHERE host_id = $1",
    [hostId],
  );
  const [claim] = await claimHosts(pool, randomUUID(), 1, 60_000);
  expect(claim?.ok === true ? claim.view.exceptions : claim).toMatchObject([
    { id, gate: "storageSanitized", device: { serial: "drive-1", model: "M" }, approvedBy: "Bea" },
  ]);
});

it("shows a changed part as accepted once another person signed the statement", async () => {
  const state = (name: string) =>
    pool.query("UPDATE host_run SET state = $2 WHERE host_id = $1", [hostId, name]);
  const accepted = async () => {
    const [claim] = await due();
    return claim?.ok === true ? claim.view.parts?.accepted.map(({ evidence }) => evidence) : claim;
  };
  await state("BomValidating/SkuVerificationFailed");
  const signed = "c".repeat(64);
  for (const [evidence, decision] of [
    ["a".repeat(64), null],
    ["b".repeat(64), "rejected"],
    [signed, "approved"],
  ] as const)
    await pool.query(
      "INSERT INTO part_disposition (id, host_id, host_name, evidence, changes, words, reason, by_id, by_name, approval_id) VALUES (gen_random_uuid(), $1, 'h', $2, '[]', '', 'RMA 7', gen_random_uuid(), 'Ada', $3)",
      [hostId, evidence, await approval(decision)],
    );
  expect(await accepted()).toEqual([signed]);
});
