// Verbs, power and maintenance in the Ironic API over real HTTP: every verb in every state, and refused requests change nothing.
import { createHash, randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { State } from "@/server/domain/lifecycle/states";
import { faultOf, ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send, type Answer } from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  addInstance,
  addPerson,
  fingerprint,
  type TestHost,
  openReclamation,
} from "@/server/surfaces/machine/testing/machine-rows";

const fixture = machineServer();
const { call, get } = ironicCaller(fixture, "operator");
let tenantId: string;

beforeAll(async () => {
  // Hosts are put into states that normally require a complete record, so the triggers are off.
  await fixture.query("ALTER TABLE host_run DISABLE TRIGGER USER");
  ({ tenantId } = (await addPerson(fixture, "tenant-admin", "acme")) as { tenantId: string });
});
afterEach(() => fixture.query("WITH gone AS (DELETE FROM instance) DELETE FROM host"));

/** A digest of everything that a refusal must not change. */
const print = async (): Promise<string> =>
  createHash("sha256")
    .update(await fingerprint(fixture))
    .digest("hex");
const headers = (minor: number) => ({ "x-openstack-ironic-api-version": `1.${minor}` });
const put = (ident: string, what: string, body: unknown, minor = 112) =>
  call("PUT", `/v1/nodes/${ident}/${what}`, body, minor);
const provision = (host: TestHost, body: unknown, minor?: number) =>
  put(host.id, "states/provision", body, minor);
const node = async (host: TestHost) => (await get(`/v1/nodes/${host.id}`)).body;
const signals = (host: TestHost) =>
  fixture.query<{ kind: string; payload: Record<string, unknown> }>(
    "SELECT kind, payload FROM signal WHERE host_id = $1 ORDER BY id",
    [host.id],
  );

async function tenantHost(state: State, released = false): Promise<TestHost> {
  const host = await addHost(fixture, state);
  const id = await addInstance(fixture, host, tenantId, `i-${randomUUID()}`);
  if (released) await fixture.query("UPDATE instance SET release_requested_at = now() WHERE id = $1", [id]);
  return host;
}

async function inspectedHost(
  state: State,
  inspection: { readonly message: string | null; readonly agent?: true },
): Promise<TestHost> {
  const host = await addHost(fixture, state);
  await fixture.query(
    "UPDATE host_run SET context = context || jsonb_build_object('inspection', $2::jsonb) WHERE host_id = $1",
    [host.id, { askedAt: "2026-11-22T10:00:00.000Z", readAt: null, ...inspection }],
  );
  return host;
}

/** A host for each of Ironic's states. */
const hosts: Readonly<Record<string, () => Promise<TestHost>>> = {
  enroll: () => addHost(fixture, "Enroll"),
  verifying: () => addHost(fixture, "Verifying"),
  manageable: () => addHost(fixture, "Manageable"),
  available: () => addHost(fixture, "Ready"),
  deploying: () => tenantHost("Assigned/WaitingForNetworkConfig"),
  "wait call-back": () => tenantHost("Assigned/WaitingForRebootToReady"),
  active: () => tenantHost("Assigned/Ready"),
  deleting: () => tenantHost("Assigned/BootingWithDiscoveryImage", true),
  cleaning: () => addHost(fixture, "WaitingForCleanup/Init"),
  "clean wait": () => addHost(fixture, "WaitingForCleanup/BootingAgent"),
  "clean hold": () => addHost(fixture, "WaitingForCleanup/OnHold"),
  "clean failed": () => addHost(fixture, "Failed/CleanFailed"),
  error: () => tenantHost("Failed/BmcUnreachable"),
  inspecting: () => inspectedHost("Manageable", { message: null }),
  "inspect wait": () => inspectedHost("ManualCleaning/BootingAgent", { message: null, agent: true }),
  "inspect failed": () => inspectedHost("Manageable", { message: "the BMC did not answer" }),
};

const steps = [{ interface: "deploy", step: "erase_devices_metadata" }];
const held = {
  deploying: "deleting available",
  "wait call-back": "deleting available",
  active: "deleting available",
  error: "error null",
};

/** Where a verb is accepted, and what the node then shows at once. In every other state it is refused. */
const verbs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  manage: {
    enroll: "verifying manageable",
    available: "manageable null",
    "clean failed": "manageable null",
    "inspect failed": "manageable null",
  },
  // From `clean failed` only where it was to lead to `available`.
  provide: { manageable: "cleaning available" },
  clean: { manageable: "cleaning manageable", "clean failed": "cleaning manageable" },
  abort: {
    "clean wait": "clean wait available",
    "clean hold": "clean hold available",
    "inspect wait": "inspect wait manageable",
  },
  unhold: { "clean hold": "clean wait available" },
  deleted: held,
  undeploy: held,
  active: {},
  deploy: {},
  rebuild: {},
  inspect: { manageable: "inspecting manageable", "inspect failed": "inspecting manageable" },
  adopt: {},
  rescue: {},
  unrescue: {},
  service: {},
  nonsense: {},
};

describe.each(Object.keys(verbs))("the verb %s", (verb) => {
  it.each(Object.keys(hosts))("in %s", async (state) => {
    const host = await hosts[state]?.();
    if (host === undefined) throw new Error("no host");
    expect((await node(host)).provision_state).toBe(state);
    const before = await print();
    const answer = await provision(host, {
      target: verb,
      ...(verb === "clean" ? { clean_steps: steps } : {}),
    });
    const shown = verbs[verb]?.[state];
    if (shown === undefined) {
      expect(answer.status).toBe(state === "verifying" ? 409 : 400);
      expect(faultOf(answer)).toContain(host.id);
      expect(await print()).toBe(before);
      return;
    }
    expect([answer.status, answer.text]).toEqual([202, ""]);
    expect(answer.headers.get("location")).toBe(`http://reclaim.test/v1/nodes/${host.id}/states`);
    const now = await node(host);
    expect(`${String(now.provision_state)} ${String(now.target_provision_state)}`).toBe(shown);
  });
});

describe("out of a failed cleaning", () => {
  async function failedHost(
    kind: "onboarding" | "manualCleaning" | "decommission" | null,
  ): Promise<TestHost> {
    const host = await addHost(fixture, "Failed/CleanFailed");
    if (kind !== null) await openReclamation(fixture, host, kind);
    await fixture.query(
      "UPDATE host_run SET maintenance = true, maintenance_by = 'failure', maintenance_reason = 'the drive answered no' WHERE host_id = $1",
      [host.id],
    );
    return host;
  }

  it("provide tries a cleaning again that was to lead to available", async () => {
    const host = await failedHost("onboarding");
    expect((await provision(host, { target: "provide" })).status).toBe(202);
    expect((await signals(host)).map(({ kind }) => kind)).toEqual(["retry"]);
    expect(await node(host)).toMatchObject({
      ...{ provision_state: "cleaning", target_provision_state: "available" },
    });
  });

  it.each([
    ["manualCleaning", /failed in a manual cleaning.*ask for clean again/],
    ["decommission", /failed in its decommission.*retry it in Reclaim/],
    [null, /failed, and no cleaning was to lead to available: ask for manage/],
  ] as const)("provide is refused after %s, and says what to do", async (kind, words) => {
    const host = await failedHost(kind);
    const answer = await provision(host, { target: "provide" });
    expect([answer.status, faultOf(answer)]).toEqual([400, expect.stringMatching(words)]);
    expect(await signals(host)).toEqual([]);
  });

  it("clean begins another one in the maintenance that the failure set, not in a person's", async () => {
    const host = await failedHost("onboarding");
    expect((await provision(host, { target: "clean", clean_steps: steps })).status).toBe(202);
    const kept = await failedHost("onboarding");
    await fixture.query("UPDATE host_run SET maintenance_by = 'person' WHERE host_id = $1", [kept.id]);
    expect((await provision(kept, { target: "clean", clean_steps: steps })).status).toBe(400);
  });
});

const powers: Readonly<Record<string, string>> = {
  "power on": "powerOn",
  "power off": "powerOff",
  rebooting: "reboot",
};
const ownPower = [
  "enroll",
  "manageable",
  "available",
  "active",
  "clean hold",
  "clean failed",
  "error",
  "inspect failed",
];

describe.each(Object.keys(powers))("%s", (target) => {
  it.each(Object.keys(hosts))("in %s", async (state) => {
    const host = await hosts[state]?.();
    if (host === undefined) throw new Error("no host");
    const before = await print();
    const answer = await put(host.id, "states/power", { target });
    if (!ownPower.includes(state)) {
      expect(answer.status).toBe(state === "verifying" ? 409 : 400);
      if (state === "cleaning" || state === "clean wait") expect(faultOf(answer)).toContain(`"${state}"`);
      expect(faultOf(answer)).not.toContain("clean step");
      expect(await print()).toBe(before);
      return;
    }
    expect([answer.status, answer.text]).toEqual([202, ""]);
    expect(answer.headers.get("location")).toBe(`http://reclaim.test/v1/nodes/${host.id}/states`);
    expect((await signals(host)).map(({ kind }) => kind)).toEqual([powers[target]]);
    expect((await node(host)).target_power_state).toBe(
      { powerOn: "power on", powerOff: "power off", reboot: "rebooting" }[powers[target] ?? ""],
    );
    // The same request is idempotent; a different one waits until it has ended.
    expect((await put(host.id, "states/power", { target })).status).toBe(202);
    expect(
      (await put(host.id, "states/power", { target: target === "power on" ? "power off" : "power on" }))
        .status,
    ).toBe(409);
    expect(await signals(host)).toHaveLength(1);
  });
});

/** Expects this status for a refused request, whatever the node's state, and that nothing changes. */
async function refused(status: number, words: RegExp, ask: () => Promise<Answer>): Promise<void> {
  const before = await print();
  const answer = await ask();
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(words)]);
  expect(await print()).toBe(before);
}

describe("provision", () => {
  let manageable: TestHost;
  beforeEach(async () => {
    manageable = await addHost(fixture, "Manageable");
  });

  it.each([
    ["manage", 4],
    ["provide", 4],
    ["abort", 13],
    ["clean", 15],
    ["undeploy", 73],
    ["deploy", 73],
    ["unhold", 85],
    ["service", 87],
  ] as const)("%s is not acceptable before 1.%i", async (verb, since) => {
    const host = await addHost(fixture, "Verifying");
    await refused(406, /not acceptable/, () => provision(host, { target: verb }, since - 1));
    await refused(409, /locked/, () => provision(host, { target: verb }, since));
  });

  it.each<[string, unknown, RegExp]>([
    ["no body", undefined, /body/],
    ["no target", {}, /target/],
    ["an unknown field", { target: "manage", colour: "red" }, /colour/],
    ["malformed JSON", "{", /./],
    ["clean without steps", { target: "clean" }, /clean_steps.*required/],
    ["clean with no steps", { target: "clean", clean_steps: [] }, /required/],
    ["steps that are no list", { target: "clean", clean_steps: "deploy.erase_devices" }, /clean_steps/],
    [
      "a step without interface",
      { target: "clean", clean_steps: [{ step: "erase_devices" }] },
      /clean_steps\.0: 'interface' is a required property/,
    ],
    [
      "a step of an unknown interface",
      { target: "clean", clean_steps: [{ interface: "bogus", step: "erase_devices" }] },
      /clean_steps\.0\.interface/,
    ],
    [
      "a step without a name",
      { target: "clean", clean_steps: [{ interface: "deploy", step: "" }] },
      /clean_steps\.0\.step/,
    ],
    [
      "args that are no object",
      { target: "clean", clean_steps: [{ ...steps[0], args: ["x"] }] },
      /clean_steps\.0\.args/,
    ],
    [
      "a step with an unknown member",
      { target: "clean", clean_steps: [{ ...steps[0], colour: "red" }] },
      /colour/,
    ],
    [
      "a step of child nodes",
      { target: "clean", clean_steps: [{ ...steps[0], execute_on_child_nodes: true }] },
      /child/,
    ],
    [
      "a disallowed step",
      { target: "clean", clean_steps: [{ interface: "vendor", step: "send_raw", args: { raw_bytes: "0" } }] },
      /not allowed/,
    ],
    ["steps beside another verb", { target: "provide", clean_steps: steps }, /clean_steps.*only valid/],
    ["a runbook beside another verb", { target: "provide", runbook: "x" }, /runbook.*only valid/],
    ["steps and a runbook", { target: "clean", clean_steps: steps, runbook: "x" }, /together/],
    [
      "fields of a verb that there is not",
      { target: "clean", clean_steps: steps, deploy_steps: [] },
      /deploy_steps/,
    ],
  ])("%s is 400", async (_what, body, words) => refused(400, words, () => provision(manageable, body)));

  it("an unknown node, an unknown runbook, another's role", async () => {
    await refused(404, /could not be found/, () =>
      put(randomUUID(), "states/provision", { target: "manage" }),
    );
    await refused(404, /Runbook nothing/, () =>
      provision(manageable, { target: "clean", runbook: "nothing" }),
    );
    const auditor = await addPerson(fixture, "auditor", null);
    const host = manageable;
    await refused(403, /auditor/, () =>
      send(fixture, "PUT", `/v1/nodes/${host.id}/states/provision`, {
        token: auditor.token,
        body: { target: "provide" },
        headers: headers(112),
      }),
    );
    await refused(401, /error/, () =>
      send(fixture, "PUT", `/v1/nodes/${host.id}/states/provision`, {
        body: { target: "provide" },
        headers: headers(112),
      }),
    );
  });

  it("in maintenance: clean is refused, provide is not; a retired node is not provided; a protected one not given up", async () => {
    const host = await addHost(fixture, "Manageable");
    await fixture.query(
      "UPDATE host_run SET maintenance = true, maintenance_by = 'person' WHERE host_id = $1",
      [host.id],
    );
    await refused(400, /maintenance/, () => provision(host, { target: "clean", clean_steps: steps }));
    await fixture.query("UPDATE host SET retired = true WHERE id = $1", [host.id]);
    await refused(400, /retired/, () => provision(host, { target: "provide" }));
    await fixture.query("UPDATE host SET retired = false WHERE id = $1", [host.id]);
    expect((await provision(host, { target: "provide" })).status).toBe(202);
    const tenants = await tenantHost("Assigned/Ready");
    await fixture.query("UPDATE host SET protected = true WHERE id = $1", [tenants.id]);
    await refused(403, /protected/, () => provision(tenants, { target: "deleted" }));
  });

  it("clean: the steps as they were given, in their order, also those that there are not", async () => {
    const host = await addHost(fixture, "Manageable");
    const list = [
      { interface: "power", step: "reboot", order: 2 },
      { interface: "deploy", step: "no_such_step", args: { a: 1 } },
    ];
    expect((await provision(host, { target: "clean", clean_steps: list }, 78)).status).toBe(202);
    expect(await signals(host)).toMatchObject([
      {
        kind: "clean",
        payload: {
          steps: [
            { interface: "power", step: "reboot", args: {} },
            { interface: "deploy", step: "no_such_step", args: { a: 1 } },
          ],
          runbook: null,
        },
      },
    ]);
    expect(
      await fixture.query(
        "SELECT outcome, after ->> 'intent' AS intent FROM audit_event WHERE target_id = $1",
        [host.id],
      ),
    ).toEqual([{ outcome: "done", intent: "clean" }]);
  });

  it("clean with a runbook: by name or id, where the node shares a trait, from 1.92 on", async () => {
    const id = randomUUID();
    await fixture.query(
      "INSERT INTO runbook (id, name, traits, steps) VALUES ($1, 'wipe', ARRAY['CUSTOM_WIPE'], $2)",
      [id, JSON.stringify([{ interface: "deploy", step: "erase_devices_metadata", args: {} }])],
    );
    const host = await addHost(fixture, "Manageable");
    await refused(406, /Runbooks/, () => provision(host, { target: "clean", runbook: "wipe" }, 91));
    await refused(400, /trait/, () => provision(host, { target: "clean", runbook: "wipe" }));
    await fixture.query("UPDATE host SET traits = ARRAY['CUSTOM_WIPE'] WHERE id = $1", [host.id]);
    expect((await provision(host, { target: "clean", runbook: id }, 92)).status).toBe(202);
    expect(await signals(host)).toMatchObject([{ payload: { runbook: { id, name: "wipe" } } }]);
  });

  it("verbs follow one another: what manage was accepted for is taken for manageable", async () => {
    const host = await addHost(fixture, "Failed/NVMECleanFailed");
    for (const [target, shown] of [
      ["manage", "manageable"],
      ["provide", "cleaning"],
    ] as const) {
      expect((await provision(host, { target })).status).toBe(202);
      expect((await node(host)).provision_state).toBe(shown);
    }
    expect((await signals(host)).map(({ kind }) => kind)).toEqual(["manage", "provide"]);
    await refused(400, /cleaning/, () => put(host.id, "states/power", { target: "power off" }));
  });
});

describe("power", () => {
  it.each<[string, unknown, number | undefined, number, RegExp]>([
    ["an unknown target", { target: "up" }, 78, 400, /up/],
    ["no target", {}, 78, 400, /target/],
    ["a timeout of 0", { target: "power off", timeout: 0 }, 78, 400, /timeout/],
    ["a timeout before 1.27", { target: "power off", timeout: 5 }, 26, 406, /1\.27/],
    ["soft power before 1.27", { target: "soft power off" }, 26, 406, /1\.27/],
    [
      "soft power, which no driver of ours does",
      { target: "soft power off", timeout: 5 },
      27,
      400,
      /does not support soft power off/,
    ],
    ["a soft restart", { target: "soft rebooting" }, 78, 400, /does not support/],
  ])("%s", async (_what, body, minor, status, words) => {
    const host = await addHost(fixture, "Manageable");
    await refused(status, words, () => put(host.id, "states/power", body, minor));
  });

  it("of a node that may not be off, has no BMC, or is not there", async () => {
    const host = await addHost(fixture, "Manageable");
    await fixture.query("INSERT INTO node_record (host_id, disable_power_off) VALUES ($1, true)", [host.id]);
    await refused(409, /disabled/, () => put(host.id, "states/power", { target: "power off" }));
    await fixture.query("UPDATE host SET bmc_address = NULL WHERE id = $1", [host.id]);
    await refused(400, /BMC/, () => put(host.id, "states/power", { target: "power on" }));
    await refused(404, /could not be found/, () => put("nobody", "states/power", { target: "power on" }));
  });

  it("with an erase that may still run", async () => {
    const host = await addHost(fixture, "Manageable");
    await fixture.query(
      "UPDATE host_run SET erasing = true, context = jsonb_set(context, '{eraseUntil}', to_jsonb(to_char(now() + interval '1 hour', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'))) WHERE host_id = $1",
      [host.id],
    );
    await refused(400, /erase/i, () => put(host.id, "states/power", { target: "rebooting" }));
  });
});

describe("maintenance", () => {
  const set = (host: TestHost, body?: unknown) => put(host.id, "maintenance", body);
  const clear = (host: TestHost) => call("DELETE", `/v1/nodes/${host.id}/maintenance`, undefined, 78);

  it("is set with and without a reason, and cleared, as often as it is asked for", async () => {
    const host = await addHost(fixture, "Manageable");
    for (const body of [{ reason: "fan" }, { reason: "fan" }])
      expect([(await set(host, body)).status, (await node(host)).maintenance_reason]).toEqual([202, "fan"]);
    for (const body of [{ reason: null }, {}, undefined])
      expect([
        (await set(host, body)).status,
        (await node(host)).maintenance,
        (await node(host)).maintenance_reason,
      ]).toEqual([202, true, expect.stringMatching(/^set by /)]);
    for (let time = 0; time < 2; time += 1)
      expect([
        (await clear(host)).status,
        (await node(host)).maintenance,
        (await node(host)).maintenance_reason,
      ]).toEqual([202, false, null]);
  });

  it("that a failure set is cleared with its fault", async () => {
    const host = await addHost(fixture, "Failed/NVMECleanFailed");
    await fixture.query(
      "UPDATE host_run SET maintenance = true, maintenance_by = 'failure', maintenance_reason = 'drive 3' WHERE host_id = $1",
      [host.id],
    );
    expect(await node(host)).toMatchObject({
      maintenance: true,
      fault: "clean failure",
      maintenance_reason: "drive 3",
    });
    expect([(await clear(host)).status, (await clear(host)).text]).toEqual([202, ""]);
    expect(await node(host)).toMatchObject({
      maintenance: false,
      fault: null,
      maintenance_reason: null,
      provision_state: "clean failed",
    });
  });

  it.each<[string, unknown]>([
    ["a reason that is no text", { reason: 5 }],
    ["an unknown field", { why: "fan" }],
  ])("%s is 400", async (_what, body) => {
    const host = await addHost(fixture, "Manageable");
    await refused(400, /reason|why/, () => set(host, body));
  });
});
