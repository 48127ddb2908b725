// Tenants as a provider admin creates them: what takes effect at once, what is logged, who is kept out, and concurrent claims.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { roles } from "@/server/domain/access/roles";
import { readSessionActor } from "@/server/usecases/access/read-actor";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { offerInstances } from "@/server/usecases/instances/offer-instances";
import type { Outcome } from "@/server/usecases/problem";
import { listTenants } from "@/server/usecases/sites/tenants/list-tenants";
import {
  changeTenant,
  createTenant,
  disableTenant,
  enableTenant,
  setTenantGrants,
} from "@/server/usecases/sites/tenants/tenant-acts";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const admin = () => world.actor("provider-admin");
function must<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}
const give = (org: string, grants: Parameters<typeof setTenantGrants>[3] | object, site = "a") =>
  setTenantGrants(world.backend, admin(), world.request(), { org, site, reason: "test", ...grants });
const lineOf = async (org: string) =>
  must(await listTenants(world.backend, admin())).find((tenant) => tenant.org === org);
const claim = async (tenant: "acme" | "vela" = "acme") => {
  const hostId = await world.host();
  await world.put(hostId, "Ready");
  return claimHost(world.backend, world.actor("tenant-admin", tenant), world.request(), {
    name: `i-${randomUUID()}`,
    wanted: { siteId: world.siteId },
  });
};

it("are made without anything, changed, and known by their organisation", async () => {
  const { backend } = world;
  expect(must(await createTenant(backend, admin(), world.request(), { org: "nova", name: "Nova" }))).toEqual({
    org: "nova",
  });
  expect(await lineOf("nova")).toMatchObject({
    name: "Nova",
    instanceQuota: null,
    disabledAt: null,
    people: 0,
    instances: 0,
    sites: [{ site: "a", networkAllocation: false, targetedInstanceCreation: false, instances: 0 }],
  });
  expect(await createTenant(backend, admin(), world.request(), { org: "nova", name: "N" })).toMatchObject({
    problem: { code: "conflict", field: "org" },
  });
  must(await changeTenant(backend, admin(), world.request(), { org: "nova", instanceQuota: 2 }));
  must(await changeTenant(backend, admin(), world.request(), { org: "nova", name: "Nova AG" }));
  expect(await lineOf("nova")).toMatchObject({ name: "Nova AG", instanceQuota: 2 });
  expect(await changeTenant(backend, admin(), world.request(), { org: "none", name: "x" })).toMatchObject({
    problem: { code: "notFound" },
  });
});

it("are given and refused network allocations, which the log tells with the reason", async () => {
  expect(must(await give("acme", { networkAllocation: false }))).toMatchObject({ changed: true });
  expect(must(await give("acme", { networkAllocation: false }))).toMatchObject({ changed: false });
  expect(await claim()).toMatchObject({ problem: { code: "forbidden", field: "networkAllocation" } });
  expect(must(await offerInstances(world.backend, world.actor("tenant-admin")))).toMatchObject({
    allocated: false,
    kinds: [],
  });
  must(await give("acme", { networkAllocation: true }));
  expect(await claim()).toMatchObject({ ok: true });
  const events = await world.backend.database.auditEvent.findMany({
    where: { action: "tenant.setGrants", outcome: "done" },
    orderBy: { at: "asc" },
  });
  expect(events.map(({ targetId, before, after }) => ({ targetId, before, after }))).toEqual([
    {
      targetId: "acme",
      before: { site: "a", networkAllocation: true },
      after: { site: "a", networkAllocation: false, reason: "test" },
    },
    {
      targetId: "acme",
      before: { site: "a", networkAllocation: false },
      after: { site: "a", networkAllocation: true, reason: "test" },
    },
  ]);
  expect(await give("acme", { networkAllocation: true }, "nowhere")).toMatchObject({
    problem: { code: "notFound" },
  });
});

it("hold no host that is claimed while the allocation is taken, whichever is first", async () => {
  for (let round = 0; round < 5; round += 1) {
    const hostId = await world.host();
    await world.put(hostId, "Ready");
    const name = `r-${round}`;
    const [claimed, taken] = await Promise.all([
      claimHost(world.backend, world.actor("tenant-admin", "vela"), world.request(), {
        name,
        wanted: { siteId: world.siteId },
      }),
      give("vela", { networkAllocation: false }),
    ]);
    expect(taken).toMatchObject({ ok: true });
    const held = await world.backend.database.instance.count({ where: { name } });
    expect([claimed.ok, held]).toEqual(claimed.ok ? [true, 1] : [false, 0]);
    expect(await claim("vela")).toMatchObject({ problem: { code: "forbidden" } });
    must(await give("vela", { networkAllocation: true }));
  }
});

it("that are disabled sign in no more and get no host, and keep what they have", async () => {
  const { backend } = world;
  const { personId } = world.actor("tenant-admin", "acme");
  const known = async () => (await readSessionActor(backend.database, personId, 1)) !== null;
  await backend.database.person.update({
    where: { id: personId },
    data: { passwordHash: await hashPassword("x") },
  });
  expect(await known()).toBe(true);
  const before = await lineOf("acme");
  must(await disableTenant(backend, admin(), world.request(), { org: "acme", reason: "left" }));
  expect(await known()).toBe(false);
  expect(await claim()).toMatchObject({ problem: { code: "forbidden", detail: "The tenant is disabled." } });
  expect(await lineOf("acme")).toMatchObject({ disabledAt: expect.any(Date), instances: before?.instances });
  must(await enableTenant(backend, admin(), world.request(), { org: "acme", reason: "back" }));
  expect(await known()).toBe(true);
  expect(await claim()).toMatchObject({ ok: true });
});

it("are read by the provider's people alone", async () => {
  for (const role of roles)
    expect((await listTenants(world.backend, world.actor(role))).ok, role).toBe(
      ["operator", "provider-admin", "auditor"].includes(role),
    );
});
