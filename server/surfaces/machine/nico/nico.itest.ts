// NICo's API over real HTTP: every answer is checked against the published contract, and what each role may and may not do.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addAskers,
  addHeld,
  expectErrorOf,
  getOf,
  removeOf,
} from "@/server/surfaces/machine/nico/testing/asking";
import { loadContract } from "@/server/surfaces/machine/nico/testing/contract";
import { inTransaction } from "@/server/db/transaction";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send, type Answer } from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  addPerson,
  auditCount,
  fingerprint,
  type TestHost,
  type TestPerson,
} from "@/server/surfaces/machine/testing/machine-rows";
import { inventoryOf } from "@/server/surfaces/machine/testing/agent-session";

const contract = loadContract();
const fixture = machineServer();
let acme: TestPerson;
let globex: TestPerson;
let repair: TestPerson;
let operator: TestPerson;
let auditor: TestPerson;
beforeAll(async () => {
  ({ acme, globex, repair, operator, auditor } = await addAskers(fixture));
});

const get = getOf(fixture);
const remove = removeOf(fixture);
const held = (who = acme, name?: string) => addHeld(fixture, who, name);
const expectError = expectErrorOf(contract);
const list = (answer: Answer): Record<string, unknown>[] => JSON.parse(answer.text);
const paging = (answer: Answer): unknown => JSON.parse(answer.headers.get("x-pagination") ?? "null");

describe("instances", () => {
  it("are listed by page, newest first, as the contract says", async () => {
    const lister = await addPerson(fixture, "tenant-admin", "pages");
    const made = [];
    for (const name of ["one", "two", "three"]) made.push(await held(lister, name));
    const first = await get(lister, "instance?pageSize=2");
    expect(first.status).toBe(200);
    expect(contract.problems("Instance", list(first))).toEqual([]);
    expect(list(first).map((row) => row.name)).toEqual(["three", "two"]);
    expect(paging(first)).toEqual({ pageNumber: 1, pageSize: 2, total: 3, orderBy: "CREATED_DESC" });
    const second = await get(lister, "instance?pageSize=2&pageNumber=2&orderBy=NAME_ASC");
    expect(list(second).map((row) => row.name)).toEqual(["two"]);
    expect(paging(second)).toEqual({ pageNumber: 2, pageSize: 2, total: 3, orderBy: "NAME_ASC" });
    expect(list(first)[0]).toMatchObject({
      id: made[2]?.id,
      tenantId: lister.tenantId,
      siteId: fixture.siteId,
      machineId: made[2]?.host.id,
      status: "Ready",
      labels: { env: "test" },
    });
    expect(list(first)[0]?.statusHistory).toMatchObject([
      { status: "Ready", message: "b" },
      { status: "Provisioning", message: "a" },
    ]);
  });

  it("are filtered by each parameter, and by status as projected", async () => {
    const lister = await addPerson(fixture, "tenant-admin", "filters");
    const [first, second] = [await held(lister, "alpha"), await held(lister, "beta_x")];
    await remove(lister, second.id);
    const names = async (query: string) =>
      list(await get(lister, `instance?orderBy=NAME_ASC&${query}`)).map((row) => row.name);
    expect(await names("")).toEqual(["alpha", "beta_x"]);
    expect(await names("status=Ready")).toEqual(["alpha"]);
    expect(await names("status=Terminating&status=Ready")).toEqual(["alpha", "beta_x"]);
    expect(await names("status=Terminated")).toEqual([]);
    expect(await names("status=Terminated&status=Ready")).toEqual(["alpha"]);
    expect(await names("name=alpha")).toEqual(["alpha"]);
    expect(await names(`machineId=${first.host.id}`)).toEqual(["alpha"]);
    expect(await names(`siteId=${fixture.siteId}`)).toEqual(["alpha", "beta_x"]);
    expect(await names(`siteId=${randomUUID()}`)).toEqual([]);
    expect(await names("query=ALP")).toEqual(["alpha"]);
    expect(await names("query=a_x")).toEqual(["beta_x"]);
    expect(await names(`vpcId=${randomUUID()}`)).toEqual([]);
  });

  it("take every parameter of the contract and every order, and no other", async () => {
    const known = contract.queryParameters("/v2/org/{org}/nico/instance");
    expect(known).toContain("networkSecurityGroupId");
    const values: Record<string, string> = {
      pageNumber: "1",
      pageSize: "5",
      orderBy: "HAS_INFINIBAND_DESC",
      status: "Ready",
      includeRelation: "Site",
    };
    for (const name of known)
      expect((await get(acme, `instance?${name}=${values[name] ?? randomUUID()}`)).status, name).toBe(200);
    for (const order of [
      "TENANT_ORG_DISPLAY_NAME_ASC",
      "INSTANCE_TYPE_NAME_ASC",
      "UPDATED_DESC",
      "STATUS_ASC",
      "MACHINE_ID_DESC",
    ])
      expect((await get(acme, `instance?orderBy=${order}`)).status, order).toBe(200);
    expectError(await get(acme, "instance?colour=red"), 400, /Unknown query parameter.*colour/);
    expectError(await get(acme, "instance?pageSize=101"), 400, /pagination/);
    expect((await get(acme, "instance?pageSize=101")).body.data).toEqual({
      pageSize: "must be less that or equal to: 100",
    });
    for (const wrong of [
      "pageNumber=0",
      "pageNumber=x",
      "pageSize=0",
      "orderBy=created_asc",
      "pageNumber=1&pageNumber=2",
    ])
      expectError(await get(acme, `instance?${wrong}`), 400, /pagination/);
    for (const wrong of ["siteId=1", "status=Happy", "includeRelation=Nothing"])
      expectError(await get(acme, `instance?${wrong}`), 400, /^Invalid /);
  });

  it("stay their tenant's to see where the record of their host is gone, and are not given back", async () => {
    const lister = await addPerson(fixture, "tenant-admin", "gone-host");
    const { host, id } = await held(lister, "orphan");
    await fixture.query("DELETE FROM host WHERE id = $1", [host.id]);
    const all = await get(lister, "instance");
    expect(paging(all)).toMatchObject({ total: 1 });
    const one = await get(lister, `instance/${id}`);
    for (const row of [...list(all), one.body]) {
      expect(contract.problems("Instance", row)).toEqual([]);
      expect(row).toMatchObject({ id, name: "orphan", status: "Terminating", machineId: null });
    }
    expect(list(await get(lister, "instance?status=Terminating"))).toHaveLength(1);
    expect(list(await get(lister, `instance?siteId=${fixture.siteId}`))).toEqual([]);
    expectError(await remove(lister, id), 409, /host no longer exists/);
    expectError(await remove(globex, id), 404, "Could not find Instance with specified ID");
    expectError(await remove(acme, id), 404, "Could not find Instance with specified ID");
  });

  it("are read one by one", async () => {
    const { id } = await held();
    const answer = await get(acme, `instance/${id}`);
    expect(answer.status).toBe(200);
    expect(contract.problems("Instance", answer.body)).toEqual([]);
    expectError(await get(acme, "instance/abc"), 400, "Invalid Instance ID in URL");
    expectError(
      await get(acme, `instance/${randomUUID()}`),
      404,
      "Could not find Instance with specified ID",
    );
    expectError(await get(acme, `instance/${id}?colour=red`), 400, /Unknown query parameter/);
  });
});

describe("a release", () => {
  it("is accepted, recorded, told to the host; asked twice it is one", async () => {
    const { host, id } = await held();
    const answer = await remove(acme, id);
    expect(answer).toMatchObject({ status: 202, text: "Deletion request was accepted" });
    expect((await remove(acme, id)).status).toBe(202);
    expect(
      await fixture.query("SELECT kind, payload->>'instanceId' AS instance FROM signal WHERE host_id = $1", [
        host.id,
      ]),
    ).toEqual([{ kind: "release", instance: id }]);
    expect((await get(acme, `instance/${id}`)).body.status).toBe("Terminating");
    const history = await get(acme, `instance/${id}/status-history`);
    expect(contract.problems("StatusDetail", list(history))).toEqual([]);
    expect(list(history).map((line) => line.status)).toEqual(["Terminating", "Ready", "Provisioning"]);
    expect(paging(history)).toEqual({ pageNumber: 1, pageSize: 20, total: 3, orderBy: "CREATED_DESC" });
    expect(
      list(await get(acme, `instance/${id}/status-history?orderBy=CREATED_ASC&pageSize=1`)).map(
        (line) => line.status,
      ),
    ).toEqual(["Provisioning"]);
  });

  it("takes a body that says nothing", async () => {
    for (const body of [
      {},
      { isRepairTenant: false },
      { isRepairTenant: null, machineHealthIssue: null },
      "",
    ])
      expect((await remove(acme, (await held()).id, body)).status).toBe(202);
  });

  it("is refused for a wrong body, and changes nothing", async () => {
    const { id } = await held();
    const before = await fingerprint(fixture);
    for (const body of ["{", "[]", "3", '{"isRepairTenant":'])
      expectError(
        await remove(acme, id, body),
        400,
        "Failed to parse request data, potentially invalid structure",
      );
    const invalid = await remove(acme, id, {
      machineHealthIssue: { category: "Weather" },
      isRepairTenant: "yes",
    });
    expectError(invalid, 400, "Error validating Instance deletion request data");
    expect(Object.keys(Object(invalid.body.data)).sort()).toEqual([
      "isRepairTenant",
      "machineHealthIssue.category",
      "machineHealthIssue.summary",
    ]);
    expectError(
      await remove(acme, id, { isRepairTenant: true }),
      403,
      "Tenant does not have capability to set IsRepairTenant",
    );
    for (const [field, issue] of [
      ["category", { category: "Paint", summary: "x" }],
      ["summary", { category: "Network", summary: "x".repeat(1025) }],
      ["details", { category: "Network", summary: "x", details: "y".repeat(8193) }],
    ] as const)
      expect(Object.keys(Object((await remove(acme, id, { machineHealthIssue: issue })).body.data))).toEqual([
        `machineHealthIssue.${field}`,
      ]);
    expectError(await remove(acme, id, `"${"x".repeat(1024 * 1024)}"`), 413, /larger/);
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("checks in NICo's order: who asks, the id, the instance, the body", async () => {
    const { id } = await held();
    expectError(await send(fixture, "DELETE", `/v2/org/acme/nico/instance/abc`, { body: "{" }), 401, /token/);
    expectError(
      await remove(acme, "abc", "{", "globex"),
      403,
      "Failed to validate membership for org: globex",
    );
    expectError(
      await remove(auditor, "abc", "{", "acme"),
      403,
      "User does not have Tenant Admin role with org",
    );
    expectError(await remove(acme, "abc", "{"), 400, "Invalid Instance ID in URL");
    expectError(await remove(acme, randomUUID(), "{"), 404, "Could not find Instance with specified ID");
    expectError(await remove(acme, id, "{"), 400, /Failed to parse/);
  });

  it("of another tenant's instance is answered like one of an instance that does not exist", async () => {
    const { id } = await held();
    const before = await fingerprint(fixture);
    for (const ask of [
      (target: string) => get(globex, `instance/${target}`),
      (target: string) => remove(globex, target),
      (target: string) => get(globex, `instance/${target}/status-history`),
    ]) {
      const [foreign, none] = [await ask(id), await ask(randomUUID())];
      expectError(foreign, 404, "Could not find Instance with specified ID");
      expect(foreign.text).toBe(none.text);
    }
    expect(list(await get(globex, "instance"))).toEqual([]);
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("may be asked by an operator under the tenant's org, and by no auditor", async () => {
    const { id } = await held();
    expectError(
      await remove(operator, id, undefined, "globex"),
      403,
      "Org specified in request does not match Org of Tenant associated with Instance",
    );
    const refusals = await auditCount(fixture, "instance.release");
    expectError(await remove(auditor, id, undefined, "acme"), 403, /Tenant Admin/);
    expect(await auditCount(fixture, "instance.release")).toBe(refusals);
    expect((await get(auditor, `instance/${id}`, "acme")).status).toBe(200);
    expect((await remove(operator, id, undefined, "acme")).status).toBe(202);
  });
});

describe("an ended instance", () => {
  it("is gone; its history stays", async () => {
    const { id } = await held();
    await fixture.query("UPDATE instance SET ended_at = now() WHERE id = $1", [id]);
    expectError(await get(acme, `instance/${id}`), 404, "Could not find Instance with specified ID");
    expectError(await remove(acme, id), 404, "Could not find Instance with specified ID");
    expect(list(await get(acme, "instance?pageSize=100")).map((row) => row.id)).not.toContain(id);
    expect(list(await get(acme, `instance/${id}/status-history`)).map((line) => line.status)).toEqual([
      "Ready",
      "Provisioning",
    ]);
  });
});

describe("machines", () => {
  async function described(): Promise<TestHost> {
    const host = await addHost(fixture, "WaitingForCleanup/HostCleanup");
    await fixture.query("INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'agent', $2)", [
      host.id,
      inventoryOf(host),
    ]);
    await fixture.query(
      "INSERT INTO state_history (host_id, version, state, generation) VALUES ($1, 1, 'Assigned/Ready', 1), ($1, 2, 'WaitingForCleanup/Queued', 2), ($1, 3, 'WaitingForCleanup/HostCleanup', 3)",
      [host.id],
    );
    return host;
  }

  it("show the provider which state of NICo's a running step stands for, and nothing for a step without one", async () => {
    const host = await described();
    const [reclamation] = await fixture.query<{ id: string }>(
      "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) VALUES (gen_random_uuid(), $1, $2, 'onboarding', 1, '{}') RETURNING id",
      [host.id, host.serial],
    );
    await fixture.query("UPDATE host_run SET reclamation_id = $2 WHERE host_id = $1", [
      host.id,
      reclamation?.id,
    ]);
    await fixture.query(
      `INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts)
       VALUES (gen_random_uuid(), $2, $1, 1, 1, 'management', 'restore_boot_order', 'controller', 44, 'default', '{}', 'running', 1, 5)`,
      [host.id, reclamation?.id],
    );
    const history = async () => (await get(operator, `machine/${host.id}`)).body.statusHistory;
    const waits = "Machine is waiting for cleanup";
    expect(await history()).toMatchObject([
      { status: "Reset", message: `${waits}: HostPlatformConfiguration/SetBootOrder` },
      { status: "InUse" },
    ]);
    await fixture.query("UPDATE step_run SET step = 'clear_tpm' WHERE host_id = $1", [host.id]);
    expect(await history()).toMatchObject([{ message: waits }, {}]);
  });

  it("are read by the provider's people, whole", async () => {
    const host = await described();
    const answer = await get(operator, `machine/${host.id}?includeMetadata=true`);
    expect(answer.status).toBe(200);
    expect(contract.problems("Machine", answer.body)).toEqual([]);
    expect(answer.body).toMatchObject({
      id: host.id,
      status: "Reset",
      isUsableByTenant: false,
      serialNumber: host.serial,
      vendor: "Dell Inc.",
      productName: "PowerEdge R750",
      instanceId: null,
      metadata: { dmiData: { chassisSerial: host.serial, biosVersion: "1.9.2" } },
      machineCapabilities: [
        { type: "CPU", name: "Xeon Gold 6354", cores: 18, count: 2 },
        { type: "Memory", capacity: "256GB" },
        { type: "Storage", name: "PM9A3", capacity: "1.92TB", count: 1 },
        { type: "Network", name: "BCM5720", count: 1 },
      ],
    });
    expect(answer.body.statusHistory).toMatchObject([{ status: "Reset" }, { status: "InUse" }]);
    expect((await get(auditor, `machine/${host.id}`)).status).toBe(200);
    expect((await get(operator, `machine/${host.id}`)).body.metadata).toBeUndefined();
  });

  it("have GPUs with memory, serial number and address", async () => {
    const host = await described();
    const found = [
      { kind: "gpu", slot: "0000:17:00.0", model: "NVIDIA H100", serial: "G1", memoryBytes: "85520809984" },
    ];
    await fixture.query(
      `UPDATE host_inventory SET body = body || jsonb_build_object('parts', $2::jsonb) WHERE host_id = $1 AND source = 'agent'`,
      [host.id, JSON.stringify({ told: ["gpu"], untold: [], found })],
    );
    const { body } = await get(operator, `machine/${host.id}?includeMetadata=true`);
    expect(contract.problems("Machine", body)).toEqual([]);
    expect(body).toMatchObject({
      machineCapabilities: expect.arrayContaining([
        expect.objectContaining({ type: "GPU", name: "NVIDIA H100", capacity: "81559 MiB", count: 1 }),
      ]),
      metadata: {
        gpus: [
          ...[{ serial: "G1", totalMemory: "81559 MiB", pciBusId: "0000:17:00.0", driverVersion: null }],
        ],
      },
    });
  });

  it("have the board's serial number, DPUs by their parts and one interface for each port, to the provider", async () => {
    const host = await described();
    await fixture.query(
      `UPDATE host_inventory SET body = jsonb_set(body, '{system,boardSerial}', '"CNIVC0014M0388"') || jsonb_build_object('parts', $2::jsonb)
       WHERE host_id = $1 AND source = 'agent'`,
      [
        host.id,
        JSON.stringify({
          told: ["dpu"],
          untold: [],
          found: [{ kind: "dpu", slot: "0000:41:00.0", model: "BlueField-3" }],
        }),
      ],
    );
    await fixture.query(
      "INSERT INTO node_port (id, host_id, address) VALUES (gen_random_uuid(), $1, '02:00:00:00:aa:01') ON CONFLICT DO NOTHING",
      [host.id],
    );
    await fixture.query(
      `UPDATE host_inventory SET body = jsonb_set(body, '{nics}', '[{"name": "eth0", "mac": "02:00:00:00:aa:01", "addresses": ["10.1.0.7"]}]')
       WHERE host_id = $1 AND source = 'agent'`,
      [host.id],
    );
    const { body } = await get(operator, `machine/${host.id}?includeMetadata=true`);
    expect(contract.problems("Machine", body)).toEqual([]);
    expect(body).toMatchObject({
      metadata: { dmiData: { boardSerial: "CNIVC0014M0388" }, gpus: [], infinibandInterfaces: [] },
      machineCapabilities: expect.arrayContaining([{ type: "DPU", name: "BlueField-3", count: 1 }]),
      machineInterfaces: expect.arrayContaining([
        expect.objectContaining({
          ...{ machineId: host.id, macAddress: "02:00:00:00:aa:01", ipAddresses: ["10.1.0.7"] },
        }),
      ]),
    });
  });

  it("show what is in them when a newer version stored it, without what only that one knows", async () => {
    const host = await described();
    await fixture.query(
      `UPDATE host_inventory SET body = body || '{"enclosures": []}' WHERE host_id = $1 AND source = 'agent'`,
      [host.id],
    );
    const { body } = await get(operator, `machine/${host.id}`);
    expect(contract.problems("Machine", body)).toEqual([]);
    expect(body.machineCapabilities).toHaveLength(4);
  });

  it("show a tenant its own use and nothing of anybody else's", async () => {
    const host = await described();
    await fixture.query(
      "UPDATE state_history SET at = now() - interval '1 day' WHERE host_id = $1 AND version < 3",
      [host.id],
    );
    const instance = randomUUID();
    await fixture.query(
      "INSERT INTO instance (id, name, tenant_id, host_id, created_at) VALUES ($1, 'mine', $2, $3, now() - interval '1 hour')",
      [instance, acme.tenantId, host.id],
    );
    const own = await get(acme, `machine/${host.id}`);
    expect(own.body).toMatchObject({ instanceId: instance, statusHistory: [{ status: "Reset" }] });
    expect((await get(globex, `machine/${host.id}`)).status).toBe(404);
    const [other] = list(await get(repair, `machine?id=${host.id}`));
    expect(other).toMatchObject({
      instanceId: null,
      tenantId: null,
      statusHistory: [],
      updated: other?.created,
    });
    expect(list(await get(operator, `machine?id=${host.id}`))[0]?.statusHistory).toHaveLength(2);
  });

  it("are listed, filtered by projected status, and paged", async () => {
    const host = await described();
    const all = await get(operator, "machine?pageSize=100&orderBy=ID_ASC");
    expect(contract.problems("Machine", list(all))).toEqual([]);
    expect(paging(all)).toMatchObject({ total: list(all).length });
    const ids = list(all).map((row) => String(row.id));
    expect(ids).toEqual([...ids].sort());
    expect(
      new Set(list(await get(operator, "machine?status=Reset&pageSize=100")).map((row) => row.status)),
    ).toEqual(new Set(["Reset"]));
    expect(list(await get(operator, `machine?id=${host.id}`)).map((row) => row.id)).toEqual([host.id]);
    expect(
      list(await get(operator, `machine?siteId=${fixture.siteId}&hasInstance=true&pageSize=100`)).every(
        (row) => row.instanceId !== null,
      ),
    ).toBe(true);
    expect(
      list(await get(operator, `machine?tenantId=${acme.tenantId ?? ""}&pageSize=100`)).every(
        (row) => row.tenantId === acme.tenantId,
      ),
    ).toBe(true);
    await fixture.query(
      "UPDATE host_run SET maintenance = true, maintenance_reason = 'fans' WHERE host_id = $1",
      [host.id],
    );
    expect((await get(operator, `machine/${host.id}`)).body).toMatchObject({
      status: "Maintenance",
      maintenanceMessage: "fans",
    });
  });

  it("take every parameter of the contract, and no other", async () => {
    const values: Record<string, string> = {
      pageNumber: "1",
      pageSize: "5",
      orderBy: "UPDATED_ASC",
      status: "Ready",
      includeRelation: "Site",
      hasInstanceType: "true",
      isMissingOnSite: "false",
      includeMetadata: "true",
      capabilityType: "CPU",
      hasInstance: `true&siteId=${fixture.siteId}`,
    };
    for (const name of contract.queryParameters("/v2/org/{org}/nico/machine"))
      expect((await get(operator, `machine?${name}=${values[name] ?? randomUUID()}`)).status, name).toBe(200);
    for (const wrong of [
      "colour=red",
      "hasInstance=true",
      "status=Happy",
      "isMissingOnSite=maybe",
      "siteId=1",
      "orderBy=NAME_ASC",
    ])
      expect((await get(operator, `machine?${wrong}`)).status, wrong).toBe(400);
    expectError(await get(operator, "machine/abc"), 404, "Could not find Machine specified in URL");
    expectError(
      await get(operator, `machine/${randomUUID()}`),
      404,
      "Could not find Machine specified in URL",
    );
  });

  it("are hidden from a tenant but for its own, and without what is the provider's", async () => {
    const { host } = await held();
    const other = await described();
    expectError(
      await get(acme, "machine"),
      403,
      "Tenant does not have targeted Instance creation capability enabled",
    );
    const own = await get(acme, `machine/${host.id}`);
    expect(own.status).toBe(200);
    expect(own.text).not.toContain(host.serial);
    expect(own.body.tenantId).toBe(acme.tenantId);
    expectError(await get(acme, `machine/${other.id}`), 404, "Could not find Machine specified in URL");
    expectError(await get(globex, `machine/${host.id}`), 404, "Could not find Machine specified in URL");
    expectError(await get(acme, `machine/${host.id}?includeMetadata=true`), 403, /Provider/);
  });

  it("have the aggregate health for the provider, and for the tenant of the host what it is told", async () => {
    const { host } = await held();
    const unreported = (await get(operator, `machine/${host.id}`)).body;
    expect(contract.problems("Machine", unreported)).toEqual([]);
    expect(unreported.health).toMatchObject({
      observedAt: null,
      successes: [],
      alerts: [{ id: "SanitizationStanding", target: "notChecked", classifications: [] }],
    });
    expect((await get(acme, `machine/${host.id}`)).text).not.toContain("SanitizationStanding");
    const alert = {
      id: "FanFailed",
      target: "fan 1",
      inAlertSince: "2026-11-01T12:00:00.000Z",
      message: "the same as in rack 7",
      tenantMessage: "Your host may run slower",
      classifications: ["Hardware"],
    };
    const report = {
      kind: "set" as const,
      source: "monitor",
      mode: "merge" as const,
      report: {
        observedAt: null,
        successes: [
          { id: "Power", target: null },
          { id: "SanitizationStanding", target: "proven" },
        ],
        alerts: [alert],
      },
      heartbeatSeconds: null,
    };
    const by = { name: "source monitor", reason: null };
    await inTransaction(fixture.database, (tx) => writeReports(tx, host.id, [report], by));
    const { body } = await get(operator, `machine/${host.id}`);
    expect(contract.problems("Machine", body)).toEqual([]);
    expect(body.health).toMatchObject({
      source: "aggregate-host-health",
      successes: [{ id: "Power" }],
      alerts: [alert, { id: "SanitizationStanding", target: "notChecked" }],
    });
    const told = (await get(acme, `machine/${host.id}`)).body.health;
    expect(told).toMatchObject({ successes: [], alerts: [{ message: "Your host may run slower" }] });
    expect(JSON.stringify(told)).not.toMatch(/FanFailed|rack 7|monitor|Hardware/);
    expect(list(await get(repair, `machine?id=${host.id}`))[0]?.health).toEqual({
      ...{ source: "aggregate-host-health", observedAt: null, successes: [], alerts: [] },
    });
  });

  it("are a summary for a privileged repair tenant: never whose they are", async () => {
    const { host, id } = await held();
    const answer = await get(repair, `machine?id=${host.id}`);
    expect(contract.problems("Machine", list(answer))).toEqual([]);
    expect(list(answer)[0]).toMatchObject({ id: host.id, status: "InUse", instanceId: null, tenantId: null });
    for (const secret of [id, host.serial, String(acme.tenantId)]) expect(answer.text).not.toContain(secret);
    expect(list(await get(repair, `machine?tenantId=${acme.tenantId ?? ""}`))).toEqual([]);
  });
});

describe("the rest of that API", () => {
  it.each(["vpc", "subnet", "instance/batch/x/y", "machine/gpu/stats/x"])(
    "%s: 404, in NICo's form, saying so",
    async (path) => {
      expectError(await get(acme, path), 404, /not a part of NICo's API that Reclaim serves/);
    },
  );

  it("refuses an unknown or expired token", async () => {
    const expired = await addPerson(fixture, "tenant-admin", "acme");
    await fixture.query("UPDATE api_token SET expires_at = now() - interval '1 s' WHERE person_id = $1", [
      expired.personId,
    ]);
    expectError(await get(expired, "instance"), 401, /token/);
    expectError(await get({ ...acme, token: "rcl_nobody-knows-this-token" }, "instance"), 401, /token/);
    expectError(await send(fixture, "GET", "/v2/org/acme/nico/instance"), 401, /token/);
  });
});
