// What a claim reads for cleaning, and what a commit keeps of it, on a real database.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { State } from "@/server/domain/lifecycle/states";
import { fileDatabase } from "@/server/db/testing/file-database";
import type { Decision } from "@/server/controller/host/decision";
import type { StepView } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";
import { sku } from "@/server/controller/testing/hardware";
import type { Draft } from "@/server/controller/host/draft";
import { claimedIn, writtenIn } from "@/server/controller/system/testing/one-decision";
import { addHost, addSite } from "@/server/db/testing/rows";

let pool: Pool;
const [siteId, skuId, controller] = [randomUUID(), randomUUID(), randomUUID()];
const baseline = { lockdown: true };

fileDatabase(2, async (started) => {
  pool = started;
  await addSite(pool, siteId);
  await pool.query("INSERT INTO sku (id, name, components) VALUES ($1, 'R760', $2)", [
    skuId,
    JSON.stringify({ ...sku.components, baseline }),
  ]);
});

let hostId = "";
beforeEach(async () => {
  await pool.query("DELETE FROM host");
  await pool.query("DELETE FROM step_override");
  hostId = randomUUID();
  await addHost(pool, hostId, { siteId, skuId });
});

const at = () => ({ pool, controller, hostId });
const claimed = (state: State): Promise<HostView> => claimedIn(at(), state);
const written = (state: State, handler: (draft: Draft) => void): Promise<Decision> =>
  writtenIn(at(), state, handler);

const override = (scope: string, scopeId: string, step: string, priority: number) =>
  pool.query(
    "INSERT INTO step_override (scope, scope_id, interface, step, priority) VALUES ($1, $2, 'deploy', $3, $4)",
    [scope, scopeId, step, priority],
  );

describe("a claim", () => {
  it("brings the overrides of the host, its SKU and its site, and no others, where a plan may be made", async () => {
    await override("site", siteId, "erase_nvme", 1);
    await override("sku", skuId, "erase_nvme", 2);
    await override("host", hostId, "erase_nvme", 0);
    await override("host", randomUUID(), "erase_nvme", 3);
    const brought = (await claimed("WaitingForCleanup/Init")).overrides ?? [];
    expect([...brought].sort((a, b) => a.priority - b.priority)).toEqual([
      { scope: "host", interface: "deploy", step: "erase_nvme", priority: 0, setBy: null },
      { scope: "site", interface: "deploy", step: "erase_nvme", priority: 1, setBy: null },
      { scope: "sku", interface: "deploy", step: "erase_nvme", priority: 2, setBy: null },
    ]);
    expect((await claimed("WaitingForCleanup/HostCleanup")).overrides).toBeNull();
  });

  it("brings the brakes of the site that are in force", async () => {
    await pool.query(
      "INSERT INTO brake (id, site_id, dimension, value, failed, started, message) VALUES (gen_random_uuid(), $1, 'model', 'R760', 10, 20, 'half of them failed')",
      [siteId],
    );
    await pool.query(
      "INSERT INTO brake (id, site_id, dimension, value, failed, started, message, lifted_at) VALUES (gen_random_uuid(), $1, 'model', 'R750', 10, 20, 'over', now())",
      [siteId],
    );
    expect((await claimed("WaitingForCleanup/Queued")).brakes).toMatchObject([
      { dimension: "model", value: "R760", message: "half of them failed" },
    ]);
    expect((await claimed("Assigned/Ready")).brakes).toBeNull();
    await pool.query("DELETE FROM brake");
  });

  it("brings the host's own setting, the SKU's baseline, and what the BMC offers", async () => {
    expect((await claimed("Manageable")).host).toMatchObject({
      automatedClean: null,
      sku: { components: { baseline } },
    });
    expect((await claimed("Manageable")).platform).toEqual(noPlatformFacts);
    await pool.query("UPDATE host SET automated_clean = false WHERE id = $1", [hostId]);
    await pool.query("INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'bmc', $2)", [
      hostId,
      JSON.stringify({ storage: [], platform: { ...noPlatformFacts, tpmClear: true } }),
    ]);
    const view = await claimed("Manageable");
    expect(view.host.automatedClean).toBe(false);
    expect(view.platform.tpmClear).toBe(true);
    // An inventory written by a version that did not read the platform.
    await pool.query("UPDATE host_inventory SET body = body - 'platform' WHERE host_id = $1", [hostId]);
    expect((await claimed("Manageable")).platform).toEqual(noPlatformFacts);
  });

  it("brings the newest agent, and as the host's own only one of the newest boot", async () => {
    const managers = [
      {
        name: "generic",
        version: "1.0",
        steps: [{ interface: "vendor", step: "polish", priority: 0, abortable: true }],
      },
    ];
    await pool.query(
      "INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, expires_at) SELECT $1, n, sha256(n::text::bytea), '{}', '1', $2, now() FROM generate_series(1, 3) n",
      [hostId, JSON.stringify(managers)],
    );
    await pool.query("UPDATE host_run SET boot_epoch = 4 WHERE host_id = $1", [hostId]);
    expect(await claimed("Manageable")).toMatchObject({
      agent: null,
      lastAgent: { bootEpoch: 3, hardwareManagers: managers },
    });
    await pool.query("UPDATE host_run SET boot_epoch = 3 WHERE host_id = $1", [hostId]);
    expect(await claimed("Manageable")).toMatchObject({
      agent: { bootEpoch: 3 },
      lastAgent: { bootEpoch: 3 },
    });
  });
});

describe("a commit", () => {
  const step = (changes: Partial<StepView> = {}): StepView => ({
    id: randomUUID(),
    position: 1,
    interface: "power",
    step: "wait",
    where: "controller",
    args: { seconds: 7 },
    abortable: true,
    timeLimitMs: 90_000,
    priority: 0,
    prioritySource: "default",
    proves: [],
    status: "running",
    attempt: 1,
    maxAttempts: 5,
    startedAtMs: 1_000,
    endedAtMs: null,
    deadlineAtMs: null,
    message: null,
    ...changes,
  });

  it("keeps a manual cleaning with its steps, arguments, runbook and pauses, and the next claim brings them back", async () => {
    const [runbookId, bulkId] = [randomUUID(), randomUUID()];
    const plan = {
      managers: [{ name: "generic", version: "1.0" }],
      disabled: [
        {
          interface: "deploy",
          step: "erase_nvme",
          source: "site" as const,
          proves: ["storageSanitized" as const],
          devices: [{ serial: "NVME1", model: "P5520" }],
        },
      ],
    };
    const row = step();
    await written("Manageable", (draft) => {
      draft.beginReclamation("manualCleaning", null, null);
      draft.patchReclamation({
        runbookId,
        runbookName: "burn in",
        bulkId,
        planMade: true,
        planEpoch: 1,
        plan,
      });
      draft.replaceSteps([row]);
    });
    const view = await claimed("ManualCleaning/RunningStep");
    expect(view.reclamation).toMatchObject({
      kind: "manualCleaning",
      runbookId,
      runbookName: "burn in",
      bulkId,
      pausedMs: 0,
      pausedAtMs: null,
      plan,
    });
    expect(view.steps).toEqual([row]);
    await written("ManualCleaning/RunningStep", (draft) =>
      draft.patchReclamation({ pausedMs: 5_000, pausedAtMs: 1_700_000_000_000 }),
    );
    expect((await claimed("ManualCleaning/OnHold")).reclamation).toMatchObject({
      pausedMs: 5_000,
      pausedAtMs: 1_700_000_000_000,
      plan,
      runbookId,
    });
    await written("ManualCleaning/OnHold", (draft) => draft.endReclamation("cleaned", null));
    const { rows } = await pool.query(
      "SELECT outcome, ended_at IS NOT NULL AS ended FROM reclamation WHERE host_id = $1",
      [hostId],
    );
    expect(rows).toEqual([{ outcome: "cleaned", ended: true }]);
  });

  it("shows how far a step of the controller is, until no step runs", async () => {
    const shown = async () =>
      (
        await pool.query("SELECT clean_step, clean_percent, clean_message FROM host_run WHERE host_id = $1", [
          hostId,
        ])
      ).rows[0];
    const row = step();
    await written("Manageable", (draft) => {
      draft.beginReclamation("manualCleaning", null, null);
      draft.patchReclamation({ planMade: true, planEpoch: 1 });
      draft.replaceSteps([row]);
      draft.enter("ManualCleaning/RunningStep", "begins");
      draft.run.setProgress({ percent: 40, message: "job JID_1" });
    });
    expect(await shown()).toEqual({
      clean_step: "power.wait",
      clean_percent: 40,
      clean_message: "job JID_1",
    });
    await written("ManualCleaning/RunningStep", () => undefined);
    expect(await shown()).toEqual({
      clean_step: "power.wait",
      clean_percent: 40,
      clean_message: "job JID_1",
    });
    await written("ManualCleaning/RunningStep", (draft) => {
      const running = draft.steps.rows[0];
      if (running !== undefined) draft.steps.patch(running, { status: "succeeded" });
    });
    expect(await shown()).toEqual({ clean_step: null, clean_percent: null, clean_message: null });
  });

  it("keeps each intent that could not be followed, with its reason, for whoever asked", async () => {
    await written("Manageable", (draft) =>
      draft.inbox.refuse({
        intent: "clean",
        reason: "only a Manageable host can be cleaned",
        requestId: "req-9",
      }),
    );
    const { rows } = await pool.query(
      "SELECT intent, reason, request_id FROM intent_refusal WHERE host_id = $1",
      [hostId],
    );
    expect(rows).toEqual([
      { intent: "clean", reason: "only a Manageable host can be cleaned", request_id: "req-9" },
    ]);
  });
});
