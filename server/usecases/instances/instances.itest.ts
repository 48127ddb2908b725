// Claims and releases on a real database: one winner, one release, nothing disclosed to others, everything in the audit log.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTransaction } from "@/server/db/transaction";
import { fromTemplate, healthTemplates } from "@/server/domain/repair/health/templates";
import { stateTable } from "@/server/domain/lifecycle/state-table";
import { allStates, failureCauses, isClaimable, isFailed } from "@/server/domain/lifecycle/states";
import { until } from "@/server/testing/until";
import { setHostLabels } from "@/server/usecases/hosts/labels/set-labels";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { getInstance } from "@/server/usecases/instances/list-instances";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { releaseInstances } from "@/server/usecases/instances/release-instances";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const claimAny = (tenant: "acme" | "vela" | "repair", name: string) =>
  claimHost(world.backend, world.actor("tenant-admin", tenant), world.request(), {
    name,
    wanted: { siteId: world.siteId },
  });

async function assigned(tenant: "acme" | "vela" | "repair"): Promise<{ id: string; hostId: string }> {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  const claimed = await claimAny(tenant, `instance-${randomUUID()}`);
  if (!claimed.ok) throw new Error(claimed.problem.detail);
  expect(claimed.value.hostId).toBe(hostId);
  await world.backend.database.signal.deleteMany({ where: { hostId } });
  await world.put(hostId, "Assigned/Ready");
  return claimed.value;
}

describe("a claim", () => {
  it("lets one of two have the last Ready host, every time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const hostId = await world.host();
      await world.put(hostId, "Ready");
      const both = await Promise.all([claimAny("acme", `race-${round}`), claimAny("vela", `race-${round}`)]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(both.find(({ ok }) => !ok)).toMatchObject({ problem: { code: "conflict" } });
      const run = await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
      expect(run).toMatchObject({ allocatable: false, evidenceSeq: 1n, wakeSeq: 1n });
      expect(await world.backend.database.instance.count({ where: { hostId, endedAt: null } })).toBe(1);
      expect(await world.backend.database.networkResource.count({ where: { hostId } })).toBe(3);
      expect(await world.backend.database.signal.findMany({ where: { hostId } })).toMatchObject([
        { kind: "assign" },
      ]);
    }
  });
  it("gives two tenants two hosts, when there are two", async () => {
    for (const id of [await world.host(), await world.host()]) await world.put(id, "Ready");
    const both = await Promise.all([claimAny("acme", "pair"), claimAny("vela", "pair")]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
  });
  it("of two with the same name at once gives one, and a conflict", async () => {
    for (const id of [await world.host(), await world.host(), await world.host()])
      await world.put(id, "Ready");
    for (let round = 0; round < 3; round += 1) {
      const both = await Promise.all([claimAny("acme", `twin-${round}`), claimAny("acme", `twin-${round}`)]);
      expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
      expect(both.find(({ ok }) => !ok)).toMatchObject({ problem: { code: "conflict" } });
    }
    await world.backend.database.hostRun.updateMany({
      where: { state: "Ready" },
      data: { allocatable: false },
    });
  });
  it("takes a host that became free while it waited for one that another took", async () => {
    const { database } = world.backend;
    const [taken, freed] = [await world.host(), await world.host()];
    for (const id of [taken, freed]) await world.put(id, "Ready");
    const allocatable = (tx: Pick<typeof database, "hostRun">, hostId: string, is: boolean) =>
      tx.hostRun.update({ where: { hostId }, data: { allocatable: is } });
    await allocatable(database, freed, false);
    let waiting: ReturnType<typeof claimAny> | undefined;
    await database.$transaction(async (tx) => {
      await allocatable(tx, taken, false);
      waiting = claimAny("acme", "waited");
      const locks = () =>
        tx.$queryRaw`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(locks, { timeout: 4_000 }).toHaveLength(1);
      await allocatable(tx, freed, true);
    });
    expect(await waiting).toMatchObject({ ok: true, value: { hostId: freed } });
  });
  it("takes the next host when another took the one that it waited for", async () => {
    const { database } = world.backend;
    const [first, second] = [await world.host(), await world.host()];
    for (const id of [first, second]) await world.put(id, "Ready");
    let waiting: ReturnType<typeof claimAny> | undefined;
    await database.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT host_id FROM host_run WHERE host_id = ANY(${[first, second]}::uuid[]) FOR UPDATE`;
      waiting = claimAny("acme", "next");
      const locks = () =>
        tx.$queryRaw`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(locks, { timeout: 4_000 }).toHaveLength(1);
      await tx.hostRun.update({ where: { hostId: first }, data: { allocatable: false } });
    });
    expect(await waiting).toMatchObject({ ok: true, value: { hostId: second } });
  });
  it("does not take a Ready host that is kept out of allocation", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    await world.backend.database.hostRun.update({ where: { hostId }, data: { allocatable: false } });
    expect(await claimAny("acme", "kept-out")).toMatchObject({ problem: { code: "conflict" } });
  });
  it("takes no Ready host whose proof is in doubt or too old: any, exact, or for a repair", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    // As both `ready_watch_doubt` and `aged_proof_mark` leave it.
    await world.backend.database.hostRun.update({
      where: { hostId },
      data: { touched: true, allocatable: false, health: { repair: true } },
    });
    const ask = (allowUnhealthy: boolean) =>
      claimHost(world.backend, world.actor("repair-tenant-admin"), world.request(), {
        name: "doubted",
        wanted: { hostId, allowUnhealthy },
      });
    for (const asked of [claimAny("acme", "doubted"), ask(false), ask(true)])
      expect(await asked).toMatchObject({ ok: false, problem: { code: "conflict" } });
    expect(await world.backend.database.instance.count({ where: { hostId } })).toBe(0);
  });
  it("of an exact host needs the capability", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    const ask = (role: "tenant-admin" | "repair-tenant-admin", id: string) =>
      claimHost(world.backend, world.actor(role), world.request(), { name: "exact", wanted: { hostId: id } });
    expect(await ask("tenant-admin", hostId)).toMatchObject({ problem: { code: "forbidden" } });
    expect(await ask("repair-tenant-admin", randomUUID())).toMatchObject({ problem: { code: "notFound" } });
    expect(await ask("repair-tenant-admin", hostId)).toMatchObject({ ok: true, value: { hostId } });
    expect(await ask("repair-tenant-admin", hostId)).toMatchObject({ problem: { code: "conflict" } });
  });
});

describe("an instance that has ended", () => {
  it("is followed to the end of its reclamation, and shows nothing of who comes next", async () => {
    const { id, hostId } = await assigned("acme");
    const { database } = world.backend;
    const mine = {
      hostId,
      instanceId: id,
      tenantId: world.tenants.acme,
      hostSerial: hostId,
      kind: "release",
      policyVersion: 1,
      policy: {},
    };
    const reclamation = await database.reclamation.create({ data: { id: randomUUID(), ...mine } });
    await database.instance.update({ where: { id }, data: { endedAt: new Date() } });
    await world.put(hostId, "WaitingForCleanup/HostCleanup");
    await database.hostRun.update({ where: { hostId }, data: { reclamationId: reclamation.id } });
    const words = async () => {
      const found = await getInstance(world.backend, world.actor("tenant-admin", "acme"), { id });
      return found.ok ? found.value.hostWords : found.problem.code;
    };
    expect(await words()).toBe("being cleaned");
    await database.reclamation.update({
      where: { id: reclamation.id },
      data: { endedAt: new Date(), outcome: "ready" },
    });
    for (const state of ["Ready", "Assigned/Ready", "Failed/CleanFailed"] as const) {
      await world.put(hostId, state);
      if (state === "Ready")
        await database.hostRun.update({ where: { hostId }, data: { reclamationId: reclamation.id } });
      expect(await words()).toBe("returned to allocation");
    }
  });
});

describe("where an instance went after its release", () => {
  it("is its reclamation for the provider, and for its tenant when the machine was erased and proven clean", async () => {
    const { id, hostId } = await assigned("acme");
    const { database } = world.backend;
    const read = async (role: "operator" | "tenant-admin") => {
      const actor = role === "operator" ? world.actor("operator") : world.actor("tenant-admin", "acme");
      const found = await getInstance(world.backend, actor, { id });
      if (!found.ok) throw new Error(found.problem.detail);
      return found.value;
    };
    expect(await read("operator")).toMatchObject({ reclamation: null, erasedAt: null, verifiedAt: null });
    const reclamation = await database.reclamation.create({
      data: {
        hostId,
        instanceId: id,
        tenantId: world.tenants.acme,
        hostSerial: hostId,
        kind: "release",
        policyVersion: 1,
        policy: {},
      },
    });
    const step = (position: number, status: string, endedAt: Date | null) => ({
      reclamationId: reclamation.id,
      hostId,
      planEpoch: 0,
      position,
      interface: "deploy",
      step: `erase_${position}`,
      where: "agent",
      priority: 90,
      prioritySource: "default",
      maxAttempts: 1,
      proves: ["storageSanitized"],
      status,
      endedAt,
    });
    const erasedAt = new Date("2026-11-20T10:00:00Z");
    await database.stepRun.createMany({
      data: [step(1, "succeeded", new Date("2026-11-20T09:00:00Z")), step(2, "running", null)],
    });
    await database.instance.update({ where: { id }, data: { endedAt: new Date() } });
    const number = `R-${reclamation.number}`;
    expect(await read("operator")).toMatchObject({
      reclamation: { id: reclamation.id, number, hostId, gone: false },
      erasedAt: null,
      verifiedAt: null,
    });
    await database.stepRun.updateMany({
      where: { reclamationId: reclamation.id, position: 2 },
      data: { status: "succeeded", endedAt: erasedAt },
    });
    await database.hostRun.update({
      where: { hostId },
      data: { reclamationId: reclamation.id, context: {} },
    });
    expect(await read("tenant-admin")).toMatchObject({ erasedAt, verifiedAt: null });
    await database.hostRun.update({
      where: { hostId },
      data: { context: { cleaning: { voided: { reason: "contestedBoot", message: "two agents", at: "" } } } },
    });
    for (const role of ["operator", "tenant-admin"] as const)
      expect(await read(role)).toMatchObject({ erasedAt: null });
    await database.hostRun.update({ where: { hostId }, data: { reclamationId: null } });
    expect(await read("tenant-admin")).toMatchObject({ erasedAt: null });
    const verifiedAt = new Date("2026-11-20T11:00:00Z");
    await database.reclamation.update({
      where: { id: reclamation.id },
      data: { endedAt: verifiedAt, outcome: "ready" },
    });
    expect(await read("tenant-admin")).toMatchObject({ reclamation: null, erasedAt, verifiedAt });
  });

  it("is told of the reclamation that settled it, also when that began later than its own", async () => {
    const { database } = world.backend;
    const { id, hostId } = await assigned("acme");
    const { serial } = await database.host.findUniqueOrThrow({ where: { id: hostId } });
    const hostSerial = serial ?? "";
    const reclamation = (outcome: string, over: object) =>
      database.reclamation.create({
        data: {
          id: randomUUID(),
          hostId,
          hostSerial,
          kind: "release",
          policyVersion: 1,
          policy: {},
          planEpoch: 1,
          endedAt: new Date("2026-11-20T11:00:00Z"),
          outcome,
          ...over,
        },
      });
    await reclamation("handedToRepair", { instanceId: id });
    const later = await reclamation("ready", { kind: "recheck" });
    await database.debt.create({
      data: {
        chassisSerial: hostSerial,
        driveSerials: ["S1"],
        instanceId: id,
        clearedAt: new Date(),
        clearedBy: later.id,
      },
    });
    await database.instance.update({ where: { id }, data: { endedAt: new Date() } });
    const read = await getInstance(world.backend, world.actor("tenant-admin", "acme"), { id });
    expect(read).toMatchObject({
      ok: true,
      value: { hostWords: "returned to allocation", verifiedAt: later.endedAt },
    });
  });
});

describe("a release", () => {
  it("is one release, however often it is asked for", async () => {
    const { id, hostId } = await assigned("acme");
    const actor = world.actor("tenant-admin", "acme");
    const results = await Promise.all(
      [1, 2, 3].map(() => releaseInstance(world.backend, actor, world.request(), { instanceId: id })),
    );
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(results.filter((result) => result.ok && !result.value.alreadyReleasing)).toHaveLength(1);
    expect(await world.backend.database.signal.findMany({ where: { hostId } })).toMatchObject([
      { kind: "release", payload: { instanceId: id, by: { personId: actor.personId } } },
    ]);
    const instance = await world.backend.database.instance.findUniqueOrThrow({
      where: { id },
      include: { history: { orderBy: { id: "asc" } } },
    });
    expect(instance).toMatchObject({ releasedBy: actor.personId, endedAt: null });
    // From the acceptance on, before any controller has read it.
    expect(await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).toMatchObject({
      bootHeld: true,
    });
    expect(instance.history.map(({ status }) => status)).toEqual(["Provisioning", "Terminating"]);
    const run = await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
    expect(run.dueAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1); // whole milliseconds, rounded
    expect(
      await world.backend.database.auditEvent.findMany({
        where: { targetId: id, action: "instance.release" },
      }),
    ).toMatchObject([
      {
        actorId: actor.personId,
        actorKind: "person",
        targetKind: "instance",
        tenantId: world.tenants.acme,
        outcome: "done",
        address: "127.0.0.1",
        before: { hostId, released: false },
        after: { released: true },
      },
    ]);
  });
  it("shares its statements with those of the same moment, and each is logged for itself", async () => {
    const held: Awaited<ReturnType<typeof assigned>>[] = [];
    // Sequentially, because concurrent claims of any host would take each other's.
    while (held.length < 12) held.push(await assigned("acme"));
    const ids = held.map(({ id }) => id);
    const actor = world.actor("tenant-admin", "acme");
    const results = await Promise.all(
      [...ids, randomUUID()].map((instanceId) =>
        releaseInstance(world.backend, actor, world.request(), { instanceId }),
      ),
    );
    expect(results.map(({ ok }) => ok)).toEqual([...ids.map(() => true), false]);
    const signals = await world.backend.database.$queryRaw<{ tx: string; host_id: string; by: string }[]>`
      SELECT xmin::text AS tx, host_id::text, payload ->> 'instanceId' AS by FROM signal
      WHERE kind = 'release' AND payload ->> 'instanceId' = ANY(${ids})`;
    expect(new Map(signals.map(({ host_id, by }) => [by, host_id]))).toEqual(
      new Map(held.map(({ id, hostId }) => [id, hostId])),
    );
    expect(signals).toHaveLength(ids.length);
    expect(new Set(signals.map(({ tx }) => tx)).size).toBeLessThan(ids.length);
    const events = await world.backend.database.auditEvent.findMany({
      where: { targetId: { in: ids }, action: "instance.release" },
    });
    expect(new Set(events.map(({ targetId }) => targetId)).size).toBe(ids.length);
    expect(new Set(events.map(({ requestId }) => requestId)).size).toBe(ids.length);
  });
  it("tells a stranger exactly what it tells of an instance that does not exist", async () => {
    const { id, hostId } = await assigned("acme");
    const ask = (instanceId: string) =>
      releaseInstance(world.backend, world.actor("tenant-admin", "vela"), world.request(), { instanceId });
    const [foreign, missingId] = [await ask(id), randomUUID()];
    const missing = await ask(missingId);
    const blank = (value: unknown, name: string) => JSON.stringify(value).replaceAll(name, "ID");
    expect(blank(foreign, id)).toBe(blank(missing, missingId));
    expect(foreign).toMatchObject({ problem: { code: "notFound" } });
    expect(await world.backend.database.signal.count({ where: { hostId } })).toBe(0);
    expect(
      await world.backend.database.auditEvent.findMany({
        where: { targetId: id, action: "instance.release" },
      }),
    ).toMatchObject([{ outcome: "refused", tenantId: world.tenants.vela, after: { code: "notFound" } }]);
  });
  it("that the database does not take fails alone, and is told; of nothing but such the answer is an error", async () => {
    const [broken, sound] = [await assigned("acme"), await assigned("acme")];
    await world.backend.database.$executeRawUnsafe(`
      CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.payload ->> 'instanceId' = '${broken.id}' THEN RAISE EXCEPTION 'no' USING ERRCODE = '22023'; END IF;
        RETURN NEW; END $$`);
    await world.backend.database.$executeRawUnsafe(
      "CREATE TRIGGER refuse_one BEFORE INSERT ON signal FOR EACH ROW EXECUTE FUNCTION refuse_one()",
    );
    const told: unknown[] = [];
    const release = (...ids: string[]) =>
      releaseInstances(world.backend, world.actor("operator"), world.request(), { ids }, (error) =>
        told.push(error),
      );
    expect(await release(broken.id, sound.id)).toMatchObject({
      value: [
        { id: broken.id, ok: false, message: expect.stringContaining("unknown whether") },
        { id: sound.id, ok: true },
      ],
    });
    expect(told).toHaveLength(1);
    await expect(release(broken.id)).rejects.toThrow("no");
    await world.backend.database.$executeRawUnsafe("DROP TRIGGER refuse_one ON signal");
  });
  it("is refused to an auditor, and allowed to an operator", async () => {
    const { id } = await assigned("vela");
    expect(
      await releaseInstance(world.backend, world.actor("auditor"), world.request(), { instanceId: id }),
    ).toMatchObject({ problem: { code: "forbidden" } });
    expect(
      await releaseInstance(world.backend, world.actor("operator"), world.request(), { instanceId: id }),
    ).toMatchObject({ ok: true });
  });
  it("of an instance that has ended finds nothing", async () => {
    const { id } = await assigned("acme");
    await world.backend.database.instance.update({ where: { id }, data: { endedAt: new Date() } });
    expect(
      await releaseInstance(world.backend, world.actor("tenant-admin"), world.request(), { instanceId: id }),
    ).toMatchObject({ problem: { code: "notFound" } });
  });
  it("before the controller has read the claim waits behind it", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    const claimed = await claimAny("acme", "at-once");
    if (!claimed.ok) throw new Error(claimed.problem.detail);
    expect(
      await releaseInstance(world.backend, world.actor("tenant-admin"), world.request(), {
        instanceId: claimed.value.id,
      }),
    ).toMatchObject({ ok: true });
    expect(
      (await world.backend.database.signal.findMany({ where: { hostId }, orderBy: { id: "asc" } })).map(
        ({ kind }) => kind,
      ),
    ).toEqual(["assign", "release"]);
  });
  it.each(["", "1", "x".repeat(40)])("of %j is invalid", async (instanceId) =>
    expect(
      await releaseInstance(world.backend, world.actor("tenant-admin"), world.request(), { instanceId }),
    ).toMatchObject({ problem: { code: "invalid", field: "instanceId" } }),
  );
});

describe("a claim for repair", () => {
  const repairer = () => world.actor("repair-tenant-admin", "repair");
  const claimExact = (hostId: string, allowUnhealthy = true, actor = repairer()) =>
    claimHost(world.backend, actor, world.request(), {
      name: `repair-${randomUUID()}`,
      wanted: { hostId, allowUnhealthy },
    });
  const alert = (
    hostId: string,
    kind: "set" | "removed",
    template: "request-repair" | "out-for-repair" = "request-repair",
    source: string = healthTemplates[template].source,
  ) =>
    inTransaction(world.backend.database, (tx) => {
      const report = fromTemplate(template, "port 2 is down");
      return writeReports(
        tx,
        hostId,
        [
          kind === "set"
            ? { kind, source, mode: "merge", report, heartbeatSeconds: null }
            : { kind, source, mode: "merge" },
        ],
        { name: "test", reason: null },
      );
    });
  async function broken(state: "ReturnToAllocation/AwaitingRepair" | "Ready") {
    const hostId = await world.host();
    await world.put(hostId, state);
    await alert(hostId, "set");
    return hostId;
  }
  const labelsOf = async (id: string) =>
    (await world.backend.database.host.findUniqueOrThrow({ where: { id } })).labels;

  it.each(["ReturnToAllocation/AwaitingRepair", "Ready"] as const)(
    "takes a host in %s, and no label of an earlier repair counts",
    async (state) => {
      const hostId = await broken(state);
      await world.backend.database.host.update({
        where: { id: hostId },
        data: { labels: { repair_status: "Completed", ticket: "1" } },
      });
      expect(await claimExact(hostId, false)).toMatchObject({ ok: false, problem: { code: "conflict" } });
      expect(await claimExact(hostId)).toMatchObject({ ok: true, value: { hostId } });
      expect(await labelsOf(hostId)).toEqual({ repair_status: "InProgress", ticket: "1" });
      expect(await world.backend.database.signal.findMany({ where: { hostId } })).toMatchObject([
        { kind: "assign" },
      ]);
    },
  );

  it("lets one of two have it, every time", async () => {
    await world.backend.database.tenantGrant.create({
      data: {
        tenantId: world.tenants.vela,
        siteId: world.siteId,
        kind: "targetedInstanceCreation",
        givenBy: "test",
      },
    });
    for (let round = 0; round < 5; round += 1) {
      const hostId = await broken("ReturnToAllocation/AwaitingRepair");
      const other = world.actor("repair-tenant-admin", "vela");
      const both = await Promise.all([claimExact(hostId), claimExact(hostId, true, other)]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(both.find(({ ok }) => !ok)).toMatchObject({ problem: { code: "conflict" } });
      expect(await world.backend.database.instance.count({ where: { hostId, endedAt: null } })).toBe(1);
    }
  });

  it("takes none in any other state, such as each that failed", async () => {
    const hostId = await broken("ReturnToAllocation/AwaitingRepair");
    // The database refuses the state Decommissioned for a host that was not decommissioned.
    const others = allStates().filter((state) => !isClaimable(state) && state !== "Decommissioned");
    expect(others.filter(isFailed)).toHaveLength(failureCauses.length);
    for (const state of others) {
      await world.backend.database.hostRun.update({ where: { hostId }, data: { state } });
      expect([state, await claimExact(hostId)]).toMatchObject([state, { problem: { code: "conflict" } }]);
    }
    expect(await labelsOf(hostId)).toEqual({});
  });

  it("takes none that is worked on, may have been touched, or whose alert was removed", async () => {
    const { hostRun } = world.backend.database;
    const worked = await broken("ReturnToAllocation/AwaitingRepair");
    await alert(worked, "set", "out-for-repair");
    const kept = await broken("ReturnToAllocation/AwaitingRepair");
    await hostRun.update({ where: { hostId: kept }, data: { maintenance: true } });
    const touched = await broken("ReturnToAllocation/AwaitingRepair");
    await hostRun.update({ where: { hostId: touched }, data: { touched: true } });
    const mended = await broken("ReturnToAllocation/AwaitingRepair");
    await alert(mended, "removed");
    const hopeless = await broken("ReturnToAllocation/AwaitingRepair");
    await alert(hopeless, "removed");
    await alert(hopeless, "set", "request-repair", "bmc-health");
    for (const hostId of [worked, kept, touched, mended, hopeless]) {
      expect(await claimExact(hostId)).toMatchObject({ ok: false, problem: { code: "conflict" } });
      expect(await labelsOf(hostId)).toEqual({});
    }
  });

  it("takes none that is retired, owes a sanitization, or is of a restored database", async () => {
    const { database } = world.backend;
    const awaiting = "ReturnToAllocation/AwaitingRepair";
    const hosts = [await broken(awaiting), await broken(awaiting), await broken(awaiting)];
    const [retired = "", owing = "", restored = ""] = hosts;
    await database.host.update({ where: { id: retired }, data: { retired: true } });
    const { serial } = await database.host.findUniqueOrThrow({ where: { id: owing } });
    await database.debt.create({ data: { chassisSerial: serial ?? "", driveSerials: [] } });
    await database.signal.create({ data: { hostId: restored, kind: "databaseRestored", payload: {} } });
    for (const hostId of hosts)
      expect(await claimExact(hostId)).toMatchObject({ ok: false, problem: { code: "conflict" } });
    const instance = { id: randomUUID(), name: "owed", hostId: owing, tenantId: world.tenants.acme };
    await expect(database.instance.create({ data: instance })).rejects.toThrow(/it owes a sanitization/);
  });

  it("may be given up at once, before the controller has read it", async () => {
    const claimed = await claimExact(await broken("ReturnToAllocation/AwaitingRepair"));
    if (!claimed.ok) throw new Error(claimed.problem.detail);
    expect(await getInstance(world.backend, repairer(), { id: claimed.value.id })).toMatchObject({
      value: {
        release: { allowed: true },
        hostWords: stateTable["Assigned/WaitingForNetworkConfig"].tenantWords,
      },
    });
  });

  it("or any other leaves no label of an earlier repair", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    await world.backend.database.host.update({
      where: { id: hostId },
      data: { labels: { repair_status: "Completed" } },
    });
    expect(await claimAny("acme", "after-repair")).toMatchObject({ ok: true, value: { hostId } });
    expect(await labelsOf(hostId)).toEqual({ repair_status: "InProgress" });
  });

  it("is seen by who waited with labels for the host", async () => {
    const { database } = world.backend;
    const hostId = await world.host();
    let labelling: ReturnType<typeof setHostLabels> | undefined;
    await database.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM host WHERE id = ${hostId}::uuid FOR UPDATE`;
      await tx.instance.create({ data: { name: "held", hostId, tenantId: world.tenants.acme } });
      labelling = setHostLabels(world.backend, repairer(), world.request(), { hostId, labels: { x: "1" } });
      await until("the labels to wait", 30_000, async () => {
        const waiting = await database.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
    });
    expect(await labelling).toMatchObject({ ok: false, problem: { code: "notAllowedNow" } });
    expect(await labelsOf(hostId)).toEqual({});
  });

  it("racing with the end of the alert gives the host to one of both", async () => {
    for (let round = 0; round < 5; round += 1) {
      const hostId = await broken("ReturnToAllocation/AwaitingRepair");
      const [claimed] = await Promise.all([claimExact(hostId), alert(hostId, "removed")]);
      expect(await world.backend.database.instance.count({ where: { hostId } })).toBe(claimed.ok ? 1 : 0);
      const { health } = await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } });
      expect(health).toBeNull();
    }
  });

  it("is refused to others, and where no label has room", async () => {
    const hostId = await broken("ReturnToAllocation/AwaitingRepair");
    expect(await claimExact(hostId, true, world.actor("tenant-admin"))).toMatchObject({
      problem: { code: "forbidden" },
    });
    const labels = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, "v"]));
    await world.backend.database.host.update({ where: { id: hostId }, data: { labels } });
    expect(await claimExact(hostId)).toMatchObject({
      problem: { detail: expect.stringContaining("repair_status") },
    });
    expect(await world.backend.database.instance.count({ where: { hostId } })).toBe(0);
  });

  it("is ended by a tenant with the capability alone", async () => {
    const { id, hostId } = await assigned("acme");
    expect(
      await releaseInstance(world.backend, world.actor("tenant-admin"), world.request(), {
        instanceId: id,
        repairTenant: true,
      }),
    ).toMatchObject({ problem: { code: "forbidden" } });
    expect(await world.backend.database.signal.count({ where: { hostId } })).toBe(0);
    // Nor may the provider, although the instance's tenant may.
    const other = await assigned("repair");
    expect(
      await releaseInstance(world.backend, world.actor("operator"), world.request(), {
        instanceId: other.id,
        repairTenant: true,
      }),
    ).toMatchObject({ problem: { code: "forbidden" } });
  });
});
