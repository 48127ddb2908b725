// A node's states and hardware in the Ironic API, and the collections that are empty, over real HTTP.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { faultOf, ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, addPerson, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import { inventoryOf } from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer();
const { get, call } = ironicCaller(fixture, "operator");
let known: TestHost;
let unknown: TestHost;

beforeAll(async () => {
  known = await addHost(fixture, "Manageable");
  unknown = await addHost(fixture, "Enroll");
  await fixture.query(
    "INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'agent', $2), ($1, 'bmc', $3)",
    [
      known.id,
      inventoryOf(known),
      { storage: [], firmware: [{ component: "BIOS", version: "1.9.2" }], macs: [] },
    ],
  );
});

it("states, with those of newer versions left out", async () => {
  expect(await get(`/v1/nodes/${known.id}/states`)).toMatchObject({
    status: 200,
    body: {
      provision_state: "manageable",
      target_provision_state: null,
      power_state: null,
      last_error: null,
      console_enabled: false,
      raid_config: {},
      boot_mode: null,
    },
  });
  const first = await get(`/v1/nodes/${known.id}/states`, 1);
  expect(Object.keys(first.body).sort()).toEqual([
    "console_enabled",
    "last_error",
    "power_state",
    "provision_state",
    "provision_updated_at",
    "target_power_state",
    "target_provision_state",
  ]);
});

it("the inventory that the agent took, and 404 before", async () => {
  const { status, body } = await get(`/v1/nodes/${known.id}/inventory`);
  expect([status, body]).toMatchObject([
    200,
    {
      inventory: {
        cpu: { count: 36, socket_count: 2, model_name: "Xeon Gold 6354" },
        memory: { physical_mb: 262_144, total: 274_877_906_944 },
        interfaces: [{ name: "eno1", mac_address: known.mac }],
        disks: [{ serial: `${known.serial}-D1`, size: 1_920_383_410_176, rotational: false }],
        system_vendor: { serial_number: known.serial, firmware: { version: "1.9.2" } },
      },
      plugin_data: {},
    },
  ]);
  expect((await get(`/v1/nodes/${unknown.id}/inventory`)).status).toBe(404);
  expect((await get(`/v1/nodes/${known.id}/inventory`, 80)).status).toBe(404);
});

it("the inventory that a newer version stored, without what only that one knows", async () => {
  const host = await addHost(fixture, "Manageable");
  const body = inventoryOf(host);
  await fixture.query("INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'agent', $2)", [
    host.id,
    { ...body, storage: body.storage.map((drive) => ({ ...drive, zoned: true })), enclosures: [] },
  ]);
  expect(await get(`/v1/nodes/${host.id}/inventory`)).toMatchObject({
    status: 200,
    body: { inventory: { disks: [{ serial: `${host.serial}-D1` }] } },
  });
});

it("a stored inventory that no version wrote: the server's own failure, not the client's", async () => {
  const host = await addHost(fixture, "Manageable");
  await fixture.query("INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'agent', '[]')", [
    host.id,
  ]);
  const answer = await get(`/v1/nodes/${host.id}/inventory`);
  expect([answer.status, faultOf(answer)]).toEqual([
    500,
    expect.stringMatching(/cannot read a stored record/),
  ]);
});

it("the firmware that the BMC named", async () => {
  const { body } = await get(`/v1/nodes/${known.id}/firmware`);
  expect(body).toMatchObject({
    firmware: [
      {
        component: "BIOS",
        current_version: "1.9.2",
        initial_version: null,
        last_version_flashed: null,
        updated_at: null,
      },
    ],
  });
  expect((await get(`/v1/nodes/${unknown.id}/firmware`)).body).toEqual({ firmware: [] });
  expect((await get(`/v1/nodes/${known.id}/firmware`, 85)).status).toBe(404);
});

it.each([
  ["bios", { bios: [] }],
  ["bios?detail=True", { bios: [] }],
  ["vifs", { vifs: [] }],
  ["vendor_passthru/methods", {}],
  ["management/boot_device", { boot_device: null, persistent: null }],
  ["management/boot_device/supported", { supported_boot_devices: [] }],
  ["states/console", { console_enabled: false, console_info: null }],
  ["portgroups", { portgroups: [] }],
  ["volume/connectors", { connectors: [] }],
  ["volume/targets", { targets: [] }],
  ["volume", { connectors: [{ rel: "self" }, { rel: "bookmark" }], targets: [{ rel: "self" }, {}] }],
] as const)("…/%s, by name, too, and of no other node", async (path, wanted) => {
  const [row] = await fixture.query<{ name: string }>("SELECT name FROM host WHERE id = $1", [known.id]);
  for (const ident of [known.id, row?.name ?? ""])
    expect(await get(`/v1/nodes/${ident}/${path}`)).toMatchObject({ status: 200, body: wanted });
  expect((await get(`/v1/nodes/${randomUUID()}/${path}`)).status).toBe(404);
});

it("a boot device that only the release beside this one knows is shown as none, and stops no verb", async () => {
  const settings = { devices: ["disk", "wanboot"], persistent: true, mode: "uefi", secureBoot: true };
  const store = (device: string) =>
    fixture.query(
      "UPDATE host_run SET context = context || jsonb_build_object('bootSettings', $2::jsonb) WHERE host_id = $1",
      [unknown.id, { ...settings, device }],
    );
  const at = `/v1/nodes/${unknown.id}/management/boot_device`;
  await store("wanboot");
  expect(await get(at)).toMatchObject({ status: 200, body: { boot_device: null } });
  await store("disk");
  expect(await get(at)).toMatchObject({ status: 200, body: { boot_device: "disk" } });
  expect(await get(`${at}/supported`)).toMatchObject({ body: { supported_boot_devices: ["disk"] } });
});

it("says what a client may not ask", async () => {
  expect((await get(`/v1/nodes/${known.id}/bios/ProcVirtualization`)).status).toBe(404);
  expect((await get(`/v1/nodes/${known.id}/vifs?colour=red`)).status).toBe(400);
  const tenant = await addPerson(fixture, "repair-tenant-admin", "repair");
  for (const path of [
    `/v1/nodes/${known.id}/inventory`,
    `/v1/nodes/${known.id}/states`,
    "/v1/nodes",
    "/v1/nodes/detail",
    "/v1/chassis",
    "/v1/shards",
  ]) {
    expect(
      (
        await send(fixture, "GET", path, {
          token: tenant.token,
          headers: { "x-openstack-ironic-api-version": "latest" },
        })
      ).status,
      path,
    ).toBe(403);
  }
});

describe("collections that there are none of", () => {
  it.each([
    ["chassis", "chassis", 1],
    ["chassis/detail", "chassis", 1],
    ["portgroups", "portgroups", 23],
    ["deploy_templates", "deploy_templates", 55],
    ["volume/connectors", "connectors", 32],
    ["volume/targets", "targets", 32],
  ] as const)("%s", async (path, member, since) => {
    expect(await get(`/v1/${path}?limit=5`)).toMatchObject({ status: 200, body: { [member]: [] } });
    if (since > 1) expect((await get(`/v1/${path}`, since - 1)).status).toBe(404);
    expect((await get(`/v1/${path}/${randomUUID()}`)).status).toBe(404);
    expect((await get(`/v1/${path}?colour=red`)).status).toBe(400);
  });

  it("volumes have links, which lead to the lists", async () => {
    const { status, body } = await get("/v1/volume");
    expect([status, body]).toMatchObject([
      200,
      {
        links: [{ href: "http://reclaim.test/v1/volume/", rel: "self" }, { rel: "bookmark" }],
        connectors: [{ href: "http://reclaim.test/v1/volume/connectors", rel: "self" }, {}],
        targets: [{}, { href: "http://reclaim.test/volume/targets", rel: "bookmark" }],
      },
    ]);
    expect((await get("/volume/targets")).body).toEqual({ targets: [] });
    expect((await get("/v1/volume", 31)).status).toBe(404);
    expect((await get("/v1")).body.volume).toMatchObject([
      { href: "http://reclaim.test/v1/volume/" },
      { rel: "bookmark" },
    ]);
  });

  it.each([
    ["chassis", "Chassis"],
    ["portgroups", "Portgroup"],
    ["deploy_templates", "Deploy template"],
    ["volume/connectors", "Volume connector"],
    ["volume/targets", "Volume target"],
  ])("%s has none by name, whatever is asked of it", async (path, kind) => {
    const id = randomUUID();
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const answer = await call(method, `/v1/${path}/${id}`, method === "PATCH" ? [] : undefined);
      expect([answer.status, faultOf(answer)], method).toEqual([404, `${kind} ${id} could not be found.`]);
    }
  });

  it("shards have counts", async () => {
    await fixture.query("INSERT INTO node_record (host_id, shard) VALUES ($1, 'one'), ($2, 'one')", [
      known.id,
      unknown.id,
    ]);
    expect((await get("/v1/shards")).body).toEqual({ shards: [{ name: "one", count: 2 }] });
    expect((await get("/v1/shards", 81)).status).toBe(404);
  });
});
