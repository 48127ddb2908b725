// Traits, runbooks, validation, drivers, conductors, allocations and unsupported requests, over real HTTP.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { machineTypes } from "@/server/hardware/registry";
import { announceController } from "@/server/db/hot/fleet/lease";
import { faultOf, ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, addInstance, addPerson, fingerprint } from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer();
const { call } = ironicCaller(fixture, "operator");

async function refused(method: string, path: string, body?: unknown, minor = 112): Promise<[number, string]> {
  const look = async () => [
    await fingerprint(fixture),
    await fixture.query("SELECT * FROM runbook ORDER BY id"),
    await fixture.query("SELECT id, traits FROM host ORDER BY id"),
  ];
  const before = await look();
  const answer = await call(method, path, body, minor);
  expect(await look()).toEqual(before);
  return [answer.status, faultOf(answer)];
}

describe("traits", () => {
  it("are replaced, added and removed", async () => {
    const { id } = await addHost(fixture, "Manageable");
    const traits = async () => (await call("GET", `/v1/nodes/${id}/traits`)).body.traits;
    expect(await traits()).toEqual([]);
    expect(
      (await call("PUT", `/v1/nodes/${id}/traits`, { traits: ["CUSTOM_B", "CUSTOM_A", "CUSTOM_A"] })).status,
    ).toBe(204);
    const added = await call("PUT", `/v1/nodes/${id}/traits/HW_CPU_X86_VMX`);
    expect([added.status, added.text, added.headers.get("location")]).toEqual([
      204,
      "",
      `http://reclaim.test/v1/nodes/${id}/traits/HW_CPU_X86_VMX`,
    ]);
    expect(await traits()).toEqual(["CUSTOM_A", "CUSTOM_B", "HW_CPU_X86_VMX"]);
    expect((await call("GET", `/v1/nodes/${id}`)).body.traits).toEqual([
      "CUSTOM_A",
      "CUSTOM_B",
      "HW_CPU_X86_VMX",
    ]);
    expect((await call("DELETE", `/v1/nodes/${id}/traits/CUSTOM_B`)).status).toBe(204);
    expect((await refused("DELETE", `/v1/nodes/${id}/traits/CUSTOM_B`))[0]).toBe(404);
    expect((await call("DELETE", `/v1/nodes/${id}/traits`)).status).toBe(204);
    expect(await traits()).toEqual([]);
    expect(
      (
        await Promise.all(
          ["A", "B", "C", "D"].map((name) => call("PUT", `/v1/nodes/${id}/traits/CUSTOM_${name}`)),
        )
      ).map(({ status }) => status),
    ).toEqual([204, 204, 204, 204]);
    expect(await traits()).toEqual(["CUSTOM_A", "CUSTOM_B", "CUSTOM_C", "CUSTOM_D"]);
  });

  it("are refused in another form, too many of them, on no node, and before 1.37", async () => {
    const { id } = await addHost(fixture, "Manageable");
    for (const trait of ["lower", "CUSTOM-A", "1A"])
      expect((await refused("PUT", `/v1/nodes/${id}/traits/${trait}`))[0], trait).toBe(400);
    expect(
      (
        await refused("PUT", `/v1/nodes/${id}/traits`, {
          traits: Array.from({ length: 51 }, (_, index) => `CUSTOM_${index}`),
        })
      )[0],
    ).toBe(400);
    expect((await refused("PUT", `/v1/nodes/${id}/traits`, { traits: "CUSTOM_A" }))[0]).toBe(400);
    expect((await refused("PUT", `/v1/nodes/${randomUUID()}/traits/CUSTOM_A`))[0]).toBe(404);
    expect((await call("GET", `/v1/nodes/${id}/traits`, undefined, 36)).status).toBe(404);
  });
});

describe("runbooks", () => {
  const steps = [
    { interface: "deploy", step: "erase_disks", args: {}, order: 2 },
    { interface: "deploy", step: "erase_nvme", order: 1 },
  ];

  it("are created, listed, shown, changed and deleted", async () => {
    const made = await call("POST", "/v1/runbooks", { name: "CUSTOM_WIPE", steps });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: "CUSTOM_WIPE",
        traits: ["CUSTOM_WIPE"],
        public: false,
        disable_ramdisk: false,
        steps: [
          { step: "erase_nvme", order: 1 },
          { step: "erase_disks", order: 2 },
        ],
      },
    });
    const uuid = String(made.body.uuid);
    expect(made.headers.get("location")).toBe(`http://reclaim.test/v1/runbooks/${uuid}`);
    expect((await call("GET", "/v1/runbooks")).body.runbooks).toEqual([
      { uuid, name: "CUSTOM_WIPE", links: made.body.links },
    ]);
    expect((await call("GET", "/v1/runbooks/CUSTOM_WIPE")).body).toEqual(made.body);
    expect((await call("GET", `/v1/runbooks/${uuid}`, undefined, 111)).body).not.toHaveProperty("traits");
    const changed = await call("PATCH", `/v1/runbooks/${uuid}`, [
      { op: "replace", path: "/name", value: "CUSTOM_ALL" },
      { op: "remove", path: "/steps/1" },
      { op: "add", path: "/description", value: "text" },
    ]);
    expect(changed).toMatchObject({
      status: 200,
      body: {
        name: "CUSTOM_ALL",
        traits: ["CUSTOM_ALL"],
        description: "text",
        steps: [{ step: "erase_nvme" }],
      },
    });
    expect((await call("PUT", `/v1/runbooks/${uuid}/traits/CUSTOM_GPU`)).status).toBe(204);
    expect((await call("GET", `/v1/runbooks/${uuid}/traits`)).body.traits).toEqual([
      "CUSTOM_ALL",
      "CUSTOM_GPU",
    ]);
    expect((await call("DELETE", `/v1/runbooks/${uuid}/traits/CUSTOM_ALL`)).status).toBe(204);
    expect((await refused("DELETE", `/v1/runbooks/${uuid}/traits/CUSTOM_ALL`))[0]).toBe(404);
    expect((await refused("DELETE", `/v1/runbooks/${uuid}/traits/CUSTOM_GPU`))[0]).toBe(400);
    expect((await refused("POST", "/v1/runbooks", { name: "CUSTOM_ALL", steps }))[0]).toBe(409);
    expect((await call("DELETE", `/v1/runbooks/${uuid}`)).status).toBe(204);
    expect((await call("GET", `/v1/runbooks/${uuid}`)).status).toBe(404);
  });

  it.each([
    ["no steps", { name: "CUSTOM_X" }],
    ["an empty list", { name: "CUSTOM_X", steps: [] }],
    ["an unknown step", { name: "CUSTOM_X", steps: [{ interface: "deploy", step: "nothing", order: 1 }] }],
    ["two of one order", { name: "CUSTOM_X", steps: [steps[0], { ...steps[1], order: 2 }] }],
    ["an unknown field", { name: "CUSTOM_X", steps, colour: 1 }],
    ["an owner", { name: "CUSTOM_X", steps, owner: "me" }],
    ["disable_ramdisk", { name: "CUSTOM_X", steps, disable_ramdisk: true }],
    ["no name", { steps }],
  ])("are refused with %s", async (_what, body) =>
    expect((await refused("POST", "/v1/runbooks", body))[0]).toBe(400),
  );

  it("are not there before 1.92", async () =>
    expect((await call("GET", "/v1/runbooks", undefined, 91)).status).toBe(404));
});

describe("validate", () => {
  it("says what a new node lacks, and nothing of one that has all", async () => {
    const bare = await call("POST", "/v1/nodes", { driver: "redfish" });
    const { body } = await call("GET", `/v1/nodes/${String(bare.body.uuid)}/validate`);
    expect(body).toMatchObject({
      power: {
        result: false,
        reason:
          "Missing the following information in driver_info: redfish_address, redfish_username, redfish_password",
      },
      boot: { result: false },
      network: { result: false },
      bios: { result: false },
      console: { result: null, reason: "not supported" },
      deploy: { result: false },
      inspect: { result: false },
      storage: { result: true },
    });
    await fixture.query("UPDATE site SET network_url = 'http://n.localhost', network_token = 'x'");
    const host = await addHost(fixture, "Manageable");
    expect((await call("GET", `/v1/nodes/${host.id}/validate`)).body).toMatchObject({
      power: { result: true },
      management: { result: true },
      boot: { result: true },
      deploy: { result: true },
      network: { result: true },
      raid: { result: true },
      rescue: { result: null },
    });
    await fixture.query(
      "UPDATE host_run SET last_error = 'no answer', context = jsonb_set(context, '{network}', '{\"failures\": 2}') WHERE host_id = $1",
      [host.id],
    );
    expect((await call("GET", `/v1/nodes/${host.id}/validate`)).body).toMatchObject({
      network: {
        result: false,
        reason: "The network controller did not carry out the request: no answer",
      },
    });
    await fixture.query("UPDATE host SET hardware_type = 'gone' WHERE id = $1", [host.id]);
    expect((await call("GET", `/v1/nodes/${host.id}/validate`)).body).toMatchObject({
      power: { result: false, reason: "this version of Reclaim has no driver gone" },
    });
  });
});

describe("drivers and conductors", () => {
  it("name the controllers that live", async () => {
    const session = await fixture.pool.connect();
    session.on("error", () => undefined);
    await announceController(session, { id: randomUUID(), name: "one:1", pid: 1 });
    await fixture.query("INSERT INTO controller (id, name, pid) VALUES ($1, 'dead:2', 2)", [randomUUID()]);
    expect((await call("GET", "/v1/conductors")).body.conductors).toMatchObject([
      { hostname: "dead:2", alive: false },
      { hostname: "one:1", alive: true, conductor_group: "" },
    ]);
    // What openstacksdk requests for `conductors(details=True)`.
    expect((await call("GET", "/v1/conductors/detail")).body.conductors).toMatchObject([
      { hostname: "dead:2", drivers: expect.arrayContaining(["redfish"]) },
      { hostname: "one:1" },
    ]);
    expect((await call("GET", "/v1/conductors/one:1")).body).toMatchObject({
      hostname: "one:1",
      alive: true,
      drivers: machineTypes,
    });
    expect((await call("GET", "/v1/conductors/none")).status).toBe(404);
    expect((await call("GET", "/v1/drivers")).body.drivers).toMatchObject(
      machineTypes.map((name) => ({ name, hosts: ["one:1"], type: "dynamic" })),
    );
    expect((await call("GET", "/v1/drivers?type=classic")).body.drivers).toEqual([]);
    expect((await call("GET", "/v1/drivers/idrac")).body).toMatchObject({
      name: "idrac",
      default_power_interface: "redfish",
      enabled_boot_interfaces: ["ipxe", "redfish-virtual-media", "idrac-redfish-virtual-media"],
    });
    expect(Object.keys((await call("GET", "/v1/drivers/redfish/properties")).body)).toContain(
      "redfish_address",
    );
    expect((await call("GET", "/v1/drivers/fake-hardware")).status).toBe(404);
    expect((await call("GET", "/v1/drivers?fields=colour")).status).toBe(400);
    session.release(true);
    await expect.poll(async () => (await call("GET", "/v1/conductors/one:1")).body.alive).toBe(false);
  });
});

describe("allocations", () => {
  it("are the instances that hold a node, and neither made nor changed here", async () => {
    const host = await addHost(fixture, "Assigned/Ready");
    const { tenantId } = await addPerson(fixture, "tenant-admin", "acme");
    const uuid = await addInstance(fixture, host, tenantId, "train-1");
    const expected = {
      uuid,
      name: "train-1",
      node_uuid: host.id,
      state: "active",
      owner: "acme",
      last_error: null,
    };
    expect((await call("GET", "/v1/allocations")).body.allocations).toMatchObject([expected]);
    for (const ident of [uuid, "train-1"])
      expect((await call("GET", `/v1/allocations/${ident}`)).body, ident).toMatchObject(expected);
    expect((await call("GET", `/v1/nodes/${host.id}/allocation`)).body).toMatchObject(expected);
    const free = await addHost(fixture, "Manageable");
    expect((await call("GET", `/v1/allocations?node=${host.id}`)).body.allocations).toMatchObject([expected]);
    expect((await call("GET", `/v1/allocations?node=${free.id}`)).body.allocations).toEqual([]);
    expect((await call("GET", "/v1/allocations?state=allocating")).body.allocations).toEqual([]);
    expect((await call("GET", `/v1/allocations/${randomUUID()}`)).status).toBe(404);
    expect(await refused("POST", "/v1/allocations", { resource_class: "x" })).toEqual([
      400,
      expect.stringMatching(/NICo API/),
    ]);
    expect((await refused("DELETE", `/v1/allocations/${uuid}`))[0]).toBe(400);
    const { token: tenant } = await addPerson(fixture, "tenant-admin", "acme");
    expect(
      (
        await send(fixture, "GET", "/v1/allocations", {
          token: tenant,
          headers: { "x-openstack-ironic-api-version": "1.78" },
        })
      ).status,
    ).toBe(403);
    await fixture.query("UPDATE instance SET ended_at = now() WHERE id = $1", [uuid]);
    expect((await call("GET", "/v1/allocations")).body.allocations).toEqual([]);
  });
});

describe("what is not supported", () => {
  it.each([
    ["PUT", "states/raid", { logical_disks: [] }],
    ["PUT", "states/console", { enabled: true }],
    ["POST", "vifs", { id: "x" }],
    ["POST", "vendor_passthru/send_raw", { raw_bytes: "0x1" }],
  ])("%s %s", async (method, path, body) => {
    const { id } = await addHost(fixture, "Manageable");
    expect(await refused(method, `/v1/nodes/${id}/${path}`, body)).toEqual([
      400,
      expect.stringMatching(/does not support/),
    ]);
    expect((await refused(method, `/v1/nodes/${randomUUID()}/${path}`, body))[0]).toBe(404);
  });
});
