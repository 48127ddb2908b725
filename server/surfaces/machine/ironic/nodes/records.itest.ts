// Creating, changing and deleting nodes over real HTTP, as Ironic's clients do.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { faultOf, ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, addInstance, addPerson, fingerprint } from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer();
const { call } = ironicCaller(fixture, "provider-admin", 78);

let count = 0;
const name = () => `node-${(count += 1)}`;

/** The client sends `automated_clean` with each new node. */
async function create(
  body: Record<string, unknown> = {},
  minor = 78,
): Promise<Record<string, unknown> & { uuid: string }> {
  const answer = await call(
    "POST",
    "/v1/nodes",
    { driver: "redfish", automated_clean: true, ...body },
    minor,
  );
  expect(answer.status, answer.text).toBe(201);
  return { ...answer.body, uuid: String(answer.body.uuid) };
}

async function rowOf(id: string): Promise<Record<string, unknown>> {
  const [row] = await fixture.query(
    "SELECT h.*, r.state, r.name AS run_name, r.maintenance, r.maintenance_by FROM host h JOIN host_run r ON r.host_id = h.id WHERE h.id = $1",
    [id],
  );
  return row ?? {};
}

const records = () =>
  fixture.query(
    "SELECT (SELECT jsonb_agg(to_jsonb(h) ORDER BY id) FROM host h) AS hosts, (SELECT jsonb_agg(to_jsonb(n) ORDER BY host_id) FROM node_record n) AS records, (SELECT jsonb_agg(to_jsonb(p) ORDER BY id) FROM node_port p) AS ports",
  );

/** The status and message of a request that must not change anything. */
async function refused(method: string, path: string, body: unknown, minor = 78): Promise<[number, string]> {
  const before = [await fingerprint(fixture), await records()];
  const answer = await call(method, path, body, minor);
  expect([await fingerprint(fixture), await records()]).toEqual(before);
  return [answer.status, faultOf(answer)];
}

const bmc = {
  redfish_address: "https://10.0.0.5",
  redfish_username: "root",
  redfish_password: "calvin-secret",
};

describe("creating", () => {
  it("takes nothing but a driver, and answers with the whole node", async () => {
    const answer = await call("POST", "/v1/nodes", { driver: "redfish", automated_clean: true });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        name: null,
        driver: "redfish",
        provision_state: "enroll",
        power_state: null,
        automated_clean: true,
        driver_info: {},
        power_interface: "redfish",
        console_interface: "no-console",
      },
    });
    expect(answer.headers.get("location")).toBe(`http://reclaim.test/v1/nodes/${String(answer.body.uuid)}`);
    expect(await rowOf(String(answer.body.uuid))).toMatchObject({
      state: "Enroll",
      serial: null,
      system_uuid: null,
      bmc_address: null,
      network_interfaces: [],
    });
    expect((await call("GET", `/v1/nodes/${String(answer.body.uuid)}`)).body).toEqual(answer.body);
    const history = await fixture.query("SELECT state, reason FROM state_history WHERE host_id = $1", [
      answer.body.uuid,
    ]);
    expect(history).toEqual([{ state: "Enroll", reason: "created" }]);
  });

  it("keeps what it is given, and seals the password", async () => {
    const uuid = randomUUID();
    const given = {
      uuid,
      name: name(),
      driver: "idrac",
      driver_info: { ...bmc, redfish_system_id: "/redfish/v1/Systems/1", deploy_kernel: "http://x/k" },
      properties: { cpus: "8", capabilities: "boot_mode:uefi" },
      extra: { rack: { u: 4 } },
      description: "in the corner",
      owner: "o",
      lessee: "l",
      resource_class: "baremetal",
      retired: true,
      retired_reason: "old",
      network_data: { links: [] },
      instance_info: { a: 1 },
      power_interface: "redfish",
    };
    const node = await create(given);
    expect(node).toMatchObject({
      ...given,
      driver_info: { ...given.driver_info, redfish_password: "******" },
    });
    const row = await rowOf(uuid);
    expect(row).toMatchObject({
      name: given.name,
      run_name: given.name,
      hardware_type: "idrac",
      bmc_address: "https://10.0.0.5",
      bmc_username: "root",
      retired: true,
      automated_clean: true,
    });
    expect(
      JSON.stringify([row, await records(), await fixture.query("SELECT * FROM audit_event")]),
    ).not.toContain("calvin");
    expect(
      await fixture.query(
        "SELECT outcome, target_id, actor_name IS NOT NULL AS named FROM audit_event WHERE action = 'node.create' AND target_id = $1",
        [uuid],
      ),
    ).toEqual([{ outcome: "done", target_id: uuid, named: true }]);
  });

  it("masks secrets in what it shows, and keeps them out of the audit log", async () => {
    const uuid = randomUUID();
    const given = {
      uuid,
      name: name(),
      driver: "redfish",
      extra: { note: "hunter2-b", api_password: "hunter2-c" },
      instance_info: { configdrive: { user_data: "hunter2-d" }, image_url: "https://hunter2-e", root_gb: 10 },
      properties: { cpus: 8, admin_pass: "hunter2-f" },
    };
    const shown = await create(given);
    expect(shown).toMatchObject({
      extra: { note: "hunter2-b", api_password: "******" },
      instance_info: { configdrive: "******", image_url: "******", root_gb: 10 },
    });
    expect(
      (await call("PATCH", `/v1/nodes/${uuid}`, [{ op: "add", path: "/instance_info/root_gb", value: 20 }]))
        .status,
    ).toBe(200);
    expect(
      await fixture.query("SELECT instance_info FROM node_record WHERE host_id = $1", [uuid]),
    ).toMatchObject([{ instance_info: { root_gb: 20, configdrive: { user_data: "hunter2-d" } } }]);
    const events = JSON.stringify(
      await fixture.query("SELECT before, after FROM audit_event WHERE target_id = $1", [uuid]),
    );
    expect(events).toContain("not recorded");
    expect(events).not.toContain("hunter2");
  });

  it("may be one of several systems behind one address, and none of them twice", async () => {
    const at = { ...bmc, redfish_address: "https://10.0.8.8" };
    const driverInfo = (system: string | null) =>
      system === null ? at : { ...at, redfish_system_id: system };
    const [one, two] = ["/redfish/v1/Systems/1", "/redfish/v1/Systems/2"] as const;
    const first = await create({ name: name(), driver_info: driverInfo(one) });
    const second = await create({ name: name(), driver_info: driverInfo(`${two}/`) });
    expect(await rowOf(second.uuid)).toMatchObject({ bmc_address: "https://10.0.8.8", bmc_system: two });
    const again = { driver: "redfish", name: name(), driver_info: driverInfo(one) };
    expect(await refused("POST", "/v1/nodes", again)).toEqual([
      400,
      expect.stringContaining(
        `System ${one} at the BMC address https://10.0.8.8 is node ${String(first.name)}.`,
      ),
    ]);
    const patch = [{ op: "replace", path: "/driver_info/redfish_system_id", value: one }];
    expect((await refused("PATCH", `/v1/nodes/${second.uuid}`, patch))[0]).toBe(400);
    await create({ name: name(), driver_info: driverInfo(null) });
    const [, words] = await refused("POST", "/v1/nodes", { ...again, driver_info: driverInfo(null) });
    expect(words).toContain("name the system of each");
  });

  it("writes https:// before an address without a scheme", async () => {
    const { uuid } = await create({ driver_info: { redfish_address: "10.0.7.7:8443" } });
    expect((await rowOf(uuid)).bmc_address).toBe("https://10.0.7.7:8443");
  });

  it.each([
    ["no driver", {}, 400, /'driver' is a required property/],
    [
      "a driver that there is not",
      { driver: "ipmi" },
      400,
      /Could not find the following driver\(s\) or hardware type\(s\): ipmi/,
    ],
    ["fake hardware where it is off", { driver: "fake-hardware" }, 400, /switched off/],
    [
      "an unknown field",
      { driver: "redfish", colour: "red" },
      400,
      /Additional properties are not allowed \('colour' was unexpected\)/,
    ],
    [
      "a field that Reclaim sets",
      { driver: "redfish", provision_state: "available" },
      400,
      /provision_state/,
    ],
    ["an instance", { driver: "redfish", instance_uuid: randomUUID() }, 400, /instance_uuid/],
    ["a chassis", { driver: "redfish", chassis_uuid: randomUUID() }, 400, /Chassis .* could not be found/],
    ["a parent that there is not", { driver: "redfish", parent_node: randomUUID() }, 406, /1\.83/],
    ["a bad name", { driver: "redfish", name: "a b" }, 400, /name/],
    ["a name that is a UUID", { driver: "redfish", name: randomUUID() }, 400, /must not be a UUID/],
    ["a bad UUID", { driver: "redfish", uuid: "7" }, 400, /uuid/],
    [
      "an interface that the driver has not",
      { driver: "redfish", power_interface: "ipmitool" },
      400,
      /power_interface 'ipmitool'/,
    ],
    ["a wrong type", { driver: "redfish", properties: [] }, 400, /properties/],
    ["a site that there is not", { driver: "redfish", conductor_group: "south" }, 404, /no site south/],
    [
      "a BMC elsewhere",
      { driver: "redfish", driver_info: { redfish_address: "https://8.8.8.8" } },
      400,
      /in no network of the server's setting RECLAIM_BMC_NETWORKS/,
    ],
    [
      "a BMC that is link-local",
      { driver: "redfish", driver_info: { redfish_address: "http://169.254.169.254" } },
      400,
      /link-local/,
    ],
    [
      "an address with a path",
      { driver: "redfish", driver_info: { redfish_address: "https://10.0.0.1/redfish/v1" } },
      400,
      /redfish_address/,
    ],
    [
      "an unchecked certificate",
      { driver: "redfish", driver_info: { redfish_address: "10.0.0.1", redfish_verify_ca: "False" } },
      400,
      /always checked/,
    ],
    [
      "another secret",
      { driver: "redfish", driver_info: { snmp_password: "x" } },
      400,
      /snmp_password is a secret/,
    ],
    ["a field of a later version", { driver: "redfish", disable_power_off: true }, 406, /1\.95/],
  ])("refuses %s", async (_what, body, status, message) => {
    const [found, text] = await refused("POST", "/v1/nodes", body);
    expect([found, text]).toEqual([status, expect.stringMatching(message)]);
  });

  it("refuses what another node has", async () => {
    const node = await create({ name: name(), driver_info: { redfish_address: "10.0.9.9" } });
    expect(await refused("POST", "/v1/nodes", { driver: "redfish", name: node.name })).toEqual([
      409,
      `A node with name ${String(node.name)} already exists.`,
    ]);
    expect(await refused("POST", "/v1/nodes", { driver: "redfish", uuid: node.uuid.toUpperCase() })).toEqual([
      409,
      `A node with UUID ${node.uuid} already exists.`,
    ]);
    expect(
      (
        await refused("POST", "/v1/nodes", {
          driver: "redfish",
          driver_info: { redfish_address: "10.0.9.9" },
        })
      )[0],
    ).toBe(400); // a client retries a 409, and this would never succeed
  });

  it("has a name from 1.5 on, and fields of later versions not before them", async () => {
    expect((await refused("POST", "/v1/nodes", { driver: "redfish", name: name() }, 4))[0]).toBe(406);
    expect((await refused("POST", "/v1/nodes", { driver: "redfish", resource_class: "x" }, 20))[0]).toBe(406);
    expect((await create({ automated_clean: undefined }, 1)).uuid).toMatch(/-/);
  });

  it("refuses bodies that could hurt", async () => {
    expect(
      (
        await refused(
          "POST",
          "/v1/nodes",
          `{"driver":"redfish","extra":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
        )
      )[0],
    ).toBe(400);
    expect(
      (
        await refused(
          "POST",
          "/v1/nodes",
          `{"driver":"redfish","extra":{"a":"${"x".repeat(10 * 1024 * 1024)}"}}`,
        )
      )[0],
    ).toBe(413);
    expect((await refused("POST", "/v1/nodes", '{"driver":'))[0]).toBe(400);
    expect((await refused("POST", "/v1/nodes", "[]"))[0]).toBe(400);
    expect((await refused("POST", "/v1/nodes?colour=red", { driver: "redfish" }))[0]).toBe(400);
  });

  it("is not for those who may not", async () => {
    const { token: auditor } = await addPerson(fixture, "auditor", null);
    const before = await fingerprint(fixture);
    expect(
      (await send(fixture, "POST", "/v1/nodes", { token: auditor, body: { driver: "redfish" } })).status,
    ).toBe(403);
    expect(await fingerprint(fixture)).toBe(before);
    const { token: operator } = await addPerson(fixture, "operator", null);
    const answer = await send(fixture, "POST", "/v1/nodes", {
      token: operator,
      body: { driver: "redfish", automated_clean: false },
      headers: { "x-openstack-ironic-api-version": "1.78" },
    });
    expect(answer.status).toBe(403);
  });
});

describe("changing", () => {
  const patch = (ident: string, ...operations: unknown[]) => call("PATCH", `/v1/nodes/${ident}`, operations);

  it("adds, replaces and removes, and texts count as booleans", async () => {
    const { uuid } = await create({ properties: { a: "1", b: "2" } });
    const renamed = name();
    const answer = await patch(
      uuid,
      { op: "add", path: "/name", value: renamed },
      { op: "add", path: "/properties/c", value: { d: [1] } },
      { op: "replace", path: "/properties/a", value: "9" },
      { op: "remove", path: "/properties/b" },
      { op: "add", path: "/extra/x", value: 1 },
      { op: "add", path: "/automated_clean", value: "False" },
      { op: "add", path: "/description", value: "text" },
      { op: "remove", path: "/resource_class" },
      { op: "add", path: "/retired", value: "True" },
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        uuid,
        name: renamed,
        properties: { a: "9", c: { d: [1] } },
        extra: { x: 1 },
        automated_clean: false,
        description: "text",
        resource_class: null,
        retired: true,
      },
    });
    expect(answer.body.properties).not.toHaveProperty("b");
    expect(answer.body.updated_at).not.toBeNull();
    expect(await rowOf(uuid)).toMatchObject({ name: renamed, run_name: renamed });
    expect(
      (await patch(renamed, { op: "remove", path: "/name" }, { op: "remove", path: "/automated_clean" }))
        .body,
    ).toMatchObject({ name: null, automated_clean: null });
  });

  it("takes a node out of its site's set of credentials with its own user name, or its own password", async () => {
    const { uuid } = await create({ driver_info: { ...bmc, redfish_address: "10.0.99.1" } });
    const setId = randomUUID();
    await fixture.query(
      "INSERT INTO bmc_credential (id, site_id, name, username, password) SELECT $1, site_id, 'lab', 'root', '\\x00' FROM host WHERE id = $2",
      [setId, uuid],
    );
    const inSet = () => fixture.query("UPDATE host SET bmc_credential_id = $1 WHERE id = $2", [setId, uuid]);
    for (const [field, value, left] of [
      ["deploy_kernel", "k", setId],
      ["redfish_username", "other", null],
      ["redfish_password", "own", null],
    ]) {
      await inSet();
      expect((await patch(uuid, { op: "add", path: `/driver_info/${field}`, value })).status).toBe(200);
      expect((await rowOf(uuid)).bmc_credential_id, `${field}`).toBe(left);
    }
  });

  it("takes a password for IPMI, which it does not use, and keeps none", async () => {
    const { uuid } = await create({
      driver_info: { redfish_address: "10.0.1.9", ipmi_password: "ipmi-secret" },
    });
    const patched = await patch(uuid, { op: "add", path: "/driver_info/ipmi_password", value: "ipmi-other" });
    expect(patched.body.driver_info).toEqual({ redfish_address: "https://10.0.1.9" });
    const rows = await fixture.query(
      "SELECT to_jsonb(h)::text || to_jsonb(n)::text AS all FROM host h JOIN node_record n ON n.host_id = h.id WHERE h.id = $1",
      [uuid],
    );
    expect(JSON.stringify(rows)).not.toContain("ipmi-");
  });

  it("gives the BMC of a node in enroll another address and password, and none to one that is verified", async () => {
    const { uuid } = await create({
      driver_info: { redfish_address: "10.0.1.1", redfish_username: "root", redfish_password: "first" },
    });
    const first = (await rowOf(uuid)).bmc_password;
    const same = await patch(uuid, { op: "add", path: "/driver_info/deploy_kernel", value: "k" });
    expect(same.body.driver_info).toEqual({
      redfish_address: "https://10.0.1.1",
      redfish_username: "root",
      redfish_password: "******",
      deploy_kernel: "k",
    });
    expect((await rowOf(uuid)).bmc_password).toEqual(first);
    expect(
      await refused("PATCH", `/v1/nodes/${uuid}`, [
        { op: "replace", path: "/driver_info/redfish_address", value: "10.0.1.2" },
      ]),
    ).toEqual([400, expect.stringMatching(/stored password is not sent to a new address/)]);
    await patch(
      uuid,
      { op: "replace", path: "/driver_info/redfish_address", value: "10.0.1.2" },
      { op: "add", path: "/driver_info/redfish_password", value: "second" },
    );
    expect(await rowOf(uuid)).toMatchObject({ bmc_address: "https://10.0.1.2" });
    expect((await rowOf(uuid)).bmc_password).not.toEqual(first);
    expect(
      (await patch(uuid, { op: "remove", path: "/driver_info/redfish_password" })).body.driver_info,
    ).not.toHaveProperty("redfish_password");
    expect((await rowOf(uuid)).bmc_password).toBeNull();

    const host = await addHost(fixture, "Manageable");
    expect(
      await refused("PATCH", `/v1/nodes/${host.id}`, [
        { op: "replace", path: "/driver_info/redfish_address", value: "10.0.1.3" },
      ]),
    ).toEqual([400, expect.stringMatching(/in enroll only/)]);
    expect(
      (await patch(host.id, { op: "add", path: "/driver_info/redfish_password", value: "rotated" })).status,
    ).toBe(200);
    expect(JSON.stringify(await fixture.query("SELECT * FROM audit_event"))).not.toContain("rotated");
  });

  it("sets and ends maintenance", async () => {
    const { uuid } = await create();
    expect((await patch(uuid, { op: "replace", path: "/maintenance", value: "true" })).body.maintenance).toBe(
      true,
    );
    expect(await rowOf(uuid)).toMatchObject({ maintenance: true, maintenance_by: "person" });
    expect((await patch(uuid, { op: "remove", path: "/maintenance" })).body).toMatchObject({
      maintenance: false,
      maintenance_reason: null,
    });
  });

  it("changes the driver, and with reset_interfaces forgets what the other one has not", async () => {
    const { uuid } = await create({ power_interface: "redfish" });
    expect(
      (
        await call("PATCH", `/v1/nodes/${uuid}?reset_interfaces=True`, [
          { op: "replace", path: "/driver", value: "idrac" },
        ])
      ).body,
    ).toMatchObject({ driver: "idrac" });
    expect(
      (
        await refused("PATCH", `/v1/nodes/${uuid}?reset_interfaces=True`, [
          { op: "add", path: "/description", value: "x" },
        ])
      )[0],
    ).toBe(400);
    expect((await refused("PATCH", `/v1/nodes/${uuid}?reset_interfaces=True`, [], 44))[0]).toBe(400);
  });

  it.each([
    [
      "a root that may not be patched",
      { op: "replace", path: "/provision_state", value: "available" },
      /Cannot patch \/provision_state/,
    ],
    ["traits", { op: "add", path: "/traits/0", value: "CUSTOM_X" }, /Cannot patch \/traits/],
    ["a root that there is not", { op: "add", path: "/colour", value: "red" }, /Cannot patch \/colour/],
    [
      "removing what is not there",
      { op: "remove", path: "/properties/nothing" },
      /Couldn't apply patch .* there is no \/properties\/nothing/,
    ],
    [
      "replacing what is not there",
      { op: "replace", path: "/extra/nothing", value: 1 },
      /Couldn't apply patch/,
    ],
    ["adding below what is not there", { op: "add", path: "/extra/a/b", value: 1 }, /Couldn't apply patch/],
    [
      "adding below what every object inherits",
      { op: "add", path: "/extra/toString/b", value: 1 },
      /Couldn't apply patch/,
    ],
    ["a prototype", { op: "add", path: "/extra/__proto__", value: { a: 1 } }, /is not a path/],
    ["removing the driver", { op: "remove", path: "/driver" }, /mandatory attribute/],
    ["another operation", { op: "move", path: "/name", from: "/description" }, /Schema error/],
    ["no value", { op: "add", path: "/name" }, /Schema error/],
    ["a path that is none", { op: "add", path: "name", value: "x" }, /is not a path/],
    ["a wrong boolean", { op: "add", path: "/retired", value: "perhaps" }, /not a boolean/],
    ["a wrong value", { op: "add", path: "/properties", value: "text" }, /properties/],
    ["a reason without retirement", { op: "add", path: "/retired_reason", value: "why" }, /needs retired/],
    ["its site", { op: "add", path: "/conductor_group", value: "south" }, /does not change/],
    ["an instance", { op: "add", path: "/instance_uuid", value: randomUUID() }, /Reclaim sets it itself/],
  ])("refuses %s", async (_what, operation, message) => {
    const { uuid } = await create();
    const [status, text] = await refused("PATCH", `/v1/nodes/${uuid}`, [operation], 112);
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
  });

  it("refuses a name that another has, an unknown node, and changes during a transition", async () => {
    const [first, second] = [await create({ name: name() }), await create({ name: name() })];
    expect(
      await refused("PATCH", `/v1/nodes/${second.uuid}`, [{ op: "add", path: "/name", value: first.name }]),
    ).toEqual([409, `A node with name ${String(first.name)} already exists.`]);
    expect(
      (await refused("PATCH", `/v1/nodes/${randomUUID()}`, [{ op: "add", path: "/name", value: "x" }]))[0],
    ).toBe(404);
    const host = await addHost(fixture, "WaitingForCleanup/HostCleanup");
    expect(
      await refused("PATCH", `/v1/nodes/${host.id}`, [{ op: "add", path: "/description", value: "x" }]),
    ).toEqual([409, expect.stringMatching(/state transition is in progress/)]);
    await fixture.query(
      'INSERT INTO signal (host_id, kind, payload) VALUES ($1, \'manage\', \'{"by":{"personId":null,"name":"x","requestId":"r"}}\')',
      [first.uuid],
    );
    // Patching is allowed while verifying, and what was accepted counts as started.
    expect((await patch(first.uuid, { op: "add", path: "/description", value: "x" })).status).toBe(200);
  });

  it("has a host that is retired looked at again, by a decision that sees it", async () => {
    const { uuid } = await create();
    const standing = async () =>
      (
        await fixture.query<{ evidence: string; wakes: string; due: boolean }>(
          "SELECT evidence_seq::text AS evidence, wake_seq::text AS wakes, due_at <= now() AS due FROM host_run WHERE host_id = $1",
          [uuid],
        )
      )[0];
    expect(await standing()).toEqual({ evidence: "0", wakes: "0", due: null });
    await call("PATCH", `/v1/nodes/${uuid}`, [{ op: "add", path: "/extra/x", value: 1 }]);
    expect(await standing()).toEqual({ evidence: "0", wakes: "0", due: null });
    await call("PATCH", `/v1/nodes/${uuid}`, [{ op: "add", path: "/retired", value: "True" }]);
    expect(await standing()).toEqual({ evidence: "1", wakes: "1", due: true });
  });

  it("follows Ironic in what may be protected and retired", async () => {
    const manageable = await addHost(fixture, "Manageable");
    expect(
      await refused("PATCH", `/v1/nodes/${manageable.id}`, [{ op: "add", path: "/protected", value: true }]),
    ).toEqual([409, expect.stringMatching(/only an active node/)]);
    const active = await addHost(fixture, "Assigned/Ready");
    expect(
      (
        await patch(
          active.id,
          { op: "add", path: "/protected", value: "True" },
          { op: "add", path: "/protected_reason", value: "mine" },
        )
      ).body,
    ).toMatchObject({ protected: true, protected_reason: "mine" });
    expect((await patch(active.id, { op: "add", path: "/protected", value: "False" })).body).toMatchObject({
      protected: false,
      protected_reason: null,
    });
  });

  it("loses nothing of two that change at the same time", async () => {
    const { uuid } = await create();
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((key) => patch(uuid, { op: "add", path: `/extra/${key}`, value: key })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await call("GET", `/v1/nodes/${uuid}`)).body.extra).toEqual({ a: "a", b: "b", c: "c", d: "d" });
  });
});

describe("deleting", () => {
  it("removes a quiet node at once, and what may still erase is remembered", async () => {
    const { uuid } = await create({ name: name() });
    expect((await call("DELETE", `/v1/nodes/${uuid}`)).status).toBe(204);
    expect((await call("GET", `/v1/nodes/${uuid}`)).status).toBe(404);
    expect((await call("DELETE", `/v1/nodes/${uuid}`)).status).toBe(404);
    const host = await addHost(fixture, "Manageable");
    await fixture.query(
      "UPDATE host_run SET erasing = true, context = context || jsonb_build_object('eraseUntil', to_char(now() + interval '1 hour', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')) WHERE host_id = $1",
      [host.id],
    );
    await fixture.query("INSERT INTO debt (id, chassis_serial, drive_serials) VALUES ($1, $2, '{}')", [
      randomUUID(),
      host.serial,
    ]);
    expect((await call("DELETE", `/v1/nodes/${host.id}`)).status).toBe(204);
    expect(
      await fixture.query(
        "SELECT erase_until > now() + interval '59 minutes' AS late FROM chassis_erase WHERE chassis_serial = $1",
        [host.serial],
      ),
    ).toEqual([{ late: true }]);
    expect(
      await fixture.query("SELECT cleared_at FROM debt WHERE chassis_serial = $1", [host.serial]),
    ).toEqual([{ cleared_at: null }]);
    expect(
      await fixture.query(
        "SELECT state FROM state_history WHERE host_id = $1 ORDER BY version DESC LIMIT 1",
        [host.id],
      ),
    ).toEqual([{ state: "ForceDeletion" }]);
  });

  it("asks the controller where something runs, and answers when it is gone", async () => {
    const host = await addHost(fixture, "Manageable");
    await fixture.query(
      "UPDATE host_run SET lease_owner = $2, lease_until = now() + interval '1 minute' WHERE host_id = $1",
      [host.id, randomUUID()],
    );
    const answer = call("DELETE", `/v1/nodes/${host.id}`);
    await expect
      .poll(() => fixture.query("SELECT kind FROM signal WHERE host_id = $1", [host.id]))
      .toEqual([{ kind: "forceDelete" }]);
    await fixture.query("DELETE FROM host WHERE id = $1", [host.id]);
    expect((await answer).status).toBe(204);
  });

  it("refuses what Ironic refuses", async () => {
    const cleaning = await addHost(fixture, "WaitingForCleanup/HostCleanup");
    expect(await refused("DELETE", `/v1/nodes/${cleaning.id}`, undefined)).toEqual([
      409,
      expect.stringMatching(/provision state "cleaning"/),
    ]);
    const active = await addHost(fixture, "Assigned/Ready");
    await addInstance(fixture, active, (await addPerson(fixture, "tenant-admin", "acme")).tenantId, "i");
    expect(await refused("DELETE", `/v1/nodes/${active.id}`, undefined)).toEqual([
      409,
      expect.stringMatching(/associated with an instance/),
    ]);
    await fixture.query("UPDATE host SET protected = true WHERE id = $1", [active.id]);
    expect(await refused("DELETE", `/v1/nodes/${active.id}`, undefined)).toEqual([
      403,
      expect.stringMatching(/protected/),
    ]);
    const { token: operator } = await addPerson(fixture, "operator", null);
    const quiet = await addHost(fixture, "Enroll");
    expect((await send(fixture, "DELETE", `/v1/nodes/${quiet.id}`, { token: operator })).status).toBe(403);
  });
});
