// Tenants over NICo's API at two sites: grants by site, accounts, and the organisation that is provider and tenant in one.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { withConnection } from "@/server/db/connection";
import { loadContract } from "@/server/surfaces/machine/nico/testing/contract";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send, type Answer } from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  addInstance,
  addPerson,
  type TestPerson,
} from "@/server/surfaces/machine/testing/machine-rows";
import { putInReady } from "@/server/usecases/testing/world";
import { tokenAgeMs } from "@/server/usecases/access/authenticate-token";
import { accessChanged } from "@/server/usecases/access/access-changes";

const contract = loadContract();
const fixture = machineServer({ serviceAccountOrg: "cloud" });
const south = randomUUID();
let acme: TestPerson;
let repair: TestPerson;
let admin: TestPerson;
let operator: TestPerson;
let providerId: unknown;

const ask = (who: TestPerson, method: string, path: string, body?: unknown, org = who.org): Promise<Answer> =>
  send(fixture, method, `/v2/org/${org}/nico/${path}`, { token: who.token, body });
const said = ({ status, body }: Answer) => [status, body.message];

/** Gives or revokes a grant in the database, as another process would. */
async function grant(who: TestPerson, siteId: string, kind: string, given: boolean): Promise<void> {
  await fixture.query(
    given
      ? "INSERT INTO tenant_grant (tenant_id, site_id, kind, given_by) VALUES ($1, $2, $3, 'test') ON CONFLICT DO NOTHING"
      : "DELETE FROM tenant_grant WHERE tenant_id = $1 AND site_id = $2 AND kind = $3",
    [who.tenantId, siteId, kind],
  );
  accessChanged();
}

beforeAll(async () => {
  acme = await addPerson(fixture, "tenant-admin", "acme");
  repair = await addPerson(fixture, "repair-tenant-admin", "fixers", true);
  admin = await addPerson(fixture, "provider-admin", null);
  operator = await addPerson(fixture, "operator", null);
  // A site that is created later: nobody has been given anything there.
  await fixture.query("INSERT INTO site (id, name, demo) VALUES ($1, 'south', true)", [south]);
  await fixture.query(
    "INSERT INTO site_policy (site_id, version, body) SELECT $1, 1, body FROM site_policy WHERE site_id = $2",
    [south, fixture.siteId],
  );
  providerId = (await ask(admin, "GET", "infrastructure-provider/current", undefined, "acme")).body.id;
});

async function hostAt(siteId: string, state: "Ready" | "Assigned/Ready" = "Ready"): Promise<string> {
  const { id } = await addHost(fixture, state === "Ready" ? "Enroll" : state);
  await fixture.query("UPDATE host SET site_id = $2 WHERE id = $1", [id, siteId]);
  await fixture.query("UPDATE host_run SET site_id = $2 WHERE host_id = $1", [id, siteId]);
  if (state === "Ready") await putInReady(fixture.database, id);
  return id;
}
const held = (id: string): Promise<string> =>
  addInstance(
    fixture,
    { id, systemUuid: "", serial: "", mac: "" },
    repair.tenantId,
    `r-${randomUUID().slice(0, 8)}`,
  );
const list = (answer: Answer): Record<string, unknown>[] => JSON.parse(answer.text);
const claim = (who: TestPerson, wanted: object) =>
  ask(who, "POST", "instance", {
    name: `i-${randomUUID().slice(0, 8)}`,
    tenantId: who.tenantId,
    vpcId: randomUUID(),
    interfaces: [{ vpcPrefixId: randomUUID(), isPhysical: true }],
    ...wanted,
  });

describe("at a site where nothing was given", () => {
  it("a repair tenant sees, labels, names and claims no host", async () => {
    const [here, there] = [await hostAt(fixture.siteId), await hostAt(south)];
    const listed = list(await ask(repair, "GET", "machine?pageSize=100"));
    const ids = listed.map(({ id }) => id);
    expect([ids.includes(here), ids.includes(there)]).toEqual([true, false]);
    for (const id of [there, randomUUID()]) {
      expect((await ask(repair, "GET", `machine/${id}`)).status).toBe(404);
      expect((await ask(repair, "PATCH", `machine/${id}`, { labels: {} })).status).toBe(404);
      expect(said(await claim(repair, { machineId: id }))).toEqual([
        400,
        "Could not find Machine with ID specified in request data",
      ]);
    }
    // A tenant that may not name hosts anywhere does not learn which ones exist.
    for (const id of [here, there, randomUUID()])
      expect(said(await claim(acme, { machineId: id }))).toEqual([
        403,
        "Tenant does not have capability to create Instances using specific Machine ID",
      ]);
  });

  it("the capability alone claims nothing without a network allocation", async () => {
    const machineId = await hostAt(south);
    await grant(repair, south, "targetedInstanceCreation", true);
    expect(said(await claim(repair, { machineId, allowUnhealthyMachine: true }))).toEqual([
      403,
      "Tenant does not have any Allocations with Site specified in request data",
    ]);
    await grant(repair, south, "networkAllocation", true);
    expect((await claim(repair, { machineId })).status).toBe(201);
  });

  it("no host of a SKU is given, and a tenant without any allocation is told so", async () => {
    const skuId = randomUUID();
    await fixture.query("INSERT INTO sku (id, name, components) VALUES ($1::uuid, $1::text, '{}')", [skuId]);
    const id = await hostAt(south);
    await fixture.query("UPDATE host SET sku_id = $2 WHERE id = $1", [id, skuId]);
    expect((await claim(acme, { instanceTypeId: skuId })).status).toBe(409);
    await grant(acme, fixture.siteId, "networkAllocation", false);
    expect(said(await claim(acme, { instanceTypeId: skuId }))).toEqual([
      403,
      "Tenant does not have any Allocations for Site and Instance Type specified in request data",
    ]);
    await grant(acme, south, "networkAllocation", true);
    expect((await claim(acme, { instanceTypeId: skuId })).status).toBe(201);
    await grant(acme, fixture.siteId, "networkAllocation", true);
  });
});

it("who loses the capability with a host in its hands gives it up, and ends no repair", async () => {
  const id = await hostAt(fixture.siteId, "Assigned/Ready");
  const instance = await held(id);
  await grant(repair, fixture.siteId, "targetedInstanceCreation", false);
  await grant(repair, south, "targetedInstanceCreation", true);
  expect(said(await ask(repair, "DELETE", `instance/${instance}`, { isRepairTenant: true }))).toEqual([
    403,
    "Tenant does not have capability to set IsRepairTenant",
  ]);
  // It is still its own host, at a site where it may not repair.
  expect((await ask(repair, "GET", `machine/${id}`)).body.labels).not.toHaveProperty("repair_status");
  expect(said(await ask(repair, "PATCH", `machine/${id}`, { labels: {} }))).toEqual([
    403,
    "Tenant does not have targeted Instance creation capability enabled",
  ]);
  expect((await ask(repair, "DELETE", `instance/${instance}`)).status).toBe(202);
  await grant(repair, fixture.siteId, "targetedInstanceCreation", true);
});

it("a capability that another process took ends no repair, though this one still knows it", async () => {
  const id = await hostAt(fixture.siteId, "Assigned/Ready");
  const instance = await held(id);
  expect((await ask(repair, "GET", "tenant/current")).body.capabilities).toEqual({
    targetedInstanceCreation: true,
  });
  expect(tokenAgeMs).toBeGreaterThan(1_000);
  await fixture.query("DELETE FROM tenant_grant WHERE tenant_id = $1 AND kind = 'targetedInstanceCreation'", [
    repair.tenantId,
  ]);
  expect((await ask(repair, "DELETE", `instance/${instance}`, { isRepairTenant: true })).status).toBe(403);
  expect((await ask(repair, "DELETE", `instance/${instance}`)).status).toBe(202);
  await grant(repair, fixture.siteId, "targetedInstanceCreation", true);
});

describe("a tenant's account", () => {
  const account = (who: TestPerson) => `tenant/account/${who.tenantId ?? ""}`;
  const global = (given: boolean) => ({ scope: "global", targetedInstanceCreation: given });
  const limited = (siteIds: readonly string[], given: boolean) => ({
    scope: "limited",
    siteIds,
    targetedInstanceCreation: given,
  });
  const patch = (entries: unknown, who = admin) =>
    ask(who, "PATCH", account(acme), { siteCapabilities: entries }, who === admin ? "any" : who.org);

  it("is read by both sides, each by its own id", async () => {
    const own = await ask(acme, "GET", `tenant/account?tenantId=${acme.tenantId ?? ""}`);
    const [one] = list(own);
    expect(one).toMatchObject({ id: acme.tenantId, tenantOrg: "acme", status: "Ready", allocationCount: 2 });
    const { siteCapabilities, ...known } = one ?? {};
    expect(contract.problems("TenantAccount", known)).toEqual([]);
    expect(siteCapabilities).toEqual([global(false)]);
    const all = await ask(admin, "GET", `tenant/account?infrastructureProviderId=${String(providerId)}`);
    expect(
      list(all)
        .map(({ tenantOrg }) => tenantOrg)
        .toSorted(),
    ).toEqual(["acme", "fixers"]);
    expect(
      (await ask(acme, "GET", `tenant/account?infrastructureProviderId=${String(providerId)}`)).status,
    ).toBe(403);
    expect((await ask(acme, "GET", `tenant/account?tenantId=${repair.tenantId ?? ""}`)).status).toBe(400);
    expect((await ask(acme, "GET", `${account(repair)}?tenantId=${acme.tenantId ?? ""}`)).status).toBe(404);
    const current = await ask(acme, "GET", "tenant/current");
    expect(contract.problems("Tenant", current.body)).toEqual([]);
    expect(current.body).toMatchObject({ org: "acme", capabilities: { targetedInstanceCreation: false } });
    expect((await ask(operator, "GET", "tenant/current", undefined, "acme")).status).toBe(403);
    expect((await ask(acme, "GET", "infrastructure-provider/current")).status).toBe(403);
  });

  it("has the capability by site, as the provider's admin says, and in the audit log", async () => {
    // Entries as since NICo 2, then as before.
    const given = await patch([
      { targetedInstanceCreation: false },
      { siteIds: [south], targetedInstanceCreation: true },
    ]);
    expect(given.body.siteCapabilities).toEqual([global(false), limited([south], true)]);
    expect((await ask(acme, "GET", "tenant/current")).body.capabilities).toEqual({
      targetedInstanceCreation: true,
    });
    expect((await patch([global(true)])).body.siteCapabilities).toEqual([global(true)]);
    const but = await patch([global(true), limited([south], false)]);
    expect(but.body.siteCapabilities).toEqual([global(false), limited([fixture.siteId], true)]);
    expect((await patch([global(false)])).body.siteCapabilities).toEqual([global(false)]);
    const logged = await fixture.query(
      "SELECT after FROM audit_event WHERE action = 'tenant.setCapabilities' AND outcome = 'done' ORDER BY at",
    );
    const capability = "targetedInstanceCreation";
    expect(logged.map(({ after }) => after)).toEqual([
      { capability, given: ["south"], taken: [] },
      { capability, given: ["north"], taken: [] },
      { capability, given: [], taken: ["south"] },
      { capability, given: [], taken: ["north"] },
    ]);
  });

  it("is changed by nobody else, and by no list that is wrong", async () => {
    for (const who of [operator, acme])
      expect(said(await patch([global(true)], who))).toEqual([
        403,
        "User does not have Provider Admin role with org",
      ]);
    for (const entries of [
      [],
      [limited([south], true)],
      [global(true), global(false)],
      [global(true), limited([], true)],
      [global(true), limited([south, south], false)],
      [global(true), limited(["x"], false)],
      [{ scope: "global" }],
      [{ targetedInstanceCreation: true }, { siteIds: [], targetedInstanceCreation: false }],
      [{ siteIds: [south], targetedInstanceCreation: true }],
      [global(true), limited([randomUUID()], true)],
    ])
      expect((await patch(entries)).status).toBe(400);
    expect(said(await ask(acme, "PATCH", account(acme), {}))).toEqual([
      400,
      "Tenant Account status is not Invited",
    ]);
    expect(
      (await ask(admin, "PATCH", `tenant/account/${randomUUID()}`, { siteCapabilities: [global(true)] }))
        .status,
    ).toBe(404);
    expect((await ask(acme, "GET", "tenant/current")).body.capabilities).toEqual({
      targetedInstanceCreation: false,
    });
  });
});

it("an account is made with its tenant, by a provider admin, once", async () => {
  const body = { infrastructureProviderId: providerId, tenantOrg: "newcomer" };
  const create = (who: TestPerson, more: object = {}) =>
    ask(who, "POST", "tenant/account", { ...body, ...more }, who === admin ? "any" : who.org);
  expect((await create(acme)).status).toBe(403);
  expect(said(await create(admin, { infrastructureProviderId: randomUUID() }))[0]).toBe(400);
  expect((await create(admin, { tenantOrg: "no spaces here" })).status).toBe(400);
  expect((await create(admin, { tenantId: randomUUID() })).status).toBe(400);
  // Since NICo 2 the provider need not be named.
  const made = await create(admin, { infrastructureProviderId: undefined });
  expect([made.status, made.body.tenantOrg, made.body.status, made.body.allocationCount]).toEqual([
    201,
    "newcomer",
    "Ready",
    0,
  ]);
  const { siteCapabilities: _later, ...known } = made.body;
  expect(contract.problems("TenantAccount", known)).toEqual([]);
  expect(said(await create(admin))).toEqual([
    409,
    "Tenant Account for the specified Tenant org already exists",
  ]);
  await fixture.query("DELETE FROM tenant WHERE org = 'newcomer'");
});

it("a tenant counts its own instances by status", async () => {
  const stats = async () => (await ask(acme, "GET", "tenant/current/stats")).body;
  const before = await stats();
  expect(contract.problems("TenantStats", before)).toEqual([]);
  expect(Object.keys(before)).toEqual(["instance"]);
  const count = (of: Record<string, unknown>) => ({ ...(of.instance as Record<string, number>) });
  const id = await hostAt(fixture.siteId, "Assigned/Ready");
  await fixture.query(
    "INSERT INTO instance (id, name, tenant_id, host_id) VALUES ($1::uuid, $1::text, $2, $3)",
    [randomUUID(), acme.tenantId, id],
  );
  const was = count(before);
  expect(count(await stats())).toEqual({ ...was, total: (was.total ?? 0) + 1, ready: (was.ready ?? 0) + 1 });
  await fixture.query("UPDATE instance SET release_requested_at = now() WHERE host_id = $1", [id]);
  expect(count(await stats())).toEqual({
    ...was,
    total: (was.total ?? 0) + 1,
    terminating: (was.terminating ?? 0) + 1,
  });
  expect((await ask(operator, "GET", "tenant/current/stats", undefined, "acme")).status).toBe(403);
});

describe("a service account", () => {
  const current = (who: TestPerson, org: string) =>
    ask(who, "GET", "service-account/current", undefined, org);

  it("is off for every other organisation, and changes nothing there", async () => {
    const off = await current(admin, "acme");
    expect([off.status, off.body]).toEqual([200, { enabled: false }]);
    expect(contract.problems("ServiceAccount", off.body)).toEqual([]);
    // Under another org a provider admin acts for the provider.
    expect(said(await ask(admin, "POST", "instance", {}, "acme"))).toEqual([
      403,
      "User does not have Tenant Admin role with org",
    ]);
  });

  it("makes the tenant, with the capability and without an allocation, and acts for it", async () => {
    expect((await current(operator, "cloud")).status).toBe(403);
    expect((await ask(admin, "GET", "tenant/current", undefined, "cloud")).status).toBe(403);
    const made = await current(admin, "cloud");
    expect(made.body).toEqual({
      enabled: true,
      infrastructureProviderId: providerId,
      tenantId: expect.any(String),
    });
    expect(contract.problems("ServiceAccount", made.body)).toEqual([]);
    expect((await current(admin, "cloud")).body).toEqual(made.body);
    expect((await ask(admin, "GET", "tenant/current", undefined, "cloud")).body).toMatchObject({
      id: made.body.tenantId,
      capabilities: { targetedInstanceCreation: true },
    });
    const cloud: TestPerson = { ...admin, org: "cloud", tenantId: String(made.body.tenantId) };
    const machineId = await hostAt(south);
    expect((await claim(cloud, { machineId })).status).toBe(403);
    await grant(cloud, south, "networkAllocation", true);
    const instance = await claim(cloud, { machineId });
    expect(instance.status).toBe(201);
    expect((await ask(cloud, "DELETE", `instance/${String(instance.body.id)}`)).status).toBe(202);
  });

  it("asked again gives back nothing that was taken, and waits for no claim of its tenant", async () => {
    const tenantId = String((await current(admin, "cloud")).body.tenantId);
    await grant({ ...admin, tenantId }, south, "targetedInstanceCreation", false);
    await withConnection(fixture.pool, async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT 1 FROM tenant WHERE id = $1 FOR UPDATE", [tenantId]);
      const answer = await Promise.race([current(admin, "cloud"), sleep(5_000, null)]);
      await client.query("ROLLBACK");
      expect(answer?.body).toMatchObject({ enabled: true, tenantId });
    });
    const left = "SELECT 1 FROM tenant_grant WHERE tenant_id = $1 AND site_id = $2 AND kind = $3";
    expect(await fixture.query(left, [tenantId, south, "targetedInstanceCreation"])).toEqual([]);
  });

  it("of a disabled tenant is nobody's, and off", async () => {
    await fixture.query("UPDATE tenant SET disabled_at = now() WHERE org = 'cloud'");
    expect((await current(admin, "cloud")).body).toEqual({ enabled: false });
    expect(said(await ask(admin, "POST", "instance", {}, "cloud"))).toEqual([
      403,
      "User does not have Tenant Admin role with org",
    ]);
  });
});
