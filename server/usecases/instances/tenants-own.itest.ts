// What a tenant may claim and change: its quota under concurrent claims, what it is offered, names and labels.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { getInstance, listInstances } from "@/server/usecases/instances/list-instances";
import { offerInstances } from "@/server/usecases/instances/offer-instances";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import { updateInstance } from "@/server/usecases/instances/update-instance";
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

async function listed(tenant: "acme" | "vela") {
  const query = { text: "", status: "open" as const, cursor: null, limit: 200 };
  const found = await listInstances(world.backend, world.actor("tenant-admin", tenant), query);
  if (!found.ok) throw new Error(found.problem.detail);
  return found.value;
}

/** The only free host. */
async function freeHost(): Promise<string> {
  await world.backend.database.hostRun.updateMany({ data: { allocatable: false } });
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  return hostId;
}

async function assigned(tenant: "acme" | "vela"): Promise<{ id: string; hostId: string }> {
  const hostId = await freeHost();
  const claimed = await claimAny(tenant, `instance-${randomUUID()}`);
  if (!claimed.ok) throw new Error(claimed.problem.detail);
  await world.put(hostId, "Assigned/Ready");
  return claimed.value;
}

describe("a tenant's quota", () => {
  const quota = (instanceQuota: number | null) =>
    world.backend.database.tenant.update({ where: { id: world.tenants.vela }, data: { instanceQuota } });
  const held = () =>
    world.backend.database.instance.count({ where: { tenantId: world.tenants.vela, endedAt: null } });

  it("lets one of two have its last instance, every time", async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const id of [await world.host(), await world.host()]) await world.put(id, "Ready");
      const before = await held();
      await quota(before + 1);
      const both = await Promise.all([
        claimAny("vela", `last-${round}a`),
        claimAny("vela", `last-${round}b`),
      ]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(both.find(({ ok }) => !ok)).toMatchObject({
        problem: {
          code: "conflict",
          detail: expect.stringMatching(new RegExp(`quota of ${before + 1} instances? is used up`)),
        },
      });
      expect(await held()).toBe(before + 1);
    }
  });
  it("counts instances that are being released, and none that has ended", async () => {
    await quota(null);
    const { id } = await assigned("vela");
    await quota(await held());
    const vela = world.actor("tenant-admin", "vela");
    await releaseInstance(world.backend, vela, world.request(), { instanceId: id });
    await freeHost();
    expect(await claimAny("vela", "while-releasing")).toMatchObject({ problem: { code: "conflict" } });
    await world.backend.database.instance.update({ where: { id }, data: { endedAt: new Date() } });
    expect(await claimAny("vela", "after-release")).toMatchObject({ ok: true });
  });
  it("of none lets it hold none, and says nothing of other tenants", async () => {
    await quota(0);
    await freeHost();
    expect(await claimAny("vela", "none")).toMatchObject({ problem: { code: "conflict" } });
    expect(await claimAny("acme", "not-vela")).toMatchObject({ ok: true });
    await quota(null);
  });
});

describe("what a tenant is offered", () => {
  const offer = (tenant: "acme" | "vela") =>
    offerInstances(world.backend, world.actor("tenant-admin", tenant));

  it("is what it could claim, by SKU, with its own quota", async () => {
    const { database } = world.backend;
    const skuId = randomUUID();
    await database.sku.create({ data: { id: skuId, name: "offered", components: {} } });
    const [free, keptOut, cleaning] = [await world.host(), await world.host(), await world.host()];
    for (const id of [free, keptOut]) await world.put(id, "Ready");
    await world.put(cleaning, "WaitingForCleanup/HostCleanup");
    await database.hostRun.update({ where: { hostId: keptOut }, data: { allocatable: false } });
    await database.host.updateMany({ where: { id: { in: [free, keptOut, cleaning] } }, data: { skuId } });
    await database.tenant.update({ where: { id: world.tenants.vela }, data: { instanceQuota: 7 } });
    const before = await database.instance.count({ where: { tenantId: world.tenants.vela, endedAt: null } });
    const kind = { siteId: world.siteId, site: "a", skuId, sku: "offered" };
    expect(await offer("vela")).toMatchObject({
      ok: true,
      value: {
        held: before,
        quota: 7,
        targeted: false,
        allocated: true,
        stopped: null,
        kinds: [{ ...kind, free: 1 }],
      },
    });
    const claimed = await claimHost(world.backend, world.actor("tenant-admin", "acme"), world.request(), {
      name: "of-a-sku",
      network: { vpcId: world.tenants.acme },
      wanted: { skuId },
    });
    const { rows } = await listed("acme");
    expect(rows.find(({ name }) => name === "of-a-sku")).toMatchObject({ vpcId: world.tenants.acme });
    expect(claimed).toMatchObject({ ok: true, value: { hostId: free } });
    expect(await offer("vela")).toMatchObject({ value: { held: before, kinds: [{ ...kind, free: 0 }] } });
    expect(
      await claimHost(world.backend, world.actor("tenant-admin", "acme"), world.request(), {
        name: "of-a-sku-2",
        wanted: { siteId: world.siteId, skuId },
      }),
    ).toMatchObject({ problem: { code: "conflict", detail: expect.stringContaining("Choose another SKU") } });
    await database.tenant.update({ where: { id: world.tenants.vela }, data: { instanceQuota: null } });
  });
  it("is refused to the provider's people", async () => {
    for (const role of ["operator", "provider-admin", "auditor"] as const)
      expect(await offerInstances(world.backend, world.actor(role))).toMatchObject({
        problem: { code: "forbidden" },
      });
  });
});

describe("name, description and labels", () => {
  const update = (
    role: "tenant-admin" | "operator" | "auditor",
    tenant: "acme" | "vela",
    input: Parameters<typeof updateInstance>[3],
  ) => updateInstance(world.backend, world.actor(role, tenant), world.request(), input);

  it("are changed one by one, labels as a whole, and logged with what they were", async () => {
    const { id } = await assigned("acme");
    const name = `renamed-${randomUUID()}`;
    expect(
      await update("tenant-admin", "acme", { instanceId: id, name, labels: { b: "2", a: "1" } }),
    ).toEqual({
      ok: true,
      value: { id, changed: true },
    });
    expect(
      await update("tenant-admin", "acme", { instanceId: id, labels: { a: "1", b: "2" } }),
    ).toMatchObject({
      value: { changed: false },
    });
    await update("tenant-admin", "acme", { instanceId: id, description: "trains", labels: { a: "1" } });
    const read = await getInstance(world.backend, world.actor("tenant-admin", "acme"), { id });
    expect(read).toMatchObject({
      value: { name, description: "trains", labels: { a: "1" }, edit: { allowed: true } },
    });
    const events = await world.backend.database.auditEvent.findMany({
      where: { targetId: id, action: "instance.update" },
      orderBy: { at: "asc" },
    });
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      before: { name, description: null, labels: ["a=1", "b=2"] },
      after: { name, description: "trains", labels: ["a=1"] },
    });
  });
  it("take no name of another open instance of the tenant", async () => {
    const [one, other] = [await assigned("acme"), await assigned("acme")];
    const row = await world.backend.database.instance.findUniqueOrThrow({ where: { id: one.id } });
    expect(await update("tenant-admin", "acme", { instanceId: other.id, name: row.name })).toMatchObject({
      problem: { code: "conflict", field: "name" },
    });
  });
  it("are the tenant's own: hidden from others, refused to the provider's people, gone with the instance", async () => {
    const { id } = await assigned("acme");
    expect(await update("tenant-admin", "vela", { instanceId: id, name: "stolen" })).toMatchObject({
      problem: { code: "notFound" },
    });
    for (const role of ["operator", "auditor"] as const)
      expect(await update(role, "acme", { instanceId: id, name: "renamed" })).toMatchObject({
        problem: { code: "forbidden" },
      });
    await world.backend.database.instance.update({ where: { id }, data: { endedAt: new Date() } });
    expect(await update("tenant-admin", "acme", { instanceId: id, name: "ended" })).toMatchObject({
      problem: { code: "notFound" },
    });
  });
});
