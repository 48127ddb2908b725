// The fence, the permit and the database's own refusals on a real database: what a controller that lost its lease, or its evidence, cannot do.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { gateNames, laterGates } from "@/server/domain/reclamations/gates/gate-names";
import { claimHosts } from "@/server/db/hot/host/claim";
import { commitHosts } from "@/server/db/hot/host/commit";
import { permitEffects, settleEffects } from "@/server/db/hot/hardware/effects";
import { signalHosts } from "@/server/db/hot/signal";
import { fileDatabase } from "@/server/db/testing/file-database";
import { commitRows } from "@/server/controller/loop/commit-rows";
import { decide } from "@/server/controller/decide/decide";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";
import { guestManager } from "@/server/domain/agents/ironic/steps";
import { addHost, addSite } from "@/server/db/testing/rows";

let pool: Pool;
const siteId = randomUUID();
const tenantId = randomUUID();
const mine = randomUUID();
const other = randomUUID();
const leaseMs = 60_000;
const by = { personId: null, name: "test", requestId: "r" };

fileDatabase(4, async (started) => {
  pool = started;
  await addSite(pool, siteId);
  await pool.query("INSERT INTO tenant (id, org, name) VALUES ($1, 'org', 'Org')", [tenantId]);
});

let hostId = "";
beforeEach(async () => {
  await pool.query("DELETE FROM host");
  hostId = randomUUID();
  await addHost(pool, hostId, { siteId });
});

const manage = () => signalHosts(pool, [{ hostId, kind: "manage", payload: { by } }]);

async function claimed(controllerId = mine): Promise<HostView> {
  await pool.query("UPDATE host_run SET due_at = now() - interval '1 s' WHERE host_id = $1", [hostId]);
  const [claim] = await claimHosts(pool, controllerId, 10, leaseMs);
  if (claim?.ok !== true) throw new Error("nothing was claimed");
  return claim.view;
}

const decided = (view: HostView): Decision => decide(view, { newId: randomUUID });
const written = async (view: HostView, decision: Decision, controllerId = mine) =>
  (await commitHosts(pool, controllerId, commitRows([{ view, decision }], randomUUID))).has(hostId);

// `due_at` holds whole milliseconds and may be rounded up, past the moment it was set.
async function row(): Promise<{
  state: string;
  state_version: bigint;
  lease_owner: string | null;
  due: boolean;
  allocatable: boolean;
  maintenance_by: string | null;
  lease_left_ms: number;
}> {
  const { rows } = await pool.query(
    "SELECT state, state_version, lease_owner, coalesce(due_at <= now() + interval '1 ms', false) AS due, allocatable, maintenance_by, (extract(epoch FROM lease_until - now()) * 1000)::float8 AS lease_left_ms FROM host_run WHERE host_id = $1",
    [hostId],
  );
  return rows[0];
}
const count = async (table: string): Promise<number> =>
  Number(
    (await pool.query(`SELECT count(*)::int AS n FROM ${table} WHERE host_id = $1`, [hostId])).rows[0].n,
  );

describe("a claim", () => {
  it("leaves a host alone that another controller has leased, until the lease is over", async () => {
    await claimed(other);
    await expect(claimed()).rejects.toThrow("nothing was claimed");
    await pool.query("UPDATE host_run SET lease_until = now() - interval '1 s' WHERE host_id = $1", [hostId]);
    const view = await claimed();
    expect(view.run.generation).toBe("2");
  });
});

describe("a commit", () => {
  it("under its lease writes all of a host at once", async () => {
    await manage();
    const view = await claimed();
    expect(await written(view, decided(view))).toBe(true);
    expect(await row()).toMatchObject({
      state: "Verifying",
      state_version: 2n,
      lease_owner: mine,
      due: false,
    });
    expect([await count("state_history"), await count("effect"), await count("signal")]).toEqual([2, 1, 0]);
  });

  it.each([
    [
      "whose generation another claim has passed",
      "UPDATE host_run SET generation = generation + 1 WHERE host_id = $1",
      mine,
    ],
    [
      "whose lease another controller has",
      `UPDATE host_run SET lease_owner = '${other}' WHERE host_id = $1`,
      mine,
    ],
    [
      "whose lease has run out",
      "UPDATE host_run SET lease_until = now() - interval '1 s' WHERE host_id = $1",
      mine,
    ],
    ["of a controller that never had the lease", "SELECT $1::uuid", other],
  ])("%s changes nothing", async (_what, meanwhile, controllerId) => {
    await manage();
    const view = await claimed();
    const before = [await count("state_history"), await count("effect"), await count("signal")];
    await pool.query(meanwhile, [hostId]);
    expect(await written(view, decided(view), controllerId)).toBe(false);
    expect(await row()).toMatchObject({ state: "Enroll", state_version: 1n });
    expect([await count("state_history"), await count("effect"), await count("signal")]).toEqual(before);
  });

  it("keeps a signal that came since its claim, and the host is due for it", async () => {
    const view = await claimed();
    await manage();
    expect(await written(view, decided(view))).toBe(true);
    expect(await row()).toMatchObject({ state: "Enroll", due: true, lease_owner: null });
    expect(await count("signal")).toBe(1);
  });

  it("that rests on evidence changes nothing when the evidence moved", async () => {
    const view = await claimed();
    const decision = { ...decided(view), expectEvidenceSeq: view.run.evidenceSeq };
    await pool.query("UPDATE host_run SET evidence_seq = evidence_seq + 1 WHERE host_id = $1", [hostId]);
    expect(await written(view, decision)).toBe(false);
    expect(await written(view, { ...decision, expectEvidenceSeq: null })).toBe(true);
  });

  it("that would overwrite a person's maintenance changes nothing", async () => {
    await pool.query(
      "UPDATE host_run SET maintenance = true, maintenance_by = 'failure' WHERE host_id = $1",
      [hostId],
    );
    const view = await claimed();
    await pool.query(
      "UPDATE host_run SET maintenance_by = 'person', wake_seq = wake_seq + 1 WHERE host_id = $1",
      [hostId],
    );
    const cleared = decided(view);
    expect(
      await written(view, { ...cleared, run: { ...cleared.run, maintenance: false, maintenanceBy: null } }),
    ).toBe(false);
    expect(await row()).toMatchObject({ maintenance_by: "person" });
  });

  it("does not make a host allocatable that somebody took out of allocation", async () => {
    const view = await claimed();
    const decision = decided(view);
    await written(view, { ...decision, run: { ...decision.run, allocatable: true } });
    expect((await row()).allocatable).toBe(false);
  });

  it("of a deletion keeps the history, and takes the host with all that waits", async () => {
    await signalHosts(pool, [{ hostId, kind: "forceDelete", payload: { by } }]);
    const view = await claimed();
    expect(await written(view, decided(view))).toBe(true);
    expect([await count("host_run"), await count("state_history")]).toEqual([0, 2]);
  });
});

describe("an erase that its deleted host left behind", () => {
  const leave = async (untilMs: number) => {
    await signalHosts(pool, [{ hostId, kind: "forceDelete", payload: { by } }]);
    const view = await claimed();
    expect(await written(view, { ...decided(view), eraseLeftUntilMs: untilMs })).toBe(true);
  };
  const left = async () =>
    (
      await pool.query(
        "SELECT (extract(epoch FROM erase_until) * 1000)::float8 AS at_ms FROM chassis_erase WHERE chassis_serial = $1",
        [`S-${hostId}`],
      )
    ).rows;

  it("is kept by chassis serial, with the latest of its ends", async () => {
    const atMs = Date.now() + 3_600_000;
    await pool.query(
      "INSERT INTO chassis_erase (chassis_serial, erase_until) VALUES ($1, to_timestamp($2))",
      [`S-${hostId}`, atMs / 1000],
    );
    await leave(atMs - 60_000);
    expect(await left()).toEqual([{ at_ms: atMs }]);
  });

  it("is not written where none may run", async () => {
    await signalHosts(pool, [{ hostId, kind: "forceDelete", payload: { by } }]);
    const view = await claimed();
    expect(await written(view, decided(view))).toBe(true);
    expect(await left()).toEqual([]);
  });
});

describe("a permit", () => {
  type Fence = { readonly hostId: string; readonly generation: string; readonly effectId: string };
  async function effectUnderWay(): Promise<{ fence: Fence; view: HostView }> {
    await manage();
    const view = await claimed();
    const decision = decided(view);
    await written(view, decision);
    return {
      view,
      fence: { hostId, generation: view.run.generation, effectId: decision.effects[0]?.id ?? "" },
    };
  }
  const holdMs = 90_000;
  const permitted = async (
    fence: Fence,
    power: boolean,
    phase: string,
    bootEpoch: number | null = null,
    resetOnly = false,
  ) =>
    (
      await permitEffects(pool, mine, [
        { ...fence, holdMs, power, phase, bootEpoch, resetMark: null, resetOnly },
      ])
    ).has(fence.effectId);

  it("is given to the holder of the lease, which it prolongs past the request", async () => {
    const { fence } = await effectUnderWay();
    expect(await permitted(fence, true, "reset")).toBe(true);
    expect((await row()).lease_left_ms).toBeGreaterThan(holdMs - 10_000);
    const { rows } = await pool.query("SELECT status, result FROM effect WHERE id = $1", [fence.effectId]);
    expect(rows).toEqual([{ status: "permitted", result: { phase: "reset" } }]);
  });

  it.each([
    ["after another claim", "UPDATE host_run SET generation = generation + 1 WHERE host_id = $1"],
    [
      "when another controller has the lease",
      `UPDATE host_run SET lease_owner = '${other}' WHERE host_id = $1`,
    ],
    [
      "when the lease has run out",
      "UPDATE host_run SET lease_until = clock_timestamp() - interval '1 ms' WHERE host_id = $1",
    ],
  ])("is refused %s", async (_what, meanwhile) => {
    const { fence } = await effectUnderWay();
    await pool.query(meanwhile, [hostId]);
    expect(await permitted(fence, false, "put")).toBe(false);
    const { rows } = await pool.query("SELECT status FROM effect WHERE id = $1", [fence.effectId]);
    expect(rows).toEqual([{ status: "written" }]);
  });

  it("for power is refused while a drive may be erasing; a request that moves no power is not", async () => {
    const { fence } = await effectUnderWay();
    await pool.query("UPDATE host_run SET erasing = true WHERE host_id = $1", [hostId]);
    expect(await permitted(fence, true, "reset")).toBe(false);
    expect(await permitted(fence, false, "setBoot")).toBe(true);
  });

  it("for a reset into an erase is given only to the boot on record that is nothing else", async () => {
    const { fence } = await effectUnderWay();
    const onRecord = (boot: object) =>
      pool.query(
        "UPDATE host_run SET erasing = true, context = jsonb_set(context, '{boot}', $2) WHERE host_id = $1",
        [hostId, JSON.stringify(boot)],
      );
    for (const boot of [{ epoch: 4 }, { epoch: 3, resetOnly: true }]) {
      await onRecord(boot);
      expect(await permitted(fence, true, "reset", 4, true)).toBe(false);
    }
    await onRecord({ epoch: 4, resetOnly: true });
    expect(await permitted(fence, true, "reset", 4)).toBe(false);
    expect(await permitted(fence, true, "reset", 4, true)).toBe(true);
  });

  const runs = async (where: "agent" | "controller") =>
    pool.query(
      "INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, \"where\", priority, priority_source, proves, status, max_attempts) VALUES (gen_random_uuid(), $1, $2, 1, 1, 'deploy', 'erase_nvme', $3, 90, 'default', '{}', 'running', 2)",
      [await openReclamation(), hostId, where],
    );
  const asksForRestart = (epoch: number) =>
    pool.query("UPDATE host_run SET context = jsonb_set(context, '{cleaning}', $2) WHERE host_id = $1", [
      hostId,
      JSON.stringify({ job: { restartEpoch: epoch } }),
    ]);

  it("for power is refused while a step of the controller works, unless it asked for that boot", async () => {
    const { fence } = await effectUnderWay();
    await runs("controller");
    expect(await permitted(fence, true, "reset", 4)).toBe(false);
    await asksForRestart(5);
    expect(await permitted(fence, true, "reset", 4)).toBe(false);
    expect(await permitted(fence, true, "reset")).toBe(false);
    await asksForRestart(4);
    expect(await permitted(fence, true, "reset", 4)).toBe(true);
    await pool.query("UPDATE host_run SET erasing = true WHERE host_id = $1", [hostId]);
    expect(await permitted(fence, true, "reset", 4)).toBe(false);
  });

  it("for power is given while a step only holds the host", async () => {
    const { fence } = await effectUnderWay();
    await runs("controller");
    expect(await permitted(fence, true, "reset")).toBe(false);
    await pool.query("UPDATE step_run SET step = 'hold' WHERE host_id = $1", [hostId]);
    expect(await permitted(fence, true, "reset")).toBe(true);
  });

  it("for power is refused while a step of the agent works, whatever another step asked for", async () => {
    const { fence } = await effectUnderWay();
    await runs("agent");
    await asksForRestart(4);
    expect(await permitted(fence, true, "reset", 4)).toBe(false);
  });

  it("for power is refused while a step run works", async () => {
    const { fence } = await effectUnderWay();
    await runs("agent");
    expect(await permitted(fence, true, "reset")).toBe(false);
    await pool.query("UPDATE step_run SET status = 'succeeded' WHERE host_id = $1", [hostId]);
    expect(await permitted(fence, true, "reset")).toBe(true);
  });

  it("that boots an agent is given though something registered in that boot: a tenant's system that got there would live on by it", async () => {
    const { fence } = await effectUnderWay();
    await pool.query(
      "INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, expires_at) VALUES ($1, 4, $2, '{}', '1', '[]', now())",
      [hostId, Buffer.from(hostId)],
    );
    expect(await permitted(fence, true, "reset", 4)).toBe(true);
  });

  it("keeps the host's reset mark as it was before", async () => {
    const { fence } = await effectUnderWay();
    await permitEffects(pool, mine, [
      { ...fence, holdMs, power: true, phase: "reset", bootEpoch: 4, resetMark: "2026-11-01T10:00:00Z" },
    ]);
    expect((await pool.query("SELECT result FROM effect WHERE id = $1", [fence.effectId])).rows).toEqual([
      { result: { phase: "reset", resetMark: "2026-11-01T10:00:00Z" } },
    ]);
  });

  it.each([
    [
      "a restart that is proven",
      "bootAgent",
      "done",
      { restart: { proof: "resetMark", before: null } },
      true,
    ],
    ["one without proof", "bootAgent", "done", { power: "on" }, false],
    ["one whose outcome nobody knows", "bootAgent", "unknown", { restart: { proof: "resetMark" } }, false],
    ["another effect", "lookBoot", "done", { restart: { proof: "resetMark" } }, false],
  ] as const)("leads to an open boot window by %s: %s, %s", async (_what, kind, status, value, open) => {
    const { fence } = await effectUnderWay();
    await pool.query(
      "INSERT INTO boot_window (host_id, boot_epoch, generation, expires_at) VALUES ($1, 4, 1, now() + interval '1 hour'), ($1, 3, 1, now() + interval '1 hour')",
      [hostId],
    );
    await pool.query("UPDATE effect SET kind = $2, request = '{\"bootEpoch\": 4}' WHERE id = $1", [
      fence.effectId,
      kind,
    ]);
    await settleEffects(pool, mine, [{ ...fence, status, value, error: null, last: true, quietMs: 0 }]);
    const { rows } = await pool.query(
      "SELECT boot_epoch, reset_done_at IS NOT NULL AS open FROM boot_window WHERE host_id = $1 ORDER BY boot_epoch",
      [hostId],
    );
    expect(rows).toEqual([
      { boot_epoch: 3, open: false },
      { boot_epoch: 4, open },
    ]);
  });

  it("an outcome is stored once, and not for a lease that was lost", async () => {
    const { fence } = await effectUnderWay();
    const settlement = {
      ...fence,
      status: "done" as const,
      value: { ok: 1 },
      error: null,
      last: true,
      quietMs: 0,
    };
    expect(await settleEffects(pool, other, [settlement])).toBe(0);
    expect(
      await settleEffects(pool, mine, [{ ...settlement, generation: String(Number(fence.generation) + 1) }]),
    ).toBe(0);
    expect(await settleEffects(pool, mine, [settlement])).toBe(1);
    expect(await row()).toMatchObject({ lease_owner: null, due: true });
    expect(await settleEffects(pool, mine, [settlement])).toBe(0);
  });

  it.each([
    ["its own time", null, 3_600],
    // It arrived while the effect was in progress and made the host due.
    ["the signal that came meanwhile", "now", 0],
  ])(
    "an outcome that needs no decision ends the lease and leaves the host to %s",
    async (_what, dueAt, inSeconds) => {
      const { fence } = await effectUnderWay();
      await pool.query("UPDATE host_run SET due_at = $2::timestamptz WHERE host_id = $1", [hostId, dueAt]);
      await settleEffects(pool, mine, [
        { ...fence, status: "done", value: null, error: null, last: true, quietMs: 3_600_000 },
      ]);
      const { rows } = await pool.query<{ lease_owner: string | null; in_s: number }>(
        "SELECT lease_owner, round(extract(epoch FROM due_at - now()) / 600)::int * 600 AS in_s FROM host_run WHERE host_id = $1",
        [hostId],
      );
      expect(rows).toEqual([{ lease_owner: null, in_s: inSeconds }]);
    },
  );
});

async function openReclamation(): Promise<string> {
  const id = randomUUID();
  await pool.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) VALUES ($1, $2, $3, 'onboarding', 1, $4)",
    [id, hostId, `S-${hostId}`, JSON.stringify(defaultPolicy())],
  );
  await pool.query("UPDATE host_run SET reclamation_id = $2 WHERE host_id = $1", [hostId, id]);
  return id;
}

describe("the database itself refuses a Ready host", () => {
  const ready = () => pool.query("UPDATE host_run SET state = 'Ready' WHERE host_id = $1", [hostId]);
  const gates = async (
    reclamationId: string,
    status: (gate: string) => string,
    names: readonly string[] = gateNames,
  ) => {
    for (const gate of names)
      await pool.query(
        "INSERT INTO gate (reclamation_id, gate, status, reason, evidence, generation, evidence_seq) VALUES ($1, $2, $3, '', '{}', 1, 1)",
        [reclamationId, gate, status(gate)],
      );
  };

  it("without every gate", async () => {
    await expect(ready()).rejects.toThrow(/not every gate was evaluated/);
  });

  it.each(gateNames)("without %s, unless the release before does not have it", async (left) => {
    await gates(
      await openReclamation(),
      () => "satisfied",
      gateNames.filter((name) => name !== left),
    );
    if (laterGates.has(left)) await expect(ready()).resolves.toBeDefined();
    else await expect(ready()).rejects.toThrow(/not every gate was evaluated/);
  });

  it.each([
    [
      "there is a GPU",
      { found: [{ kind: "gpu", slot: "0000:17:00.0" }], told: ["gpu", "nvswitch"] },
      /nobody/,
    ],
    ["GPUs could not be listed", { found: [], told: ["nic"] }, /could not list its GPUs/],
    ["there is none", { found: [], told: ["gpu", "nic", "nvswitch"] }, null],
    ["its agent lists no parts", undefined, null],
  ])(
    "that the release before did not ask for the memory of GPUs, where %s",
    async (_what, parts, refused) => {
      const before = gateNames.filter((name) => !laterGates.has(name));
      await gates(await openReclamation(), () => "satisfied", before);
      await pool.query(
        "INSERT INTO host_inventory (host_id, source, boot_epoch, collected_at, body) VALUES ($1, 'agent', 0, now(), $2)",
        [hostId, { storage: [], parts }],
      );
      await (refused === null
        ? expect(ready()).resolves.toBeDefined()
        : expect(ready()).rejects.toThrow(refused));
    },
  );

  it.each(gateNames)("with %s unsatisfied", async (open) => {
    await gates(await openReclamation(), (gate) => (gate === open ? "unsatisfied" : "satisfied"));
    await expect(ready()).rejects.toThrow(`cannot be Ready: ${open} unsatisfied`);
  });

  it("with a gate that is not implemented, unless its site is a demo", async () => {
    await gates(await openReclamation(), (gate) => (gate === "healthy" ? "not implemented" : "satisfied"));
    await pool.query("UPDATE site SET demo = false WHERE id = $1", [siteId]);
    await expect(ready()).rejects.toThrow(/healthy not implemented/);
    await pool.query("UPDATE site SET demo = true WHERE id = $1", [siteId]);
    await ready();
    expect((await row()).state).toBe("Ready");
  });

  it("that owes a sanitization, which nobody can delete", async () => {
    await gates(await openReclamation(), () => "satisfied");
    await pool.query(
      "INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), $1, '{}')",
      [`S-${hostId}`],
    );
    await expect(ready()).rejects.toThrow(/owes a sanitization/);
    await expect(pool.query("DELETE FROM debt WHERE chassis_serial = $1", [`S-${hostId}`])).rejects.toThrow(
      /never deleted/,
    );
    await expect(
      pool.query("UPDATE debt SET cleared_at = now() WHERE chassis_serial = $1", [`S-${hostId}`]),
    ).rejects.toThrow(/debt_cleared_by_reclamation/);
  });

  it("that rests on a boot whose restart was never done, in which nothing registered, or in which something else answered", async () => {
    await gates(await openReclamation(), () => "satisfied");
    const refused = /a boot that it rests on was not restarted, or something else answered in it/;
    const boot = (changes: string) =>
      pool.query(`UPDATE boot_window SET ${changes} WHERE host_id = $1`, [hostId]);
    await pool.query("UPDATE host_run SET boot_epoch = 4 WHERE host_id = $1", [hostId]);
    await expect(ready()).rejects.toThrow(refused);
    await pool.query(
      "INSERT INTO boot_window (host_id, boot_epoch, generation, expires_at, reset_done_at, consumed_at) VALUES ($1, 4, 1, now(), NULL, now())",
      [hostId],
    );
    await expect(ready()).rejects.toThrow(refused);
    await boot("reset_done_at = now(), contested_at = now()");
    await expect(ready()).rejects.toThrow(refused);
    await boot("contested_at = NULL, consumed_at = NULL");
    await expect(ready()).rejects.toThrow(refused);
    await boot("consumed_at = now()");
    await ready();
    expect((await row()).state).toBe("Ready");
  });

  it("of whose drives the agent cannot name one, unless a person answered for it or it is left out", async () => {
    const reclamationId = await openReclamation();
    await gates(reclamationId, () => "satisfied");
    await pool.query(
      "INSERT INTO host_inventory (host_id, source, boot_epoch, collected_at, body) VALUES ($1, 'agent', 0, now(), $2)",
      [hostId, { storage: [], unnamed: [{ place: "ata-3" }, { place: "usb-1" }] }],
    );
    const freeze = (devices: object | null) =>
      pool.query("UPDATE reclamation SET devices = $2 WHERE id = $1", [reclamationId, devices]);
    const list = { expected: [], missing: [], excluded: [{ serial: "usb-1", model: "", reason: "" }] };
    await freeze(list);
    await expect(ready()).rejects.toThrow(/sees a drive at ata-3 that it cannot name/);
    await freeze({ ...list, resolved: [{ source: "agent", place: "ata-3" }], excluded: [] });
    await expect(ready()).rejects.toThrow(/sees a drive at usb-1 that it cannot name/);
    await freeze({ ...list, resolved: [{ source: "agent", place: "ata-3" }] });
    await ready();
    expect((await row()).state).toBe("Ready");
  });

  describe("by a rule of the release before", () => {
    const changed = (changes: object) =>
      pool.query(
        "UPDATE reclamation SET policy = policy || coalesce($2::jsonb -> 'policy', '{}'), devices = $2::jsonb -> 'devices', kind = coalesce($2::jsonb ->> 'kind', kind), plan_epoch = coalesce(($2::jsonb ->> 'planEpoch')::int, plan_epoch) WHERE host_id = $1",
        [hostId, changes],
      );
    async function satisfied(changes: object): Promise<string> {
      const id = await openReclamation();
      await gates(id, () => "satisfied");
      await changed(changes);
      return id;
    }
    const isReady = async () => {
      await ready();
      expect((await row()).state).toBe("Ready");
    };
    const requires = { policy: { requiredSteps: ["vendor.check"] } };
    const runs = (reclamationId: string, planEpoch: number, step: string, status: string) =>
      pool.query(
        "INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, \"where\", priority, priority_source, proves, status, max_attempts) VALUES (gen_random_uuid(), $1, $2, $3, (SELECT count(*) FROM step_run WHERE reclamation_id = $1), 'vendor', $4, 'controller', 90, 'default', '{}', $5, 2)",
        [reclamationId, hostId, planEpoch, step, status],
      );

    it("without a step that its site requires", async () => {
      const id = await satisfied({ ...requires, planEpoch: 2 });
      const refused = /the site requires vendor.check, which did not succeed/;
      await expect(ready()).rejects.toThrow(refused);
      await runs(id, 1, "check", "succeeded");
      await runs(id, 2, "other", "succeeded");
      await expect(ready()).rejects.toThrow(refused);
      await runs(id, 2, "check", "excepted");
      await expect(ready()).rejects.toThrow(refused);
      await pool.query("UPDATE step_run SET status = 'succeeded' WHERE host_id = $1", [hostId]);
      await isReady();
    });

    it("but a recheck that made no plan has no steps, one that made one has", async () => {
      await satisfied({ ...requires, kind: "recheck", planEpoch: 1 });
      await expect(ready()).rejects.toThrow(/the site requires vendor.check/);
      await changed({ planEpoch: 0 });
      await isReady();
    });

    const session = (bootEpoch: number, name: string) =>
      pool.query(
        "INSERT INTO agent_session (host_id, boot_epoch, token_hash, identity, agent_version, hardware_managers, expires_at) VALUES ($1, $2, $3, '{}', '1', $4, now())",
        [hostId, bootEpoch, Buffer.from(`${hostId}${bootEpoch}`), JSON.stringify([{ name }])],
      );

    it("whose empty list of drives is of Ironic's agent", async () => {
      await satisfied({ devices: { expected: [], missing: [], excluded: [] } });
      await session(3, "reclaim");
      await session(4, guestManager);
      const refused = /Ironic's agent lists block devices only/;
      await expect(ready()).rejects.toThrow(refused);
      await changed({});
      await expect(ready()).rejects.toThrow(refused);
      await session(5, "reclaim");
      await isReady();
    });

    const drives = { devices: { expected: [{ serial: "D1", model: "M" }], missing: [], excluded: [] } };

    const erased = (id: string, technique: string, serial = "D1") =>
      pool.query(
        "INSERT INTO device_result (reclamation_id, host_id, step_run_id, attempt, plan_epoch, serial, model, media, technique, standard, level, technique_table, verdict, reason, report) VALUES ($1, $2, gen_random_uuid(), 1, 1, $3, 'M', 'hdd', $4, 'ieee-2883', 'clear', 1, 'sanitized', '', '{}')",
        [id, hostId, serial, technique],
      );

    it.each([false, true])(
      "by FORMAT UNIT, earlier than the recheck that rests on it: %s, unless the drive was erased again, or nobody expected it",
      async (earlier) => {
        const id = await satisfied({ planEpoch: 1, ...drives });
        await erased(id, "scsi-format", "D2");
        await erased(id, "overwrite");
        await erased(id, "scsi-format");
        if (earlier) {
          await pool.query("UPDATE reclamation SET ended_at = now() WHERE id = $1", [id]);
          await satisfied({ kind: "recheck", ...drives });
        }
        await expect(ready()).rejects.toThrow(/drive D1 was erased by scsi-format, which never counts/);
        await erased(id, "overwrite");
        await isReady();
      },
    );

    it("by the word of Ironic's agent that there is no InfiniBand; a list that has a drive is judged drive by drive", async () => {
      await satisfied(drives);
      await session(4, guestManager);
      const none = `UPDATE gate SET status = 'not required', reason = $2 WHERE gate = 'infinibandClean' AND reclamation_id IN (SELECT id FROM reclamation WHERE host_id = $1)`;
      await pool.query(none, [hostId, "the host has no InfiniBand device of its own"]);
      await expect(ready()).rejects.toThrow(/Ironic's agent reports no InfiniBand device/);
      await pool.query(none, [hostId, "automated cleaning off"]);
      await isReady();
    });

    it("but none of it where cleaning was skipped", async () => {
      await satisfied({ ...requires, devices: null });
      await session(4, guestManager);
      await expect(ready()).rejects.toThrow();
      const skip = `UPDATE host_run SET context = jsonb_set(context, '{proven,cleaningSkipped}', 'true')`;
      await pool.query(`${skip} WHERE host_id = $1`, [hostId]);
      await isReady();
    });
  });

  it("that is retired", async () => {
    await gates(await openReclamation(), () => "satisfied");
    await pool.query("UPDATE host SET retired = true WHERE id = $1", [hostId]);
    await expect(ready()).rejects.toThrow(/it is retired/);
  });

  it("with an instance on it", async () => {
    await gates(await openReclamation(), () => "satisfied");
    await pool.query(
      "INSERT INTO instance (id, name, tenant_id, host_id) VALUES (gen_random_uuid(), 'i', $1, $2)",
      [tenantId, hostId],
    );
    await expect(ready()).rejects.toThrow(/an instance holds it/);
  });

  it("that was just enrolled", async () => {
    await pool.query("DELETE FROM host_run WHERE host_id = $1", [hostId]);
    await expect(
      pool.query("INSERT INTO host_run (host_id, site_id, name, state) VALUES ($1, $2, 'h', 'Ready')", [
        hostId,
        siteId,
      ]),
    ).rejects.toThrow(/enrolled in Enroll/);
  });

  it("of whose open instances there would be two", async () => {
    const add = () =>
      pool.query(
        "INSERT INTO instance (id, name, tenant_id, host_id) VALUES (gen_random_uuid(), $1, $2, $3)",
        [randomUUID(), tenantId, hostId],
      );
    await add();
    await expect(add()).rejects.toThrow(/unique/);
  });
});
