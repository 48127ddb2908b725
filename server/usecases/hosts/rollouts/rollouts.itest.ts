// Firmware rollouts on the database: two people, one at a time, stages that no two processes exceed, pause, abort, and which firmware is then wanted of each host.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { execute } from "@/server/db/sql";
import { hashPassword } from "@/server/db/secrets/passwords";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { emptyContext } from "@/server/domain/lifecycle/context";
import { skuComponents } from "@/server/domain/hosts/inventory/testing/sku-components";
import type { Actor } from "@/server/usecases/actor";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { listApprovals } from "@/server/usecases/assurance/approvals/list-approvals";
import { approvals } from "@/server/contract/assurance/approvals";
import { decideRollouts } from "@/server/usecases/hosts/rollouts/decide-rollouts";
import { finishRollout } from "@/server/usecases/hosts/rollouts/finish-rollout";
import { getRollout, listRollouts } from "@/server/usecases/hosts/rollouts/list-rollouts";
import {
  abortRollout,
  advanceRollout,
  pauseRollout,
  resumeRollout,
} from "@/server/usecases/hosts/rollouts/rollout-acts";
import { startRollout } from "@/server/usecases/hosts/rollouts/start-rollout";
import { changeSku, removeSku } from "@/server/usecases/hosts/skus/sku-acts";
import { readSkuInForce } from "@/server/usecases/hosts/skus/sku-in-force";
import { listFirmware } from "@/server/usecases/hosts/list/list-firmware";
import { applySite } from "@/server/usecases/sites/apply-site";
import { refusalOf } from "@/server/usecases/testing/outcomes";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

const password = "fourteen gates";
const old = [
  { component: "BIOS", version: "1.8" },
  { component: "NIC", version: "22" },
];
const fresh = [{ component: "BIOS", version: "1.9" }, old[1]];
const image = { component: "BIOS", version: "1.9", url: "http://images.test/1.9", checksum: "a".repeat(64) };
const components = { ...skuComponents, baseline: { firmware: old } };
const reason = "test";

let world: World;
let skuId: string;
beforeAll(async () => {
  world = await createWorld();
  await database().person.updateMany({ data: { passwordHash: await hashPassword(password) } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await database().firmwareRollout.deleteMany();
  await database().reclamation.deleteMany();
  await database().host.deleteMany();
  await database().sku.deleteMany();
  ({ id: skuId } = await database().sku.create({ data: { name: "R750", components } }));
});

const database = () => world.backend.database;
const admin = () => world.actor("provider-admin");
const other = () => world.actor("provider-admin", "vela");
const thrown = (error: unknown): never => {
  throw error;
};
const decideAll = () => decideRollouts(database(), thrown);

const stages = [{ hosts: 1 }, { percent: 50 }, { percent: 100 }];
const start = (change: object = {}, by: Actor = admin()) =>
  startRollout(world.backend, by, world.request(), {
    ...{ sku: "R750", images: [image], stages, maxFailures: 1, reason },
    ...change,
  });

async function decide(id: string, decision: "approved" | "rejected" = "approved", by: Actor = other()) {
  const { approval } = await database().firmwareRollout.findUniqueOrThrow({
    where: { id },
    include: { approval: true },
  });
  return decideApprovals(world.backend, by, world.request(), {
    approvals: [{ id: approval.id, evidence: approval.evidence }],
    ...{ decision, reason, password },
  });
}

async function started(change: object = {}): Promise<string> {
  const outcome = await start(change);
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  const decided = await decide(outcome.value.id);
  if (!decided.ok) throw new Error(decided.problem.detail);
  return outcome.value.id;
}

type RolloutAct = typeof pauseRollout;
const act = (run: RolloutAct, rollout: string, by: Actor = admin()) =>
  run(world.backend, by, world.request(), { rollout, reason });
const advance = (rollout: string, stage: number) =>
  advanceRollout(world.backend, admin(), world.request(), { rollout, stage, reason });
const line = async (rollout: string) => {
  const outcome = await getRollout(world.backend, world.actor("auditor"), { rollout });
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
};

/** A host of the SKU whose plan waits for the rollout; `canUpdate`: its BMC takes updates. */
async function waiting(rollout: string, canUpdate = true): Promise<string> {
  const hostId = await world.host();
  const reclamationId = randomUUID();
  await database().host.update({ where: { id: hostId }, data: { skuId } });
  const body = { platform: { firmwareUpdate: canUpdate }, firmware: old };
  await database().hostInventory.create({ data: { hostId, source: "bmc", bootEpoch: 0, body } });
  await execute(
    database(),
    sql`INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) VALUES (${reclamationId}::uuid, ${hostId}::uuid, 'S', 'release', 1, '{}')`,
  );
  await asks(hostId, reclamationId, rollout);
  return hostId;
}

async function asks(hostId: string, reclamationId: string, rollout: string): Promise<void> {
  const context = emptyContext();
  const kept = { ...context, cleaning: { ...context.cleaning, waitsForRollout: rollout } };
  await database().hostRun.update({
    where: { hostId },
    data: {
      state: "WaitingForCleanup/Init",
      reclamationId,
      context: JSON.parse(JSON.stringify(kept)),
      dueAt: null,
    },
  });
}

const state = (hostId: string, name: string) =>
  execute(
    database(),
    sql`UPDATE host_run SET state = ${name}, state_since = now() + interval '1 second' WHERE host_id = ${hostId}::uuid`,
  );
const wanted = async (hostId: string) => {
  const found = await readSkuInForce(database(), hostId);
  return {
    firmware: (found?.components as typeof components).baseline.firmware,
    files: found?.images.length,
  };
};
const takes = async (hosts: readonly string[]) => {
  const rows = await database().firmwareRolloutHost.findMany();
  return hosts.map((hostId) => rows.find((row) => row.hostId === hostId)?.takes);
};

describe("a rollout", () => {
  it("counts once another person approved it, and shows what it changes", async () => {
    const outcome = await start();
    const id = outcome.ok ? outcome.value.id : "";
    const host = await waiting(id);
    expect(await decideAll()).toBe(0);
    expect((await line(id)).state).toBe("waits");
    expect(refusalOf(await decide(id, "approved", admin()))).toContain("another person decides");
    const listed = await listApprovals(
      world.backend,
      other(),
      approvals.list.input.parse({ kind: "rollout" }),
    );
    expect(listed).toMatchObject({
      value: {
        items: [
          { subject: "firmware of R750: BIOS 1.9, in stages 1 host, 50 %, 100 %, pauses after 1 failed" },
        ],
      },
    });
    expect((await decide(id)).ok).toBe(true);
    expect(await decideAll()).toBe(1);
    expect(await wanted(host)).toEqual({ firmware: fresh, files: 1 });
    expect(await line(id)).toMatchObject({
      ...{ state: "running", taken: 1, places: 1, hosts: { running: 1, pending: 0 } },
      components: [{ component: "BIOS", from: "1.8", to: "1.9" }],
    });
    expect((await database().hostRun.findUniqueOrThrow({ where: { hostId: host } })).dueAt).not.toBeNull();
  });

  it("is one at a time, of what the baseline names; a rejected one is over", async () => {
    expect(refusalOf(await start({ images: [{ ...image, component: "GPU" }] }))).toContain(
      "does not name GPU",
    );
    expect((await start({ stages: [{ hosts: 1 }] })).ok).toBe(false);
    expect((await start({}, world.actor("operator"))).ok).toBe(false);
    const first = await start();
    expect(refusalOf(await start())).toContain("in progress or waits");
    const id = first.ok ? first.value.id : "";
    await decide(id, "rejected");
    const host = await waiting(id);
    expect(await decideAll()).toBe(0);
    expect(await wanted(host)).toEqual({ firmware: old, files: 0 });
    expect((await start()).ok).toBe(true);
  });

  it("keeps others from changing the firmware of its SKU, and counts no more where somebody did", async () => {
    const id = await started();
    const host = await waiting(id);
    await decideAll();
    const change = (next: object) =>
      changeSku(world.backend, admin(), world.request(), {
        ...{ sku: "R750", name: "R750", priorities: {}, reason },
        components: { ...components, ...next },
      });
    expect(refusalOf(await change({ baseline: { firmware: fresh } }))).toContain("Finish or abort it");
    expect((await change({ infiniband: 3 })).ok).toBe(true);
    expect(await wanted(host)).toEqual({ firmware: fresh, files: 1 });
    const third = [{ component: "BIOS", version: "1.7" }, old[1]];
    await database().sku.update({
      where: { id: skuId },
      data: { components: { ...Object(components), baseline: { firmware: third } } },
    });
    expect(await wanted(host)).toEqual({ firmware: third, files: 0 });
    expect(refusalOf(await act(finishRollout, id))).toContain("Not all stages");
  });
});

it("counts for no host before it was approved, even one with a row that says so", async () => {
  const outcome = await start();
  const id = outcome.ok ? outcome.value.id : "";
  const host = await waiting(id);
  await database().firmwareRolloutHost.create({
    data: { rolloutId: id, hostId: host, takes: true, reclamationId: randomUUID(), planEpoch: 0 },
  });
  expect(await wanted(host)).toEqual({ firmware: old, files: 0 });
  expect(refusalOf(await start({}, { ...admin(), kind: "local" }))).toContain("two people");
});

describe("a site document, while a rollout is in progress or waits for its approval,", () => {
  const apply = (skus: readonly object[], more: object = {}) =>
    applySite(world.backend, admin(), world.request(), {
      ...{ document: stringify({ format: 1, site: "a", skus, ...more }), reason },
    });
  const held =
    "a firmware rollout of R750 is in progress or waits for its approval. Finish or abort it before you change the firmware of the SKU";
  const changes = { ...components, baseline: { firmware: fresh } };

  it("does not change the firmware of its SKU, and says where it would", async () => {
    const waits = await start();
    expect(refusalOf(await apply([{ name: "R750", components: changes }]))).toContain(held);
    const id = waits.ok ? waits.value.id : "";
    await decide(id);
    const refusal = await apply([{ name: "R750", components: changes }]);
    expect(refusal).toMatchObject({
      problem: {
        code: "notAllowedNow",
        faults: [{ path: "skus.0.components.baseline.firmware", message: held }],
      },
    });
    expect((await database().sku.findUniqueOrThrow({ where: { id: skuId } })).components).toEqual(components);
    expect((await line(id)).state).toBe("running");
  });

  it("changes everything else of it, and other SKUs; after the end of the rollout also the firmware", async () => {
    const id = await started();
    const other = { name: "R760", components: changes };
    const outcome = await apply([{ name: "R750", components: { ...components, infiniband: 3 } }, other]);
    expect(outcome).toMatchObject({ ok: true, value: { applied: true } });
    await act(abortRollout, id);
    expect((await apply([{ name: "R750", components: changes }, other])).ok).toBe(true);
  });

  it("does not leave its SKU out, and nobody deletes it", async () => {
    const id = await started();
    expect(refusalOf(await apply([]))).toContain(
      "the SKU R750 is missing from the document, but a firmware rollout of it is in progress or waits for its approval: finish or abort it first",
    );
    const remove = () => removeSku(world.backend, admin(), world.request(), { sku: "R750", reason });
    expect(refusalOf(await remove())).toContain("finish or abort it first");
    await act(abortRollout, id);
    expect((await remove()).ok).toBe(true);
  });
});

it("is not finished over firmware that somebody changed past it", async () => {
  const id = await started({ stages: [{ percent: 100 }] });
  const third = [{ component: "BIOS", version: "1.7" }, old[1]];
  await database().sku.update({
    where: { id: skuId },
    data: { components: { ...Object(components), baseline: { firmware: third } } },
  });
  expect(refusalOf(await act(finishRollout, id))).toContain("was changed meanwhile");
});

describe("hosts", () => {
  it("are let in first come, first served, never more than the stage allows, whoever decides at the same time", async () => {
    const id = await started();
    const hosts = [await waiting(id), await waiting(id), await waiting(id), await waiting(id)];
    await Promise.all([decideAll(), decideAll(), decideAll()]);
    expect(await takes(hosts)).toEqual([true, false, false, false]);
    expect(await wanted(hosts[1] ?? "")).toEqual({ firmware: old, files: 0 });
    expect((await advance(id, 0)).ok).toBe(true);
    expect(refusalOf(await advance(id, 0))).toContain("Another stage");
    // Decided about already: nothing changes until their next plan.
    expect(await decideAll()).toBe(0);
    await database().reclamation.updateMany({ data: { planEpoch: 1 } });
    expect(await decideAll()).toBe(4);
    expect(await takes(hosts)).toEqual([true, true, false, false]);
  });

  it("that cannot be updated, or come while it is paused, keep their version; who has the new one keeps that", async () => {
    const id = await started({ stages: [{ percent: 100 }] });
    const [without, first] = [await waiting(id, false), await waiting(id)];
    await decideAll();
    expect(await takes([without, first])).toEqual([false, true]);
    expect((await act(pauseRollout, id, world.actor("operator"))).ok).toBe(true);
    const late = await waiting(id);
    await database().reclamation.updateMany({ data: { planEpoch: 1 } });
    await decideAll();
    expect(await takes([first, late])).toEqual([true, false]);
    expect(await line(id)).toMatchObject({ state: "paused", pausedReason: reason });
    expect((await act(resumeRollout, id, world.actor("operator"))).ok).toBe(false);
    expect((await act(resumeRollout, id)).ok).toBe(true);
    await database().reclamation.updateMany({ data: { planEpoch: 2 } });
    await decideAll();
    expect(await takes([late])).toEqual([true]);
  });

  it("that fail pause it by itself; after a resume only new failures count", async () => {
    const id = await started({ stages: [{ percent: 100 }] });
    const [first, second] = [await waiting(id), await waiting(id)];
    await decideAll();
    await state(first, "Failed/PlatformCleanFailed");
    await decideAll();
    expect(await line(id)).toMatchObject({
      ...{ state: "paused", pausedBy: null, pausedReason: "1 host failed with the new firmware" },
      hosts: { failed: 1, running: 1 },
    });
    await execute(
      database(),
      sql`UPDATE host_run SET state_since = now() - interval '1 hour' WHERE host_id = ${first}::uuid`,
    );
    await act(resumeRollout, id);
    await decideAll();
    expect((await line(id)).state).toBe("running");
    await state(second, "Failed/AgentLost");
    await decideAll();
    expect((await line(id)).state).toBe("paused");
  });

  it("are counted for the fleet, and by version as it is wanted of each", async () => {
    const id = await started();
    await waiting(id);
    await waiting(id);
    await decideAll();
    const listed = await listRollouts(world.backend, world.actor("operator"));
    expect(listed).toMatchObject({
      value: { updates: { hosts: { pending: 1, running: 1, failed: 0 }, dpus: null } },
    });
    const firmware = await listFirmware(world.backend, world.actor("auditor"), {
      ...{ text: "BIOS", differing: false, cursor: null, limit: 10 },
    });
    expect(firmware).toMatchObject({
      value: { rows: [{ version: "1.8", hosts: 2, asWanted: 1, differ: 1 }] },
    });
    expect((await listRollouts(world.backend, world.actor("tenant-admin"))).ok).toBe(false);
  });
});

describe("the end", () => {
  it("an abort leaves the new firmware to who has it, and the SKU's to who failed and to all others", async () => {
    const id = await started({ stages: [{ percent: 100 }], maxFailures: 9 });
    const [done, failed] = [await waiting(id), await waiting(id)];
    await decideAll();
    await execute(
      database(),
      sql`UPDATE reclamation SET ended_at = now(), outcome = 'ready' WHERE host_id = ${done}::uuid`,
    );
    await decideAll();
    await state(failed, "Failed/PlatformCleanFailed");
    expect((await act(abortRollout, id, world.actor("operator"))).ok).toBe(true);
    expect(await wanted(done)).toEqual({ firmware: fresh, files: 1 });
    expect(await wanted(failed)).toEqual({ firmware: old, files: 0 });
    expect(refusalOf(await act(resumeRollout, id))).toContain("is aborted");
    expect((await line(id)).hosts).toMatchObject({ done: 1, pending: 1 });
  });

  it("finishing writes the firmware into the SKU, and its files serve every host of it", async () => {
    const id = await started();
    const host = await waiting(id);
    await decideAll();
    expect(refusalOf(await act(finishRollout, id))).toContain("Not all stages");
    await advance(id, 0);
    await advance(id, 1);
    expect(refusalOf(await advance(id, 2))).toContain("The last stage is open");
    const late = await waiting(id);
    await execute(database(), sql`UPDATE reclamation SET plan_epoch = 1 WHERE host_id = ${late}::uuid`);
    expect(refusalOf(await act(finishRollout, id))).toContain(
      "1 host of R750, which would stop as different",
    );
    await execute(
      database(),
      sql`UPDATE reclamation SET ended_at = now(), outcome = 'ready' WHERE host_id = ${late}::uuid`,
    );
    expect((await act(finishRollout, id)).ok).toBe(true);
    expect(await wanted(host)).toEqual({ firmware: fresh, files: 1 });
    expect(await wanted(late)).toEqual({ firmware: fresh, files: 1 });
    const events = await database().auditEvent.findMany({
      where: { targetId: skuId, outcome: "done" },
      orderBy: { at: "asc" },
    });
    expect(events.map(({ action }) => action).sort()).toEqual([
      ...["rollout.advance", "rollout.advance", "rollout.finish", "rollout.start"],
    ]);
    expect(events.at(-1)?.action).toBe("rollout.finish");
    expect(JSON.stringify(events.at(-1)?.after)).toContain("1.9");
  });
});

it("where SKUs are changed by two people, finishing it waits for the second one, who writes the firmware", async () => {
  const id = await started({ stages: [{ percent: 100 }] });
  const policy = (changesNeedApproval: boolean) =>
    database().sitePolicy.updateMany({ data: { body: { ...defaultPolicy(), changesNeedApproval } } });
  await policy(true);
  try {
    expect(await act(finishRollout, id)).toMatchObject({ problem: { code: "awaitsApproval" } });
    expect((await line(id)).state).toBe("running");
    const request = await database().approval.findFirstOrThrow({
      where: { kind: "policyChange", decision: null },
    });
    const decided = await decideApprovals(world.backend, other(), world.request(), {
      approvals: [{ id: request.id, evidence: request.evidence }],
      ...{ decision: "approved", password },
    });
    expect(decided.ok).toBe(true);
    expect((await line(id)).state).toBe("finished");
    const { components: now } = await database().sku.findUniqueOrThrow({ where: { id: skuId } });
    expect(now).toMatchObject({ baseline: { firmware: fresh } });
  } finally {
    await database().$executeRawUnsafe("ALTER TABLE site_policy DISABLE TRIGGER USER");
    await policy(false);
    await database().$executeRawUnsafe("ALTER TABLE site_policy ENABLE TRIGGER USER");
  }
});

it("the database keeps what was approved", async () => {
  const id = await started();
  const change = (data: object) => database().firmwareRollout.update({ where: { id }, data });
  await expect(change({ firmware: [] })).rejects.toThrow("never changes");
  await expect(change({ stages: [{ percent: 100 }] })).rejects.toThrow("never changes");
  await act(abortRollout, id);
  await expect(change({ stage: 1 })).rejects.toThrow("never changes");
});
