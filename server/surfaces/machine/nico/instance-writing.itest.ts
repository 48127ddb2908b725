// Creating and updating instances according to NICo's contract, over real HTTP.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { putInReady } from "@/server/usecases/testing/world";
import { addAskers, expectErrorOf } from "@/server/surfaces/machine/nico/testing/asking";
import { loadContract } from "@/server/surfaces/machine/nico/testing/contract";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send, type Answer } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, fingerprint, type TestPerson } from "@/server/surfaces/machine/testing/machine-rows";

const contract = loadContract();
const fixture = machineServer();
const vpcId = randomUUID();
let acme: TestPerson;
let globex: TestPerson;
let repair: TestPerson;
let operator: TestPerson;
beforeAll(async () => {
  ({ acme, globex, repair, operator } = await addAskers(fixture));
});

const post = (who: TestPerson, body: unknown, org = who.org): Promise<Answer> =>
  send(fixture, "POST", `/v2/org/${org}/nico/instance`, { token: who.token, body });
const patch = (who: TestPerson, id: string, body: unknown): Promise<Answer> =>
  send(fixture, "PATCH", `/v2/org/${who.org}/nico/instance/${id}`, { token: who.token, body });

const expectError = expectErrorOf(contract);

/** A free host, the only one of its SKU. */
async function free(): Promise<{ hostId: string; skuId: string }> {
  const { id: hostId } = await addHost(fixture, "Enroll");
  const skuId = randomUUID();
  await fixture.query("INSERT INTO sku (id, name, components) VALUES ($1, $2, '{}')", [
    skuId,
    `sku-${skuId}`,
  ]);
  await fixture.query("UPDATE host SET sku_id = $2 WHERE id = $1", [hostId, skuId]);
  await putInReady(fixture.database, hostId);
  return { hostId, skuId };
}

const creation = (who: TestPerson, over: object = {}) => ({
  name: `i-${randomUUID()}`,
  tenantId: who.tenantId,
  vpcId,
  interfaces: [{ vpcPrefixId: randomUUID(), isPhysical: true }],
  ...over,
});

describe("POST instance", () => {
  it("takes a host of the instance type, and keeps the network as it was given", async () => {
    const { hostId, skuId } = await free();
    const asked = creation(acme, { instanceTypeId: skuId, description: "d", labels: { env: "prod" } });
    expect(contract.problems("InstanceCreateRequest", asked)).toEqual([]);
    const made = await post(acme, asked);
    expect([made.status, contract.problems("Instance", made.body)]).toEqual([201, []]);
    expect(made.body).toMatchObject({
      name: asked.name,
      description: "d",
      machineId: hostId,
      instanceTypeId: skuId,
      vpcId,
      labels: { env: "prod" },
      status: "Provisioning",
    });
    expect(await fixture.query("SELECT network FROM instance WHERE id = $1", [made.body.id])).toEqual([
      { network: { vpcId, interfaces: asked.interfaces } },
    ]);
    expectError(
      await post(acme, creation(acme, { instanceTypeId: skuId })),
      409,
      /No host of this kind can be allocated now/,
    );
    const same = await free();
    expectError(
      await post(acme, creation(acme, { name: asked.name, instanceTypeId: same.skuId })),
      409,
      "An Instance with specified name already exists for Tenant",
    );
    const byType = await send(
      fixture,
      "GET",
      `/v2/org/acme/nico/instance?instanceTypeId=${skuId}&vpcId=${vpcId}`,
      { token: acme.token },
    );
    expect(JSON.parse(byType.text)).toMatchObject([{ id: made.body.id }]);
  });

  it("takes an exact host from a tenant with the capability", async () => {
    const { hostId } = await free();
    expectError(
      await post(acme, creation(acme, { machineId: hostId })),
      403,
      "Tenant does not have capability to create Instances using specific Machine ID",
    );
    expectError(
      await post(repair, creation(repair, { machineId: randomUUID() })),
      400,
      "Could not find Machine with ID specified in request data",
    );
    const made = await post(repair, creation(repair, { machineId: hostId }));
    expect([made.status, made.body.machineId]).toEqual([201, hostId]);
    expectError(
      await post(repair, creation(repair, { machineId: hostId })),
      400,
      /is assigned to an Instance, cannot be used for new Instance/,
    );
  });

  it("takes a clean host for repair where it is allowed to be unhealthy, and never one that failed", async () => {
    const broken = async (
      state: "ReturnToAllocation/AwaitingRepair" | "Failed/NVMECleanFailed" | "Assigned/Ready",
    ) => {
      const { id } = await addHost(fixture, state);
      const health = {
        sources: ["repair-request"],
        classifications: ["PreventAllocations"],
        alerts: [{ id: "RequestRepair", classifications: ["PreventAllocations"] }],
        more: 0,
        repair: true,
      };
      await fixture.query("UPDATE host_run SET health = $2 WHERE host_id = $1", [id, JSON.stringify(health)]);
      return id;
    };
    const ask = (machineId: string, allowUnhealthyMachine?: boolean, who = repair) =>
      post(
        who,
        creation(who, {
          machineId,
          ...(allowUnhealthyMachine === undefined ? {} : { allowUnhealthyMachine }),
        }),
      );
    const machineId = await broken("ReturnToAllocation/AwaitingRepair");
    expectError(
      await ask(machineId, true, acme),
      403,
      "Tenant does not have capability to create Instances using specific Machine ID",
    );
    expectError(
      await ask(machineId),
      400,
      `Machine: ${machineId} is not in Ready state, but it can be provisioned by setting \`allowUnhealthyMachine\` to true in request`,
    );
    expectError(
      await ask(await broken("Failed/NVMECleanFailed"), true),
      400,
      /has status: Error that does not allow Instance creation even with `allowUnhealthyMachine` set to true$/,
    );
    expectError(await ask(await broken("Assigned/Ready"), true), 400, /is assigned to an Instance/);
    const both = await Promise.all([ask(machineId, true), ask(machineId, true)]);
    expect(both.map(({ status }) => status === 201).sort()).toEqual([false, true]);
    expect([400, 409]).toContain(both.find(({ status }) => status !== 201)?.status);
    expect(await fixture.query("SELECT labels FROM host WHERE id = $1", [machineId])).toEqual([
      { labels: { repair_status: "InProgress" } },
    ]);
  });

  it("is refused to others, for what is wrong, and for what this version does not take; nothing changes", async () => {
    const { skuId } = await free();
    const right = creation(acme, { instanceTypeId: skuId });
    const before = await fingerprint(fixture);
    expectError(await post(operator, right, "acme"), 403, "User does not have Tenant Admin role with org");
    expectError(await post(globex, right), 403, /Org specified in request does not match/);
    expectError(await post(acme, right, "globex"), 403, "Failed to validate membership for org: globex");
    expectError(await post(acme, "[]"), 400, /^Failed to parse request data/);
    const wrong = await post(acme, { tenantId: acme.tenantId, colour: "red", interfaces: [] });
    expectError(wrong, 400, "Error validating Instance creation request data");
    expect(Object.keys(Object(wrong.body.data)).sort()).toEqual(["", "interfaces", "name", "vpcId"]);
    for (const over of [{ instanceTypeId: null }, { machineId: randomUUID() }])
      expectError(await post(acme, { ...right, ...over }), 400, /creation request data/);
    const keys = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, 1]));
    const large = Array.from({ length: 64 }, () => ({ vpcPrefixId: "p".repeat(256) }));
    for (const interfaces of [[keys], large])
      expectError(await post(acme, { ...right, interfaces }), 400, /creation request data/);
    for (const over of [{ userData: "x" }, { sshKeyGroupIds: [vpcId] }])
      expectError(await post(acme, { ...right, ...over }), 501, /leave it out/);
    expect(await fingerprint(fixture)).toBe(before);
    expect((await post(acme, { ...right, userData: null, phoneHomeEnabled: false })).status).toBe(201);
  });
});

describe("PATCH instance", () => {
  it("changes name, description and labels, and answers with the instance", async () => {
    const { skuId } = await free();
    const { id } = (await post(acme, creation(acme, { instanceTypeId: skuId, labels: { a: "1" } }))).body;
    const asked = { name: `renamed-${String(id)}`, labels: { b: "2" } };
    expect(contract.problems("InstanceUpdateRequest", asked)).toEqual([]);
    const changed = await patch(acme, String(id), asked);
    expect([changed.status, contract.problems("Instance", changed.body)]).toEqual([200, []]);
    expect(changed.body).toMatchObject({ id, ...asked });
    expect((await patch(acme, String(id), { description: "x" })).body).toMatchObject({
      ...asked,
      description: "x",
    });
  });

  it("is refused to others, and for what this version does not do", async () => {
    const { skuId } = await free();
    const id = String((await post(acme, creation(acme, { instanceTypeId: skuId }))).body.id);
    const before = await fingerprint(fixture);
    expectError(
      await patch(globex, id, { name: "stolen" }),
      404,
      "Could not find Instance with specified ID",
    );
    expectError(await patch(acme, "abc", { name: "x" }), 400, "Invalid Instance ID in URL");
    expectError(
      await send(fixture, "PATCH", `/v2/org/acme/nico/instance/${id}`, {
        token: operator.token,
        body: { name: "renamed" },
      }),
      403,
      "User does not have Tenant Admin role with org",
    );
    expectError(await patch(acme, id, { triggerReboot: true }), 501, /triggerReboot/);
    expectError(await patch(acme, id, { name: "x" }), 400, "Error validating Instance update request data");
    expect(await fingerprint(fixture)).toBe(before);
  });
});
