// Nodes of the Ironic API over real HTTP: show, lists, fields, filters, pages, and the states by Ironic's names.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { State } from "@/server/domain/lifecycle/states";
import {
  send,
  startMachineServer,
  type Answer,
  type MachineFixture,
} from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  addInstance,
  addPerson,
  type TestHost,
} from "@/server/surfaces/machine/testing/machine-rows";
import { runStep, registered } from "@/server/surfaces/machine/testing/agent-session";

let fixture: MachineFixture;
let token: string;

/** Hosts are put into states that normally require a complete record, so the triggers are off. */
async function start(): Promise<MachineFixture> {
  const started = await startMachineServer();
  await started.query("ALTER TABLE host_run DISABLE TRIGGER USER");
  return started;
}

beforeAll(async () => {
  fixture = await start();
  ({ token } = await addPerson(fixture, "auditor", null));
});
afterAll(() => fixture.close());

const get = (path: string, minor = 112) =>
  send(fixture, "GET", path, { token, headers: { "x-openstack-ironic-api-version": `1.${minor}` } });
const faultOf = (answer: Answer): { faultstring: string } => JSON.parse(String(answer.body.error_message));
const inDatabase = async (host: TestHost): Promise<string> =>
  (await fixture.query<{ name: string }>("SELECT name FROM host WHERE id = $1", [host.id]))[0]?.name ?? "";
const nodes = (answer: Answer): Record<string, unknown>[] => {
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text).nodes;
};

describe("one node", () => {
  it("by UUID and by name, the name from 1.5 on", async () => {
    const host = await addHost(fixture, "Enroll");
    const name = await inDatabase(host);
    const node = await get(`/v1/nodes/${host.id}`);
    expect(node).toMatchObject({
      status: 200,
      body: {
        uuid: host.id,
        name,
        provision_state: "enroll",
        target_provision_state: null,
        maintenance: false,
        power_state: null,
        driver: "redfish",
        provision_updated_at: null,
        clean_step: {},
        properties: {},
        traits: [],
      },
    });
    expect(node.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
    expect(node.body.links).toEqual([
      { rel: "self", href: `http://reclaim.test/v1/nodes/${host.id}` },
      { rel: "bookmark", href: `http://reclaim.test/nodes/${host.id}` },
    ]);
    expect(node.headers.get("content-type")).toContain("application/json");
    for (const ident of [name, host.id.toUpperCase(), `${host.id}/`])
      expect((await get(`/v1/nodes/${ident}`)).body.uuid, ident).toBe(host.id);
    expect((await get(`/v1/nodes/${name}`, 5)).body.name).toBe(name);
    expect((await get(`/v1/nodes/${name}`, 4)).status).toBe(404);
    expect((await get(`/v1/nodes/${host.id}`, 4)).body).not.toHaveProperty("name");
    for (const ident of [randomUUID(), "no such node", "..%2f"]) {
      const missing = await get(`/v1/nodes/${ident}`);
      expect([missing.status, faultOf(missing)], ident).toMatchObject([404, { faultcode: "Client" }]);
    }
    // A NUL cannot be part of any name.
    const junk = await get("/v1/nodes/%00");
    expect([junk.status, faultOf(junk)]).toMatchObject([400, { faultcode: "Client" }]);
  });

  it("gives no secret away", async () => {
    const host = await addHost(fixture, "Enroll");
    await fixture.query(
      "INSERT INTO node_record (host_id, driver_info, properties, interfaces) VALUES ($1, $2, $3, $4)",
      [
        host.id,
        { redfish_system_id: "/redfish/v1/Systems/1" },
        { cpus: 8, name: 'a "quote"' },
        { power_interface: "redfish" },
      ],
    );
    const { body } = await get(`/v1/nodes/${host.id}`);
    expect(body).toMatchObject({
      driver_info: {
        redfish_username: "root",
        redfish_password: "******",
        redfish_system_id: "/redfish/v1/Systems/1",
      },
      properties: { cpus: 8, name: 'a "quote"' },
      power_interface: "redfish",
      boot_interface: "ipxe",
    });
  });

  it("has each field from its version on", async () => {
    const host = await addHost(fixture, "Ready");
    const names = async (minor: number) => Object.keys((await get(`/v1/nodes/${host.id}`, minor)).body);
    const first = await names(1);
    expect(first).toEqual(expect.arrayContaining(["uuid", "driver_info", "ports", "reservation"]));
    for (const name of ["driver_internal_info", "clean_step", "raid_config", "traits", "fault", "states"])
      expect(first).not.toContain(name);
    for (const [name, since] of [
      ["driver_internal_info", 3],
      ["clean_step", 7],
      ["resource_class", 21],
      ["traits", 37],
      ["fault", 42],
      ["conductor", 49],
      ["retired", 61],
      ["shard", 82],
      ["firmware_interface", 86],
      ["health", 109],
    ] as const) {
      expect(await names(since - 1), name).not.toContain(name);
      expect(await names(since), name).toContain(name);
    }
  });

  it("only those fields that are asked for", async () => {
    const host = await addHost(fixture, "Ready");
    expect((await get(`/v1/nodes/${host.id}?fields=uuid,last_error,uuid`)).body).toEqual({
      uuid: host.id,
      last_error: null,
    });
    for (const [fields, minor, status] of [
      ["uuid,colour", 112, 400],
      ["", 112, 400],
      ["traits", 36, 406],
      ["uuid", 7, 406],
    ] as const)
      expect((await get(`/v1/nodes/${host.id}?fields=${fields}`, minor)).status, fields).toBe(status);
    expect(faultOf(await get(`/v1/nodes/${host.id}?fields=uuid,colour`)).faultstring).toBe(
      'Field(s) "colour" are not valid.',
    );
  });
});

describe("states in Ironic's words", () => {
  const words = async (host: TestHost, minor = 112) => {
    const { body } = await get(`/v1/nodes/${host.id}`, minor);
    return [body.provision_state, body.target_provision_state];
  };

  it.each([
    ["Enroll", "enroll", null],
    ["Manageable", "manageable", null],
    ["Ready", "available", null],
    ["WaitingForCleanup/HostCleanup", "cleaning", "available"],
    ["BomValidating/BootingAgent", "clean wait", "available"],
    ["Failed/NVMECleanFailed", "clean failed", "manageable"],
  ] as const)("%s", async (state, word, target) =>
    expect(await words(await addHost(fixture, state))).toEqual([word, target]),
  );

  it("knows no available before 1.2", async () =>
    expect(await words(await addHost(fixture, "Ready"), 1)).toEqual([null, null]));

  it("shows an accepted verb at once", async () => {
    const host = await addHost(fixture, "Manageable");
    await fixture.query("INSERT INTO signal (host_id, kind, payload) VALUES ($1, 'provide', '{}')", [
      host.id,
    ]);
    expect(await words(host)).toEqual(["cleaning", "available"]);
    expect(nodes(await get("/v1/nodes?provision_state=manageable&fields=uuid"))).not.toContainEqual({
      uuid: host.id,
    });
    expect(nodes(await get("/v1/nodes?provision_state=cleaning&fields=uuid"))).toContainEqual({
      uuid: host.id,
    });
  });

  it("shows an instance, and its release", async () => {
    const host = await addHost(fixture, "Assigned/Ready");
    const { tenantId } = await addPerson(fixture, "tenant-admin", "acme");
    const instance = await addInstance(fixture, host, tenantId, "a");
    expect((await get(`/v1/nodes/${host.id}`)).body).toMatchObject({
      provision_state: "active",
      instance_uuid: instance,
    });
    expect(nodes(await get(`/v1/nodes/detail?instance_uuid=${instance}`))).toMatchObject([{ uuid: host.id }]);
    expect(nodes(await get("/v1/nodes?associated=True&fields=uuid"))).toEqual([{ uuid: host.id }]);
    await fixture.query("UPDATE instance SET release_requested_at = now() WHERE id = $1", [instance]);
    expect(await words(host)).toEqual(["deleting", "available"]);
    await fixture.query("UPDATE instance SET ended_at = now() WHERE id = $1", [instance]);
  });

  it("shows the plan, its running step and the agent's last word", async () => {
    const host = await addHost(fixture);
    await registered(fixture, host);
    await runStep(fixture, host);
    await fixture.query("UPDATE reclamation SET plan_epoch = 1 WHERE host_id = $1", [host.id]);
    const { body } = await get(`/v1/nodes/${host.id}`);
    const step = {
      interface: "deploy",
      step: "erase_nvme",
      priority: 90,
      abortable: false,
      requires_ramdisk: true,
      args: {},
    };
    expect(body).toMatchObject({
      provision_state: "clean wait",
      target_provision_state: "available",
      clean_step: step,
      driver_internal_info: {
        reclaim_standing: "notProven",
        clean_steps: [step],
        clean_step_index: 0,
        agent_version: "0.1.0",
      },
    });
    expect(body.driver_internal_info).toHaveProperty(
      "agent_last_heartbeat",
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/),
    );
  });

  it("shows power as it was read, and what was asked for at once", async () => {
    const host = await addHost(fixture, "Manageable");
    const power = async () =>
      Object.values((await get(`/v1/nodes/${host.id}?fields=power_state,target_power_state`)).body);
    await fixture.query("UPDATE host SET power_state = 'poweringOff' WHERE id = $1", [host.id]);
    expect(await power()).toEqual(["power off", null]);
    await fixture.query(
      "UPDATE host_run SET context = jsonb_set(context, '{power}', '{\"intent\": \"powerOn\"}') WHERE host_id = $1",
      [host.id],
    );
    expect(await power()).toEqual(["power off", "power on"]);
    await fixture.query(
      "INSERT INTO signal (host_id, kind, payload) VALUES ($1, 'reboot', '{}'), ($1, 'look', '{}')",
      [host.id],
    );
    expect(await power()).toEqual(["power off", "rebooting"]);
  });

  it("tells maintenance that a person set from that of a failure", async () => {
    const [person, failure, bmc] = await Promise.all(
      (["Manageable", "Failed/CleanFailed", "Failed/BmcUnreachable"] satisfies State[]).map((state) =>
        addHost(fixture, state),
      ),
    );
    for (const [host, by] of [
      [person, "person"],
      [failure, "failure"],
      [bmc, "failure"],
    ] as const)
      await fixture.query(
        "UPDATE host_run SET maintenance = true, maintenance_reason = 'because', maintenance_by = $2 WHERE host_id = $1",
        [host?.id, by],
      );
    for (const [host, fault] of [
      [person, null],
      [failure, "clean failure"],
      [bmc, "power failure"],
    ] as const)
      expect((await get(`/v1/nodes/${host?.id}`)).body).toMatchObject({
        maintenance: true,
        maintenance_reason: "because",
        fault,
      });
    expect(nodes(await get("/v1/nodes?fault=power%20failure&fields=uuid"))).toEqual([{ uuid: bmc?.id }]);
    expect(nodes(await get("/v1/nodes?maintenance=True"))).toHaveLength(3);
  });
});

describe("lists", () => {
  let hosts: TestHost[];
  let other: MachineFixture;

  beforeAll(async () => {
    other = fixture;
    fixture = await start();
    ({ token } = await addPerson(fixture, "operator", null));
    hosts = [];
    for (const state of [
      "Enroll",
      "Manageable",
      "Ready",
      "Ready",
      "Ready",
      "Failed/CleanFailed",
      "Manageable",
    ] satisfies State[])
      hosts.push(await addHost(fixture, state));
    // Two hosts enrolled in the same millisecond have no order.
    for (const [index, { id }] of hosts.entries())
      await fixture.query(
        "UPDATE host SET created_at = created_at + make_interval(secs => $2) WHERE id = $1",
        [id, index],
      );
    await fixture.query(
      "UPDATE host SET owner = 'ada', retired = true, resource_class = 'gpu', description = '100% blue' WHERE id = $1",
      [hosts[0]?.id],
    );
    await fixture.query("UPDATE host SET lessee = 'ada' WHERE id = $1", [hosts[1]?.id]);
    await fixture.query("UPDATE host SET power_state = 'on' WHERE id = ANY($1)", [
      [hosts[2]?.id, hosts[4]?.id],
    ]);
    await fixture.query(
      "INSERT INTO node_record (host_id, shard, conductor_group, parent_node, instance_name, chassis_uuid) VALUES ($1, 's1', 'Rack1', NULL, 'inst', $4), ($2, 's2', '', NULL, NULL, NULL), ($3, NULL, '', $1, NULL, NULL)",
      [hosts[0]?.id, hosts[1]?.id, hosts[6]?.id, hosts[5]?.id],
    );
  });
  afterAll(async () => {
    await fixture.close();
    fixture = other;
  });

  const found = async (query: string, minor = 112): Promise<number[]> =>
    nodes(await get(`/v1/nodes?${query}`, minor)).map(({ uuid }) => hosts.findIndex(({ id }) => id === uuid));
  const sorted = async (query: string): Promise<number[]> => (await found(query)).sort();

  it("holds all but children, in the order of enrolment, each with the fields of a list", async () => {
    expect(await found("")).toEqual([0, 1, 2, 3, 4, 5]);
    const [first] = nodes(await get("/v1/nodes"));
    expect(Object.keys(first ?? {}).sort()).toEqual([
      "instance_uuid",
      "links",
      "maintenance",
      "name",
      "power_state",
      "provision_state",
      "uuid",
    ]);
    expect(Object.keys(nodes(await get("/v1/nodes", 1))[0] ?? {})).not.toContain("name");
    const [detailed] = nodes(await get("/v1/nodes/detail"));
    expect(detailed).toEqual((await get(`/v1/nodes/${hosts[0]?.id}`)).body);
    expect(nodes(await get("/v1/nodes?detail=True"))[0]).toEqual(detailed);
    expect(Object.keys(nodes(await get("/v1/nodes/?fields=uuid,driver"))[0] ?? {})).toEqual([
      "uuid",
      "driver",
    ]);
  });

  it.each([
    ["provision_state=available", [2, 3, 4]],
    ["provision_state=clean%20failed", [5]],
    ["provision_state=inspecting", []],
    ["driver=redfish&provision_state=enroll", [0]],
    ["driver=ipmi", []],
    ["owner=ada", [0]],
    ["lessee=ada", [1]],
    ["project=ada", [0, 1]],
    ["retired=True", [0]],
    ["retired=no", [1, 2, 3, 4, 5]],
    ["resource_class=gpu", [0]],
    ["description_contains=0%25%20b", [0]],
    ["description_contains=_", []],
    ["shard=s1,s2", [0, 1]],
    ["sharded=false", [2, 3, 4, 5]],
    ["conductor_group=rack1", [0]],
    ["conductor_group=", [1, 2, 3, 4, 5]],
    ["instance_name=inst", [0]],
    ["include_children=True", [0, 1, 2, 3, 4, 5, 6]],
    ["associated=false", [0, 1, 2, 3, 4, 5]],
    ["conductor=nobody", []],
    ["fault=clean%20failure", []],
  ] as const)("filters by %s", async (query, wanted) => expect(await sorted(query)).toEqual(wanted));

  it("filters by parent and chassis", async () => {
    expect(await found(`parent_node=${hosts[0]?.id}`)).toEqual([6]);
    expect(await found(`chassis_uuid=${hosts[5]?.id}`)).toEqual([0]);
  });

  it.each([
    ["colour=red", 400],
    ["provision_state=CLEANFAIL", 400],
    ["fault=boredom", 400],
    ["associated=maybe", 400],
    ["instance_uuid=x", 400],
    ["limit=0", 400],
    ["limit=-1", 400],
    ["limit=many", 400],
    ["limit=1.5", 400],
    ["marker=x", 400],
    [`marker=${randomUUID()}`, 404],
    ["sort_key=colour", 400],
    ["sort_key=driver_info", 400],
    ["sort_dir=up", 400],
    ["detail=True&fields=uuid", 400],
    ["limit=1&limit=2", 400],
    ["owner=%00", 400],
  ] as const)("refuses %s", async (query, status) => {
    const answer = await get(`/v1/nodes?${query}`);
    expect([answer.status, faultOf(answer)]).toMatchObject([status, { faultcode: "Client" }]);
  });

  it.each([
    ["owner=x", 49],
    ["retired=True", 60],
    ["provision_state=enroll", 8],
    ["include_children=True", 82],
    ["detail=True", 42],
    ["sort_key=owner", 49],
  ] as const)("refuses %s in 1.%d", async (query, minor) => {
    expect((await get(`/v1/nodes?${query}`, minor)).status).toBe(406);
    expect((await get(`/v1/nodes?${query}`, minor + 1)).status).toBe(200);
  });

  it("takes no fields for the detailed list", async () =>
    expect((await get("/v1/nodes/detail?fields=uuid")).status).toBe(400));

  /** Follows `next` to the end and counts the pages. */
  const walk = async (path: string): Promise<{ uuids: unknown[]; pages: number }> => {
    const uuids: unknown[] = [];
    let pages = 0;
    for (let next: unknown = path; typeof next === "string" && pages < 20; pages += 1) {
      const answer = await get(next.replace("http://reclaim.test", ""));
      uuids.push(...nodes(answer).map(({ uuid }) => uuid));
      next = answer.body.next;
    }
    return { uuids, pages };
  };

  it("pages by an absolute address that keeps filters, fields and order", async () => {
    const first = await get(
      "/v1/nodes?limit=2&provision_state=available&fields=uuid,name&sort_key=name&sort_dir=desc",
    );
    const next = new URL(String(first.body.next));
    expect(next.origin + next.pathname).toBe("http://reclaim.test/v1/nodes");
    expect(Object.fromEntries(next.searchParams)).toEqual({
      limit: "2",
      provision_state: "available",
      fields: "uuid,name",
      sort_key: "name",
      sort_dir: "desc",
      marker: nodes(first)[1]?.uuid,
    });
    expect(nodes(await get(`${next.pathname}${next.search}`))).toHaveLength(1);
    expect((await get("/v1/nodes?limit=7")).body).not.toHaveProperty("next");
    expect((await get("/v1/nodes/detail?limit=1")).body.next).toContain("/v1/nodes/detail?");
  });

  it.each([
    "",
    "sort_key=uuid",
    "sort_key=provision_state",
    "sort_key=power_state",
    "sort_key=owner&sort_dir=desc",
    "sort_key=updated_at",
    "sort_key=maintenance&sort_dir=desc",
    "sort_key=health",
    "sort_key=shard",
    "sort_dir=desc",
  ])("pages through all, each once: %s", async (order) => {
    const { uuids, pages } = await walk(`/v1/nodes?limit=2&${order}`);
    expect(pages).toBe(4); // the page after a full last page is empty, as in Ironic
    expect(new Set(uuids).size).toBe(6);
    expect(uuids).toEqual(nodes(await get(`/v1/nodes?${order}`)).map(({ uuid }) => uuid));
  });

  it("pages over rows that an accepted verb takes out of the filter", async () => {
    await fixture.query(
      "INSERT INTO signal (host_id, kind, payload) SELECT id, 'manage', '{}' FROM host WHERE id = ANY($1)",
      [[hosts[2]?.id, hosts[3]?.id]],
    );
    expect(await found("provision_state=available&limit=1")).toEqual([4]);
    expect(await sorted("provision_state=manageable")).toEqual([1, 2, 3]);
    await fixture.query("DELETE FROM signal");
  });
});
