// Records of repairs on the database, and who reads what of them: operators all, a repair tenant those of the queue and its own, nobody else any.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addReport, applyTemplate } from "@/server/usecases/repair/health/report-acts";
import { setHostLabels } from "@/server/usecases/hosts/labels/set-labels";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { getRepairHost } from "@/server/usecases/repair/get-repair-host";
import { getRepairQueue } from "@/server/usecases/repair/get-queue";
import { listHeld } from "@/server/usecases/repair/list-held";
import { listOffenders } from "@/server/usecases/repair/list-offenders";
import { listOutcomes } from "@/server/usecases/repair/list-outcomes";
import { setOutcome } from "@/server/usecases/repair/set-outcome";
import type { Actor } from "@/server/usecases/actor";
import { hostAssurance } from "@/server/usecases/assurance/host-assurance";
import { createWorld } from "@/server/usecases/testing/world";
import { valueOf } from "@/server/usecases/testing/outcomes";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  // A second tenant that may repair.
  await world.backend.database.tenantGrant.create({
    data: {
      tenantId: world.tenants.vela,
      siteId: world.siteId,
      kind: "targetedInstanceCreation",
      givenBy: "test",
    },
  });
});
afterAll(() => world.stop());

const operator = () => world.actor("operator");
const fixer = () => world.actor("repair-tenant-admin", "repair");
const other = () => ({ ...world.actor("repair-tenant-admin", "vela"), targetedAt: [world.siteId] });
const all = { cursor: null, limit: 100 };

/** A Ready host that asks for a repair. */
async function asking(message = "fan 3 stands still"): Promise<string> {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  await ask(hostId, message);
  return hostId;
}
const ask = async (hostId: string, message: string) =>
  valueOf(
    await applyTemplate(world.backend, operator(), world.request(), {
      hostId,
      template: "request-repair",
      message,
    }),
  );
const claim = (hostId: string, actor = fixer()) =>
  claimHost(world.backend, actor, world.request(), {
    name: `repair-${randomUUID()}`,
    wanted: { hostId, allowUnhealthy: true },
  });
const release = (instanceId: string, more: object = {}) =>
  releaseInstance(world.backend, fixer(), world.request(), { instanceId, repairTenant: true, ...more });
/** As the controller does it. */
const end = (id: string) =>
  world.backend.database.instance.update({ where: { id }, data: { endedAt: new Date() } });
const queued = async (hostId: string, actor = operator()) =>
  valueOf(await getRepairQueue(world.backend, actor, all)).rows.find((row) => row.hostId === hostId);

describe("a repair", () => {
  it("waits in the queue, is held, and is recorded with its outcome", async () => {
    const hostId = await asking();
    expect(await queued(hostId)).toMatchObject({
      issue: { category: null, summary: "fan 3 stands still" },
      state: "Ready",
      repaired: { total: 0, offender: false },
      claim: { allowed: false, reason: "Only a repair tenant can claim hosts." },
    });
    expect(await queued(hostId, fixer())).toMatchObject({ claim: { allowed: true, reason: null } });
    await setHostLabels(world.backend, operator(), world.request(), {
      hostId,
      labels: { asset: "17", repair_status: "Completed", repair_ticket: "old", repair_summary: "old" },
    });

    const { id } = valueOf(await claim(hostId));
    expect(await queued(hostId)).toBeUndefined();
    const [held] = valueOf(await listHeld(world.backend, fixer()));
    expect(held).toMatchObject({
      instanceId: id,
      repairStatus: "InProgress",
      outcome: "none",
      ticket: null,
      note: null,
      issue: { summary: "fan 3 stands still" },
      requested: true,
      reported: false,
      release: { allowed: true },
    });

    valueOf(
      await setOutcome(world.backend, fixer(), world.request(), {
        hostId,
        outcome: "Completed",
        ticket: "HW-1",
        summary: "fan replaced",
      }),
    );
    const host = await world.backend.database.host.findUniqueOrThrow({ where: { id: hostId } });
    expect(host.labels).toEqual({
      asset: "17",
      repair_status: "Completed",
      repair_ticket: "HW-1",
      repair_summary: "fan replaced",
    });
    valueOf(await release(id));
    valueOf(await release(id));
    const { rows, ...sums } = valueOf(await listOutcomes(world.backend, operator(), all));
    expect(rows.filter((row) => row.hostId === hostId)).toMatchObject([
      { outcome: "completed", ticket: "HW-1", note: "fan replaced", newIssue: null, tenant: "Repair" },
    ]);
    expect(sums.completed).toBe(1);
    expect(sums.perDay).toHaveLength(31);
    expect(sums.perDay.at(-1)).toMatchObject({ completed: 1, failed: 0, none: 0 });
    expect(sums.medianHeldMs).toBeGreaterThanOrEqual(0);
    expect(valueOf(await listHeld(world.backend, fixer()))).toEqual([]);
  });

  it("that is given up without a word of its end has no outcome", async () => {
    const hostId = await asking();
    const { id } = valueOf(await claim(hostId));
    valueOf(await releaseInstance(world.backend, fixer(), world.request(), { instanceId: id }));
    const { earlier, held } = valueOf(await getRepairHost(world.backend, operator(), { host: hostId }));
    expect(held).toBeNull();
    expect(earlier).toMatchObject([{ outcome: "none" }]);
  });

  it("is no record where the host asks for none, and none where the release is refused", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    const { id } = valueOf(await claim(hostId));
    expect(await world.backend.database.repair.count({ where: { instanceId: id } })).toBe(0);
    valueOf(await release(id));
    expect(await world.backend.database.repair.count({ where: { instanceId: id } })).toBe(0);
    await end(id);

    const kept = await asking();
    const claimed = valueOf(await claim(kept));
    await applyTemplate(world.backend, operator(), world.request(), {
      hostId: kept,
      template: "request-online-repair",
      message: "wait",
    });
    expect(await release(claimed.id)).toMatchObject({ ok: false });
    const record = await world.backend.database.repair.findUniqueOrThrow({
      where: { instanceId: claimed.id },
    });
    expect(record.releasedAt).toBeNull();
  });

  it("of a host that was repaired three times in 30 days makes it a repeat offender", async () => {
    const hostId = await asking();
    const offends = async () =>
      valueOf(await listOffenders(world.backend, operator())).rows.some((row) => row.hostId === hostId);
    for (const days of [31, 2, 1]) {
      await ask(hostId, "again");
      const { id } = valueOf(await claim(hostId));
      valueOf(await release(id, { issue: { category: "Other", summary: "not found" } }));
      await world.backend.database.repair.update({
        where: { instanceId: id },
        data: { releasedAt: new Date(Date.now() - days * 86_400_000) },
      });
      await end(id);
    }
    expect(await offends()).toBe(false);
    // A claim that is taken back at its hand-over ended before anybody had the host.
    await ask(hostId, "again");
    const taken = valueOf(await claim(hostId));
    await end(taken.id);
    expect(await offends()).toBe(false);
    const { earlier } = valueOf(await getRepairHost(world.backend, operator(), { host: hostId }));
    expect(earlier[0]).toMatchObject({ outcome: "none" });
    await world.backend.database.repair.deleteMany({ where: { instanceId: taken.id } });
    await world.backend.database.repair.updateMany({ where: { hostId }, data: { releasedAt: new Date() } });
    expect(await offends()).toBe(true);
    await ask(hostId, "again");
    expect(await queued(hostId)).toMatchObject({ repaired: { total: 3, recent: 3, offender: true } });
  });
});

describe("an outcome", () => {
  it("is noted of a host under repair only, by its tenant or the provider", async () => {
    const hostId = await asking();
    const note = (actor = fixer()) =>
      setOutcome(world.backend, actor, world.request(), { hostId, outcome: "Failed" });
    expect(await note()).toMatchObject({ ok: false, problem: { code: "notAllowedNow" } });
    const { id } = valueOf(await claim(hostId));
    expect(await note(other())).toMatchObject({ ok: false, problem: { code: "notAllowedNow" } });
    expect(await note(world.actor("tenant-admin"))).toMatchObject({
      ok: false,
      problem: { code: "forbidden" },
    });
    expect(valueOf(await note(operator()))).toEqual({ changed: true });
    expect(valueOf(await note())).toEqual({ changed: false });
    valueOf(await release(id));
    expect(await note()).toMatchObject({ ok: false });
    expect(valueOf(await listOutcomes(world.backend, fixer(), all)).rows[0]).toMatchObject({
      outcome: "failed",
    });
  });
});

describe("the outcome", () => {
  it("is not noted of an instance that is no repair", async () => {
    const plain = await world.host();
    await world.put(plain, "Ready");
    const ordinary = valueOf(await claim(plain)).id;
    await ask(plain, "since somebody has it");
    expect(
      await setOutcome(world.backend, operator(), world.request(), { hostId: plain, outcome: "Completed" }),
    ).toMatchObject({ ok: false, problem: { code: "notAllowedNow" } });
    expect(await world.backend.database.repair.count({ where: { instanceId: ordinary } })).toBe(0);
  });
});

describe("who reads", () => {
  it("the pages of repair: the provider's people, and tenants with the capability", async () => {
    for (const actor of [world.actor("tenant-admin"), { ...fixer(), targetedAt: [] }])
      for (const read of [
        getRepairQueue(world.backend, actor, all),
        listHeld(world.backend, actor),
        listOutcomes(world.backend, actor, all),
        listOffenders(world.backend, actor),
        getRepairHost(world.backend, actor, { host: randomUUID() }),
      ])
        expect(await read).toMatchObject({ ok: false, problem: { code: "forbidden" } });
    for (const actor of [world.actor("auditor"), world.actor("provider-admin")])
      expect(valueOf(await listOutcomes(world.backend, actor, all)).rows.length).toBeGreaterThan(0);
  });

  it("a host: a repair tenant only one of the queue or its own, and nothing of what another does with it", async () => {
    const { database } = world.backend;
    const plain = await world.host();
    await world.put(plain, "Ready");
    const gone = { ok: false, problem: { code: "notFound" } };
    expect(await getRepairHost(world.backend, fixer(), { host: plain })).toMatchObject(gone);
    // At a site other than those where it may repair.
    const away = { ...fixer(), targetedAt: [randomUUID()] };
    const far = await asking();
    expect(await queued(far, fixer())).toBeDefined();
    expect(valueOf(await getRepairQueue(world.backend, away, all))).toMatchObject({ rows: [], total: 0 });
    expect(await getRepairHost(world.backend, away, { host: far })).toMatchObject(gone);

    const hostId = await asking("xid 79");
    await addReport(world.backend, operator(), world.request(), {
      hostId,
      source: "notes",
      report: { alerts: [{ id: "Odd", message: "SECRET of a person" }] },
      reason: "noticed",
    });
    await setHostLabels(world.backend, operator(), world.request(), { hostId, labels: { asset: "17" } });
    await database.gate.updateMany({
      where: { reclamation: { hostId }, gate: "storageSanitized" },
      data: { status: "unsatisfied", reason: "SECRET-SERIAL: its erase failed" },
    });
    const seen = valueOf(await getRepairHost(world.backend, fixer(), { host: hostId }));
    expect(seen).toMatchObject({
      asks: { issue: { summary: "xid 79" }, requested: true, reported: false },
      labels: { asset: "17" },
      reclamation: {
        gates: expect.arrayContaining([
          { gate: "healthy", status: "satisfied", reason: null },
          { gate: "storageSanitized", status: "unsatisfied", reason: null },
        ]),
      },
    });
    expect(JSON.stringify(seen)).not.toContain("SECRET");
    const provider = JSON.stringify(
      valueOf(await getRepairHost(world.backend, operator(), { host: hostId })),
    );
    expect(provider).toContain("SECRET of a person");
    expect(provider).toContain("SECRET-SERIAL");

    // The host's procedures as well, although it may not record any yet.
    const readsProcedures = async (host = hostId, actor: Actor = fixer()) => {
      const read = await hostAssurance(world.backend, actor, { hostId: host });
      return read.ok ? read.value.refusal : read.problem.code;
    };
    expect(await readsProcedures()).toBe("Claim the host before recording on it.");
    for (const actor of [{ ...fixer(), targetedAt: [] }, away, world.actor("tenant-admin")])
      expect(["forbidden", "notFound"]).toContain(await readsProcedures(hostId, actor));
    expect(await readsProcedures(plain)).toBe("notFound");

    const { id } = valueOf(await claim(hostId));
    expect(valueOf(await getRepairHost(world.backend, fixer(), { host: hostId })).held).not.toBeNull();
    expect(await readsProcedures()).toBeNull();
    expect(await readsProcedures(hostId, other())).toBe("notFound");
    expect(await getRepairHost(world.backend, other(), { host: hostId })).toMatchObject(gone);
    expect(await queued(hostId, other())).toBeUndefined();
    expect(valueOf(await listHeld(world.backend, other()))).toEqual([]);
    valueOf(await release(id, { issue: { category: "Hardware", summary: "xid 79 again" } }));
    // The instance has not ended: the other tenant reads that the host is coming back, but not what it does.
    await world.put(hostId, "Failed/NetworkReconfigTimeout");
    const returning = valueOf(await getRepairHost(world.backend, other(), { host: hostId }));
    expect(await readsProcedures(hostId, other())).toBe("notFound");
    expect(returning).toMatchObject({
      state: "being cleaned",
      claim: { allowed: false, reason: "It is being cleaned.", expectedAt: null },
      labels: null,
      alerts: null,
      reclamation: null,
      states: null,
      stateSince: null,
      held: null,
      earlier: [{ tenant: null }],
      asks: { issue: { category: "Hardware", summary: "xid 79 again" } },
    });
    const name = (await database.instance.findUniqueOrThrow({ where: { id } })).name;
    for (const secret of [id, name, "Repair"]) expect(JSON.stringify(returning)).not.toContain(`"${secret}`);
    expect(valueOf(await listOutcomes(world.backend, other(), all)).rows).toEqual([]);
  });
});
