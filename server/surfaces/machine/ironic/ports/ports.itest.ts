// Ports over real HTTP: the boot server identifies a host by their MACs.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { faultOf, ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send, type Answer } from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  addPerson,
  fingerprint,
  type TestHost,
} from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer();
const { call } = ironicCaller(fixture, "operator");
let host: TestHost;

beforeAll(async () => {
  host = await addHost(fixture, "Enroll");
});

const macsOf = async (hostId: string) =>
  (await fixture.query<{ macs: string[] }>("SELECT macs FROM host WHERE id = $1", [hostId]))[0]?.macs;
const ports = () => fixture.query("SELECT * FROM node_port ORDER BY id");
const listed = async (path: string): Promise<string[]> =>
  (JSON.parse((await call("GET", path)).text).ports as { address: string }[]).map(({ address }) => address);

let count = 0;
const mac = () => `0a:00:00:00:00:${(count += 1).toString(16).padStart(2, "0")}`;

async function create(body: Record<string, unknown> = {}): Promise<Answer & { uuid: string }> {
  const answer = await call("POST", "/v1/ports", { address: mac(), node_uuid: host.id, ...body });
  return { ...answer, uuid: String(answer.body.uuid) };
}

async function refused(method: string, path: string, body?: unknown, minor = 112): Promise<[number, string]> {
  const before = [await fingerprint(fixture), await ports(), await macsOf(host.id)];
  const answer = await call(method, path, body, minor);
  expect([await fingerprint(fixture), await ports(), await macsOf(host.id)]).toEqual(before);
  return [answer.status, faultOf(answer)];
}

describe("a port", () => {
  it("is created, and its MAC is the host's, in one form", async () => {
    const uuid = randomUUID();
    const answer = await create({
      uuid,
      address: "0A-FF-00-00-00-01",
      extra: { a: 1 },
      physical_network: "p",
      local_link_connection: { switch_id: "s", port_id: "1" },
      pxe_enabled: "False",
      name: "eth0",
      description: "left",
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        uuid,
        address: "0a:ff:00:00:00:01",
        node_uuid: host.id,
        extra: { a: 1 },
        physical_network: "p",
        local_link_connection: { switch_id: "s", port_id: "1" },
        pxe_enabled: false,
        is_smartnic: false,
        name: "eth0",
        description: "left",
        internal_info: {},
        portgroup_uuid: null,
        updated_at: null,
      },
    });
    expect(answer.headers.get("location")).toBe(`http://reclaim.test/v1/ports/${uuid}`);
    expect(await macsOf(host.id)).toContain("0a:ff:00:00:00:01");
    expect((await call("GET", `/v1/ports/${uuid}`)).body).toEqual(answer.body);
    expect(
      await fixture.query("SELECT outcome FROM audit_event WHERE action = 'port.create' AND target_id = $1", [
        host.id,
      ]),
    ).toEqual([{ outcome: "done" }]);
  });

  it("is changed, and another address is another MAC", async () => {
    const { uuid, body } = await create();
    const next = mac();
    const answer = await call("PATCH", `/v1/ports/${uuid}`, [
      { op: "replace", path: "/address", value: next.toUpperCase() },
      { op: "add", path: "/extra/a", value: [1] },
      { op: "add", path: "/pxe_enabled", value: "False" },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      body: { address: next, extra: { a: [1] }, pxe_enabled: false },
    });
    expect(await macsOf(host.id)).toContain(next);
    expect(await macsOf(host.id)).not.toContain(body.address);
    expect(
      (await call("PATCH", `/v1/ports/${uuid}`, [{ op: "remove", path: "/extra/a" }])).body,
    ).toMatchObject({ extra: {}, pxe_enabled: false });
  });

  it("is deleted with its MAC, and goes with its node", async () => {
    const { uuid, body } = await create();
    expect((await call("DELETE", `/v1/ports/${uuid}`)).status).toBe(204);
    expect(await macsOf(host.id)).not.toContain(body.address);
    for (const method of ["GET", "DELETE"])
      expect((await call(method, `/v1/ports/${uuid}`)).status).toBe(404);
    const { token: admin } = await addPerson(fixture, "provider-admin", null);
    const other = await addHost(fixture, "Enroll");
    const port = await create({ node_uuid: other.id });
    expect((await send(fixture, "DELETE", `/v1/nodes/${other.id}`, { token: admin })).status).toBe(204);
    expect((await call("GET", `/v1/ports/${port.uuid}`)).status).toBe(404);
  });

  it.each([
    ["no address", { address: undefined }, 400, /address/],
    ["no node", { node_uuid: undefined }, 400, /'node_uuid' is a required property/],
    ["a node that there is not", { node_uuid: randomUUID() }, 400, /could not be found/],
    ["a node by name", { node_uuid: "some-name" }, 400, /Expected UUID/],
    ["no MAC", { address: "0a:00" }, 400, /must be a MAC address/],
    ["an unknown field", { colour: "red" }, 400, /'colour' was unexpected/],
    ["a port group", { portgroup_uuid: randomUUID() }, 400, /Portgroup/],
  ])("is refused with %s", async (_what, change, status, message) => {
    expect(await refused("POST", "/v1/ports", { address: mac(), node_uuid: host.id, ...change })).toEqual([
      status,
      expect.stringMatching(message),
    ]);
  });

  it("is refused with what another has, and with what may not be patched", async () => {
    const [first, second] = [await create({ name: "one" }), await create()];
    expect(
      await refused("POST", "/v1/ports", {
        address: String(first.body.address).toUpperCase(),
        node_uuid: host.id,
      }),
    ).toEqual([409, `A port with MAC address ${String(first.body.address)} already exists.`]);
    expect(
      (
        await refused("PATCH", `/v1/ports/${second.uuid}`, [
          { op: "add", path: "/address", value: first.body.address },
        ])
      )[0],
    ).toBe(409);
    expect(
      (await refused("PATCH", `/v1/ports/${second.uuid}`, [{ op: "add", path: "/name", value: "one" }]))[0],
    ).toBe(409);
    for (const path of ["/node_uuid", "/uuid", "/internal_info/a"])
      expect((await refused("PATCH", `/v1/ports/${second.uuid}`, [{ op: "add", path, value: "x" }]))[0]).toBe(
        400,
      );
    expect(
      (await refused("PATCH", `/v1/ports/${second.uuid}`, [{ op: "remove", path: "/address" }]))[0],
    ).toBe(400);
    expect(
      (await refused("PATCH", `/v1/ports/${second.uuid}`, [{ op: "add", path: "/name", value: "x" }], 87))[0],
    ).toBe(406);
    const { token: auditor } = await addPerson(fixture, "auditor", null);
    const before = await ports();
    for (const [method, path, body] of [
      ["POST", "/v1/ports", { address: mac(), node_uuid: host.id }],
      ["PATCH", `/v1/ports/${first.uuid}`, [{ op: "add", path: "/extra/a", value: 1 }]],
      ["DELETE", `/v1/ports/${first.uuid}`, undefined],
    ] as const) {
      expect((await send(fixture, method, path, { token: auditor, body })).status, method).toBe(403);
    }
    expect(await ports()).toEqual(before);
  });
});

describe("lists", () => {
  it("by node, address, page and field", async () => {
    const other = await addHost(fixture, "Enroll");
    const addresses = [mac(), mac(), mac()];
    for (const address of addresses) await create({ address, node_uuid: other.id });
    const name =
      (await fixture.query<{ name: string }>("SELECT name FROM host WHERE id = $1", [other.id]))[0]?.name ??
      "";
    for (const path of [
      `/v1/ports?node=${name}`,
      `/v1/ports?node_uuid=${other.id}`,
      `/v1/ports/detail?node=${other.id}`,
      `/v1/nodes/${name}/ports`,
      `/v1/nodes/${other.id}/ports/detail`,
    ])
      expect(await listed(path), path).toEqual(addresses);
    expect(await listed(`/v1/ports?address=${addresses[1]?.toUpperCase()}`)).toEqual([addresses[1]]);
    const found: string[] = [];
    let path: string | undefined = `/v1/ports?node=${other.id}&limit=2&sort_key=address&sort_dir=desc`;
    while (path !== undefined) {
      const page: { ports: { address: string }[]; next?: string } = JSON.parse(
        (await call("GET", path)).text,
      );
      found.push(...page.ports.map(({ address }) => address));
      path = page.next?.replace("http://reclaim.test", "");
    }
    expect(found).toEqual(addresses.toReversed());
    const [first] = JSON.parse(
      (await call("GET", `/v1/ports?node=${other.id}&fields=address,node_uuid&limit=1`)).text,
    ).ports;
    expect(first).toEqual({ address: addresses[0], node_uuid: other.id });
    expect(Object.keys(JSON.parse((await call("GET", `/v1/ports?node=${other.id}`)).text).ports[0])).toEqual([
      "uuid",
      "address",
      "links",
    ]);
    expect(
      JSON.parse((await call("GET", `/v1/ports/detail?node=${other.id}`, undefined, 18)).text).ports[0],
    ).not.toHaveProperty("pxe_enabled");
  });

  it.each([
    ["limit=0", 400],
    ["sort_key=extra", 400],
    ["sort_dir=up", 400],
    ["colour=red", 400],
    ["fields=colour", 400],
    ["address=x", 400],
    [`marker=${randomUUID()}`, 404],
    [`node=${randomUUID()}`, 404],
    ["portgroup=x", 404],
  ])("refuses %s", async (query, status) => {
    expect((await call("GET", `/v1/ports?${query}`)).status).toBe(status);
  });
});
