// The last commit of a decommission on a real database: the statement that enters the state deletes the host, and the database still sees its debts.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { fakeIdentity } from "@/server/domain/hosts/fake/fake-type";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { LeavingContext } from "@/server/domain/lifecycle/context";
import { claimHosts } from "@/server/db/hot/host/claim";
import { commitHosts } from "@/server/db/hot/host/commit";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addHost, addSite } from "@/server/db/testing/rows";
import { commitRows } from "@/server/controller/loop/commit-rows";
import { decide } from "@/server/controller/decide/decide";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { State } from "@/server/domain/lifecycle/states";
import { allProven } from "@/server/controller/testing/host-view";
import { acksOf, networkContext, succeededPlan } from "@/server/controller/testing/view-parts";

let pool: Pool;
const siteId = randomUUID();
const controllerId = randomUUID();

fileDatabase(2, async (started) => {
  pool = started;
  await addSite(pool, siteId);
});

let hostId = "";
beforeEach(async () => {
  await pool.query("DELETE FROM host");
  hostId = randomUUID();
});

const leaving: LeavingContext = {
  by: { personId: null, name: "operator" },
  reason: "sold",
  at: "2026-11-22T08:00:00.000Z",
  keepAccount: false,
  leftovers: [
    {
      kind: "ownAccount",
      what: "account that Reclaim signs in with",
      outcome: "removed",
      message: null,
      accepted: null,
    },
  ],
  part: "ownAccount",
  sent: false,
  failures: 0,
  retryAt: null,
};

/** Puts a host into a state of its decommission, with these gates. */
async function leaves(state: State, gates: readonly string[]): Promise<void> {
  const id = randomUUID();
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) SELECT $1, id, serial, 'decommission', 1, $2 FROM host WHERE id = $3",
    [id, JSON.stringify(defaultPolicy()), hostId],
  );
  for (const gate of gates)
    await pool.query(
      "INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq) VALUES ($1, $2, 'satisfied', '', '{}', 1, 1)",
      [id, gate],
    );
  await pool.query(
    "UPDATE host_run SET state = $2, reclamation_id = $3, context = $4, due_at = now() - interval '1 s' WHERE host_id = $1",
    [
      hostId,
      state,
      id,
      { ...emptyContext(), network: networkContext("quarantine"), proven: allProven, leaving },
    ],
  );
}

async function claimed(): Promise<HostView> {
  const [claim] = await claimHosts(pool, controllerId, 1, 60_000);
  if (claim?.ok !== true || claim.view.run.hostId !== hostId) throw new Error("the host was not claimed");
  return claim.view;
}

const commit = async (view: HostView, decision: Decision): Promise<boolean> =>
  (await commitHosts(pool, controllerId, commitRows([{ view, decision }], randomUUID))).has(hostId);

const decided = (view: HostView): Decision => decide(view, { newId: randomUUID, fakeHardware: true });

const recordOf = async (): Promise<{ how: string; hardware_type: string } | undefined> =>
  (await pool.query("SELECT how, hardware_type FROM gone_host WHERE host_id = $1", [hostId])).rows[0];

describe("a machine whose leftovers are removed", () => {
  const dataGates = ["cleanupCompleted", "storageSanitized", "memoryOverwritten"];
  const lastDecision = async (gates: readonly string[] = dataGates) => {
    await addHost(pool, hostId, { siteId });
    await pool.query("UPDATE host SET network_interfaces = $2 WHERE id = $1", [
      hostId,
      networkContext("quarantine").wanted.interfaces,
    ]);
    await leaves("Decommissioning/RemovingLeftovers", gates);
    const view = await claimed();
    const decision = decided({ ...view, acks: acksOf(networkContext("quarantine")) });
    expect(decision.run.state).toBe("Decommissioned");
    return { view, decision };
  };
  const owe = () =>
    pool.query(
      "INSERT INTO debt (id, chassis_serial, drive_serials) SELECT gen_random_uuid(), serial, '{d1}' FROM host WHERE id = $1",
      [hostId],
    );

  it("leaves, and its record says so", async () => {
    const { view, decision } = await lastDecision();
    expect(await commit(view, decision)).toBe(true);
    expect(await recordOf()).toMatchObject({ how: "decommissioned" });
  });

  it("is refused by the database where it owes a sanitization since it was claimed", async () => {
    const { view, decision } = await lastDecision();
    await owe();
    await expect(commit(view, decision)).rejects.toThrow(/it owes a sanitization/);
    expect(await recordOf()).toBeUndefined();
  });

  it("is refused by the database where a gate is not proven, though the controller says so", async () => {
    const { view, decision } = await lastDecision(dataGates.slice(1));
    await expect(commit(view, decision)).rejects.toThrow(/cleanupCompleted not proven/);
  });

  it("stays where its evidence moved since it was claimed", async () => {
    const { view, decision } = await lastDecision();
    await pool.query("UPDATE host_run SET evidence_seq = evidence_seq + 1 WHERE host_id = $1", [hostId]);
    expect(await commit(view, decision)).toBe(false);
    expect(await recordOf()).toBeUndefined();
  });
});

it("a fake host leaves, and its record says that no machine stood behind it", async () => {
  const { serial, systemUuid } = fakeIdentity(hostId);
  await pool.query(
    "INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, network_interfaces) VALUES ($1, 'f', $2, 'fake', $3, $4, '{fake}')",
    [hostId, siteId, serial, systemUuid],
  );
  await pool.query("INSERT INTO host_run (host_id, site_id, name, state) VALUES ($1, $2, 'f', 'Enroll')", [
    hostId,
    siteId,
  ]);
  await leaves("ReturnToAllocation/EvaluatingGates", []);
  const view = await claimed();
  if (view.reclamation === null) throw new Error("the claim brought no reclamation");
  const cleaned = { ...view, reclamation: { ...view.reclamation, planMade: true }, steps: succeededPlan() };
  const decision = decided(cleaned);
  expect(decision.run.state).toBe("Decommissioned");
  expect(await commit(cleaned, decision)).toBe(true);
  expect(await recordOf()).toEqual({ how: "decommissioned", hardware_type: "fake" });
});
