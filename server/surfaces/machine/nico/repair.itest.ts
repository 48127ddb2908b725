// Repair over NICo's API: labels of a host, an issue with a release, and every row of what a repair tenant's release does.
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
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send } from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  addInstance,
  fingerprint,
  type TestHost,
  type TestPerson,
} from "@/server/surfaces/machine/testing/machine-rows";

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
const held = () => addHeld(fixture, acme);
const expectError = expectErrorOf(contract);

describe("labels of a machine", () => {
  const patch = (who: TestPerson, id: string, body: unknown, org = who.org) =>
    send(fixture, "PATCH", `/v2/org/${org}/nico/machine/${id}`, { token: who.token, body });
  const labelsOf = async (who: TestPerson, id: string) =>
    Object((await get(who, `machine/${id}`)).body.labels);

  it("are replaced as a whole, by the provider's people and by a privileged tenant, and logged", async () => {
    const host = await addHost(fixture, "Manageable");
    const answer = await patch(operator, host.id, { labels: { owner: "row 7", spare: "" } });
    expect(answer.status).toBe(200);
    expect(contract.problems("Machine", answer.body)).toEqual([]);
    expect(answer.body.labels).toMatchObject({ owner: "row 7", spare: "", ServerName: expect.any(String) });
    const read = await labelsOf(repair, host.id);
    expect(read).toEqual(answer.body.labels);
    // What was read is sent back with one more label. Name and rack do not become labels.
    const again = await patch(repair, host.id, { labels: { ...read, repair_status: "InProgress" } });
    expect(again.status).toBe(200);
    expect(await fixture.query("SELECT labels FROM host WHERE id = $1", [host.id])).toEqual([
      { labels: { owner: "row 7", spare: "", repair_status: "InProgress" } },
    ]);
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, "v"]));
    expect((await patch(repair, host.id, { labels: ten })).body.labels).toEqual(ten);
    expect((await patch(repair, host.id, { labels: {} })).status).toBe(200);
    expect(await fixture.query("SELECT labels FROM host WHERE id = $1", [host.id])).toEqual([{ labels: {} }]);
    const logged = await fixture.query(
      `SELECT count(*)::int AS changes, bool_and(tenant_id IS NULL) AS "theProviders", bool_or(after -> 'labels' = '["owner=row 7", "spare="]') AS whole
       FROM audit_event WHERE action = 'host.setLabels' AND target_id = $1`,
      [host.id],
    );
    expect(logged).toEqual([{ changes: 4, theProviders: true, whole: true }]);
  });

  it("are the one kind of change of a request, within NICo's limits", async () => {
    const host = await addHost(fixture, "Manageable");
    const before = await fingerprint(fixture);
    const said = async (body: unknown) => (await patch(repair, host.id, body)).body.data;
    const kinds = "setMaintenanceMode, instanceTypeId, clearInstanceType, labels, or onlineRepair";
    expectError(await patch(repair, host.id, {}), 400, "Error validating Machine update request data");
    expectError(
      await patch(repair, host.id, "{"),
      400,
      "Failed to parse request data, potentially invalid structure",
    );
    expect(await said({})).toEqual({
      __all__: `no updates specified. At least one of ${kinds} must be specified`,
    });
    expect(await said({ labels: {}, clearInstanceType: true })).toEqual({
      __all__: `only one of ${kinds} can be set at a time`,
    });
    expect(await said({ labels: { " ": "x" } })).toEqual({ labels: "label key consists only of whitespace" });
    expect(await said({ labels: { k: "v".repeat(256) } })).toEqual({
      labels: "label value cannot exceed a maximum of 255 characters",
    });
    expectError(
      await patch(repair, host.id, { clearInstanceType: true }),
      501,
      /does not take clearInstanceType/,
    );
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("are neither read nor changed by who has no part in the host", async () => {
    const { host, id } = await held();
    await fixture.query('UPDATE host SET labels = \'{"note":"acme asked"}\' WHERE id = $1', [host.id]);
    const before = await fingerprint(fixture);
    expectError(
      await patch(acme, host.id, { labels: {} }),
      403,
      "Tenant does not have targeted Instance creation capability enabled",
    );
    expectError(await patch(repair, host.id, { labels: {} }), 409, /in use by another tenant/);
    expectError(await patch(auditor, host.id, { labels: {} }, "acme"), 403, /may not/);
    expectError(
      await patch(repair, randomUUID(), { labels: {} }),
      404,
      "Could not find Machine specified in URL",
    );
    for (const who of [acme, repair])
      expect(JSON.stringify(await labelsOf(who, host.id))).not.toContain("note");
    expect(await labelsOf(operator, host.id)).toMatchObject({ note: "acme asked" });
    expect(await fingerprint(fixture)).toBe(before);
    // After the release: the provider's own labels of the host are readable, and the instance's labels are not.
    await fixture.query("UPDATE instance SET ended_at = now() WHERE id = $1", [id]);
    const labels = await labelsOf(repair, host.id);
    expect(labels).toMatchObject({ note: "acme asked" });
    expect(labels).not.toHaveProperty("env");
  });
});

describe("a release with an issue", () => {
  const issue = { category: "Network", summary: "port 2 is down", details: "since Monday" };
  /** By source, the summary of its report. */
  const reports = async ({ id }: TestHost) =>
    Object.fromEntries(
      (
        await fixture.query(
          "SELECT source, body #>> '{alerts,0,message}' AS message FROM health_report WHERE host_id = $1",
          [id],
        )
      ).map(({ source, message }) => [source, JSON.parse(String(message)).summary]),
    );
  const acts = async ({ id }: TestHost) =>
    (
      await fixture.query("SELECT health ->> 'classifications' AS acts FROM host_run WHERE host_id = $1", [
        id,
      ])
    )[0]?.acts ?? "";

  it("keeps the machine from everybody, asks for its repair where the site does, and names nobody", async () => {
    const { host, id } = await held();
    expect((await remove(acme, id, { machineHealthIssue: issue })).status).toBe(202);
    expect(await reports(host)).toEqual({ "tenant-reported-issue": "port 2 is down" });
    expect(await acts(host)).toContain("PreventAllocations");
    const policy = "UPDATE site_policy SET body = jsonb_set(body, '{autoRepair}', $1::jsonb)";
    await fixture.query(policy, ["true"]);
    const second = await held();
    expect((await remove(acme, second.id, { machineHealthIssue: issue })).status).toBe(202);
    await fixture.query(policy, ["false"]);
    expect(await reports(second.host)).toEqual({
      "tenant-reported-issue": "port 2 is down",
      "repair-request": "port 2 is down",
    });
    const [stored] = await fixture.query("SELECT body::text AS text FROM health_report WHERE host_id = $1", [
      host.id,
    ]);
    for (const name of ["acme", String(acme.tenantId), id]) expect(String(stored?.text)).not.toContain(name);
    // The repair tenant reads what is wrong, but not who reported it; another tenant reads nothing.
    const seen = await get(repair, `machine/${host.id}`);
    expect(contract.problems("Machine", seen.body)).toEqual([]);
    expect(seen.body.health).toMatchObject({
      alerts: [{ id: "TenantReportedIssue", message: expect.stringContaining("port 2 is down") }],
    });
    for (const name of ["acme", String(acme.tenantId), id]) expect(seen.text).not.toContain(name);
    expect((await get(globex, `machine/${host.id}`)).status).toBe(404);
  });

  it("counts, too, when the release was asked for before", async () => {
    const { host, id } = await held();
    await remove(acme, id);
    expect((await remove(acme, id, { machineHealthIssue: issue })).status).toBe(202);
    expect(await reports(host)).toEqual({ "tenant-reported-issue": "port 2 is down" });
    expect(await fixture.query("SELECT kind FROM signal WHERE host_id = $1", [host.id])).toHaveLength(1);
  });

  it("is refused under an alert that prevents it, and says nothing of the machine then", async () => {
    const { host, id } = await held();
    await fixture.query(
      `UPDATE host_run SET health = '{"sources": ["x"], "classifications": ["PreventInstanceDeletion"], "alerts": [], "more": 0}' WHERE host_id = $1`,
      [host.id],
    );
    expectError(await remove(acme, id, { machineHealthIssue: issue }), 409, /PreventInstanceDeletion/);
    expect(await reports(host)).toEqual({});
  });

  /** A machine that a repair tenant has: what was reported, and the label that it set. */
  async function inRepair(label: string | null, requested: boolean) {
    const host = await addHost(fixture, "Assigned/Ready");
    const before = await addInstance(fixture, host, acme.tenantId, `i-${randomUUID().slice(0, 8)}`);
    await fixture.query("UPDATE site_policy SET body = jsonb_set(body, '{autoRepair}', $1::jsonb)", [
      String(requested),
    ]);
    expect((await remove(acme, before, { machineHealthIssue: { ...issue, summary: "old" } })).status).toBe(
      202,
    );
    await fixture.query("UPDATE instance SET ended_at = now() WHERE id = $1", [before]);
    await fixture.query("DELETE FROM signal WHERE host_id = $1", [host.id]);
    const id = await addInstance(fixture, host, repair.tenantId, `r-${randomUUID().slice(0, 8)}`);
    const body = { labels: label === null ? {} : { repair_status: label, ticket: "4711" } };
    const labelled = await send(fixture, "PATCH", `/v2/org/${repair.org}/nico/machine/${host.id}`, {
      token: repair.token,
      body,
    });
    expect(labelled.status).toBe(200);
    return { host, id };
  }
  const incomplete = "RepairSystem processing incomplete";
  // Label, new issue, request: which reports are left. The site would request a repair by itself in every case.
  it.each([
    ["Completed", false, true, {}],
    ["completed", true, true, { "tenant-reported-issue": "port 2 is down" }],
    ["Failed", true, true, { "tenant-reported-issue": "port 2 is down" }],
    ["InProgress", true, true, { "tenant-reported-issue": "port 2 is down" }],
    [null, true, true, { "tenant-reported-issue": "port 2 is down" }],
    ["mended", true, true, { "tenant-reported-issue": "port 2 is down" }],
    ["Failed", false, true, { "tenant-reported-issue": incomplete }],
    ["in-progress", false, true, { "tenant-reported-issue": incomplete }],
    [null, false, true, { "tenant-reported-issue": incomplete }],
    ["mended", false, true, { "tenant-reported-issue": incomplete }],
    ["Completed", true, false, { "tenant-reported-issue": "port 2 is down" }],
    ["Completed", false, false, { "tenant-reported-issue": "old" }],
  ])(
    "of a repair tenant: label %s, new issue %s, repair request %s",
    async (label, told, requested, left) => {
      const { host, id } = await inRepair(label, requested);
      const body = { isRepairTenant: true, ...(told ? { machineHealthIssue: issue } : {}) };
      const answer = await remove(repair, id, body);
      await fixture.query("UPDATE site_policy SET body = jsonb_set(body, '{autoRepair}', 'false')");
      expect(answer.status).toBe(202);
      expect(await reports(host)).toEqual(left);
      expect(String(await acts(host)).includes("PreventAllocations")).toBe(Object.keys(left).length > 0);
      expect(await fixture.query("SELECT kind FROM signal WHERE host_id = $1", [host.id])).toEqual([
        { kind: "release" },
      ]);
    },
  );
});

describe("an online repair", () => {
  const issue = { category: "Hardware", summary: "GPU 3 fails", details: "Xid 79" };
  const acknowledgments = {
    acceptDataCorruptionRisk: true,
    acceptRepairTeamAccess: true,
    acceptInstanceDeletionRisk: true,
  };
  const onlineRepair = {
    enabled: true,
    policy: { allowAutoInstanceDeletionOnFailure: true },
    acknowledgments,
  };
  const on = { onlineRepair, healthIssue: issue };
  const off = { onlineRepair: { enabled: false } };
  const invalid = "Error validating Machine update request data";
  const patch = (who: TestPerson, { id }: TestHost, body: unknown, org = who.org) =>
    send(fixture, "PATCH", `/v2/org/${org}/nico/machine/${id}`, { token: who.token, body });
  const instance = async (who: TestPerson, id: string) => (await get(who, `instance/${id}`)).body;

  it("is switched on by the tenant, refuses the release, and is switched off again", async () => {
    const { host, id } = await held();
    const answer = await patch(acme, host, on);
    expect(answer.status).toBe(200);
    expect(contract.problems("Machine", answer.body)).toEqual([]);
    expect(answer.body).toMatchObject({
      status: "InUse",
      health: { alerts: [{ id: "HealthNotice", message: "TenantReportedIssue: GPU 3 fails" }] },
    });
    const repaired = await instance(acme, id);
    expect(contract.problems("Instance", repaired)).toEqual([]);
    expect(repaired).toMatchObject({
      status: "Repairing",
      labels: { env: "test", "onlineRepair.allowAutoInstanceDeletionOnFailure": "true" },
    });
    expect(Object(repaired.statusHistory)[0]).toMatchObject({
      status: "Repairing",
      message: "Instance is currently being repaired",
    });
    for (const status of ["Repairing", "Ready"])
      expect((await get(acme, `instance?status=${status}`)).text.includes(id)).toBe(status === "Repairing");
    expectError(await remove(acme, id), 409, /clear online repair first/);
    expectError(await remove(acme, id, { machineHealthIssue: issue }), 409, /clear online repair first/);
    expect((await get(globex, `machine/${host.id}`)).status).toBe(404);
    expect(JSON.stringify((await get(repair, `machine/${host.id}`)).body)).not.toContain("GPU 3 fails");
    expect((await patch(acme, host, off)).status).toBe(200);
    expect(await instance(acme, id)).toMatchObject({ status: "Ready", labels: { env: "test" } });
    expect((await remove(acme, id)).status).toBe(202);
  });

  it("is refused with NICo's words, and changes nothing", async () => {
    const { host, id } = await held();
    const free = await addHost(fixture, "Manageable");
    const before = await fingerprint(fixture);
    const faults = async (body: unknown) => {
      const answer = await patch(acme, host, body);
      expectError(answer, 400, invalid);
      return answer.body.data;
    };
    const policy = "policy.allowAutoInstanceDeletionOnFailure is required when entering online repair";
    const exit =
      "healthIssue, onlineRepair.policy, and onlineRepair.acknowledgments must not be set when exiting online repair";
    const kinds = "setMaintenanceMode, instanceTypeId, clearInstanceType, labels, or onlineRepair";
    const risks = "all acknowledgment flags must be true to enter online repair";
    for (const [body, data] of [
      [{ ...on, labels: {} }, { __all__: `only one of ${kinds} can be set at a time` }],
      [{ healthIssue: issue }, { healthIssue: "healthIssue must only be set together with onlineRepair" }],
      [{ onlineRepair: {} }, { "onlineRepair.enabled": "enabled is required when onlineRepair is set" }],
      [{ onlineRepair }, { healthIssue: "healthIssue is required when onlineRepair.enabled is true" }],
      [
        { onlineRepair: { enabled: true }, healthIssue: { category: "Hardware" } },
        {
          "healthIssue.summary": "summary is required",
          "healthIssue.details": "details is required",
          "onlineRepair.policy": policy,
          "onlineRepair.acknowledgments": "acknowledgments is required when entering online repair",
        },
      ],
      [
        { ...on, healthIssue: { category: "Gpu", summary: "s".repeat(1025), details: "" } },
        {
          "healthIssue.category": "must be one of Hardware, Network, Performance, Storage, Software, Other",
          "healthIssue.summary": "summary must be at most 1024 characters",
          "healthIssue.details": "details is required",
        },
      ],
      ...Object.keys(acknowledgments).map((name) => [
        { ...on, onlineRepair: { ...onlineRepair, acknowledgments: { ...acknowledgments, [name]: false } } },
        { "onlineRepair.acknowledgments": risks },
      ]),
      [{ ...on, onlineRepair: { ...onlineRepair, policy: {} } }, { "onlineRepair.policy": policy }],
      ...[{ healthIssue: issue }, { policy: onlineRepair.policy }, { acknowledgments }].map(
        ({ healthIssue, ...more }: Record<string, unknown>) => [
          { onlineRepair: { enabled: false, ...more }, ...(healthIssue ? { healthIssue } : {}) },
          { __all__: exit },
        ],
      ),
    ])
      expect(await faults(body)).toEqual(data);
    const denied = "User does not have permission to enter/exit online repair mode for this Machine";
    for (const body of [on, off]) {
      expectError(await patch(globex, host, body), 404, "Could not find Machine specified in URL");
      expectError(await patch(repair, host, body), 403, denied);
      expectError(await patch(auditor, host, body, "acme"), 403, denied);
      expectError(
        await patch(operator, free, body, "acme"),
        400,
        "Machine must have an assigned Instance for online repair",
      );
    }
    expectError(await patch(acme, host, off), 400, /^Instance must be in Repairing state, retain/);
    await fixture.query("UPDATE host_run SET state = 'Assigned/WaitingForNetworkConfig' WHERE host_id = $1", [
      host.id,
    ]);
    expectError(
      await patch(acme, host, on),
      400,
      "Instance must be in Ready state to enter online repair (current state: Provisioning)",
    );
    await fixture.query("UPDATE host_run SET state = 'Assigned/Ready' WHERE host_id = $1", [host.id]);
    expect(await fingerprint(fixture)).toBe(before);
    // By the provider, and by its tenant.
    expect((await patch(operator, host, on, "acme")).status).toBe(200);
    expectError(await patch(acme, host, on), 400, /current state: Repairing/);
    expect((await patch(acme, host, off)).status).toBe(200);
    expect(await instance(acme, id)).toMatchObject({ status: "Ready" });
  });
});
