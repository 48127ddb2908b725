// Claiming and releasing on a real database: one winner, one release, nothing told to strangers, everything in the log.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { getInstance } from "@/server/usecases/instances/list-instances";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const claimAny = (tenant: "acme" | "vela", name: string) =>
  claimHost(world.backend, world.actor("tenant-admin", tenant), world.request(), {
    name,
    wanted: { siteId: world.siteId },
  });

async function assigned(tenant: "acme" | "vela"): Promise<{ id: string; hostId: string }> {
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
