// Ironic's agent over real HTTP in both directions: lookup, registration, steps; and nothing that it says about drives is trusted.
import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  guestHardwareOf,
  startIronicAgent,
  type IronicAgent,
} from "@/server/agents/guest/testing/ironic-agent";
import { holdGuest, keepGuestWork } from "@/server/db/hot/agent/guest";
import { resultBody } from "@/server/domain/agents/protocol";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { judgeStep } from "@/server/domain/cleaning/sanitization/judge";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { from, proxy, send } from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  auditCount,
  fingerprint,
  openWindow,
  type TestHost,
} from "@/server/surfaces/machine/testing/machine-rows";
import { executeOf, inventoryOf, runStep } from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer({ longPollMs: 200, trustedProxies: [proxy] });
const headers = { "x-openstack-ironic-api-version": "1.68" };

beforeAll(() =>
  fixture.query(
    "INSERT INTO agent_image (id, site_id, version, url, kind, status, stage) SELECT $1, id, '9.1', 'http://images.test/ipa', 'ironic', 'current', 'all' FROM site",
    [randomUUID()],
  ),
);

let agents: IronicAgent[] = [];
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  agents = [];
});

interface Guest {
  readonly host: TestHost;
  readonly agent: IronicAgent;
  readonly token: string;
}

const script = async (host: TestHost) => (await send(fixture, "GET", `/boot/ipxe?mac=${host.mac}`)).text;
const lookup = (host: Pick<TestHost, "mac">, more = "") =>
  send(fixture, "GET", `/v1/lookup?addresses=${host.mac},02:ff:ff:ff:ff:ff${more}`, { headers });
const inspect = (host: TestHost) =>
  send(fixture, "POST", "/v1/continue_inspection", {
    body: { inventory: { interfaces: [{ name: "eno1", mac_address: host.mac }] }, error: null },
  });
const heartbeat = (hostId: string, body: object) =>
  send(fixture, "POST", `/v1/heartbeat/${hostId}`, { headers, body });

async function booted(): Promise<TestHost> {
  const host = await addHost(fixture);
  await openWindow(fixture, host);
  await script(host);
  return host;
}

async function lookedUp(): Promise<Guest> {
  const host = await booted();
  const { body } = await lookup(host);
  const { agent_token: token } = Object(body.config);
  const agent = await startIronicAgent({
    token: () => token,
    hardware: guestHardwareOf(host.serial, host.mac),
  });
  agents.push(agent);
  return { host, agent, token };
}

const beat = ({ host, agent, token }: Guest, change: object = {}) =>
  heartbeat(host.id, {
    callback_url: agent.url,
    agent_token: token,
    agent_version: "9.1.0",
    agent_verify_ca: agent.cert,
    agent_status: null,
    ...change,
  });

const sessions = (host: TestHost) =>
  fixture.query("SELECT agent_version, hardware_managers FROM agent_session WHERE host_id = $1", [host.id]);
const soon = (look: () => Promise<void>): Promise<void> =>
  vi.waitFor(look, { timeout: 10_000, interval: 50 });

async function registered(): Promise<Guest> {
  const guest = await lookedUp();
  expect((await beat(guest)).status).toBe(202);
  await soon(async () => expect(await sessions(guest.host)).toHaveLength(1));
  return guest;
}

/** Replaces the step that the fixture runs. */
async function giveStep({ host }: Guest, step: string): Promise<string> {
  const { stepRunId } = await runStep(fixture, host);
  await fixture.query("UPDATE step_run SET step = $2 WHERE id = $1", [stepRunId, step]);
  await fixture.query("UPDATE host_run SET command = $2 WHERE host_id = $1", [
    host.id,
    { ...executeOf(stepRunId, host), step },
  ]);
  return stepRunId;
}

async function reportOf(stepRunId: string) {
  let report: unknown = null;
  await soon(async () => {
    [report] = (
      await fixture.query<{ report: unknown }>("SELECT report FROM step_attempt WHERE step_run_id = $1", [
        stepRunId,
      ])
    ).map((row) => row.report);
    expect(report).not.toBeNull();
  });
  return resultBody.parse(report);
}

describe("a host that boots an image of Ironic's", () => {
  it("is told where to look itself up, and is found by one of its addresses, as often as it asks", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host);
    expect(await script(host)).toContain(
      "kernel http://images.test/ipa/vmlinuz initrd=initrd.img ipa-api-url=http://reclaim.test || goto again",
    );
    const first = await lookup(host);
    expect([first.status, first.body]).toMatchObject([
      200,
      {
        node: { uuid: host.id, properties: {}, instance_info: {}, driver_internal_info: {} },
        config: {
          heartbeat_timeout: 60,
          agent_token: expect.stringMatching(/^.{32,}$/),
          agent_token_required: true,
        },
      },
    ]);
    expect((await lookup(host, `&node_uuid=${host.id}`)).body).toEqual(first.body);
    const inspected = await inspect(host);
    expect([inspected.status, inspected.body]).toEqual([202, { uuid: host.id }]);
  });

  it("registers by its heartbeat, with its own inventory and steps", async () => {
    const { host } = await registered();
    expect(await sessions(host)).toMatchObject([
      {
        agent_version: "ironic-python-agent 9.1.0",
        hardware_managers: [
          {
            name: "ironic-python-agent",
            steps: [{ step: "scrub_nic" }],
          },
          { name: "generic_hardware_manager", version: "1.2" },
          { name: "site-manager", version: "7" },
        ],
      },
    ]);
    const [found] = await fixture.query("SELECT body FROM host_inventory WHERE host_id = $1", [host.id]);
    expect(found?.body).toMatchObject({ system: { serial: host.serial }, storage: [{ namespaces: [1, 2] }] });
    const [signal] = await fixture.query("SELECT kind FROM signal WHERE host_id = $1", [host.id]);
    expect(signal).toEqual({ kind: "agentRegistered" });
    // Once it has registered, lookups no longer find it.
    expect((await lookup(host)).status).toBe(404);
    expect((await inspect(host)).status).toBe(404);
  });

  it("performs a step of its own; an erase and what proves a gate it is not given", async () => {
    const guest = await registered();
    const scrub = await giveStep(guest, "scrub_nic");
    await soon(async () =>
      expect(guest.agent.told.map(({ name }) => name)).toContain("clean.execute_clean_step"),
    );
    guest.agent.end("SUCCEEDED", { clean_result: null });
    expect(await reportOf(scrub)).toMatchObject({ result: "OK" });

    const before = guest.agent.told.length;
    const erase = await giveStep(guest, "erase_devices");
    const verdict = judgeStep(
      inventoryOf(guest.host).storage,
      await reportOf(erase),
      defaultPolicy().sanitization,
    );
    expect(verdict).toMatchObject({
      ok: false,
      message: expect.stringMatching(/on every drive it sees without proof/),
    });

    const memory = await giveStep(guest, "verify_mem_overwrite");
    expect(await reportOf(memory)).toMatchObject({
      result: "ERROR",
      message: expect.stringMatching(/without proof/),
    });
    expect(guest.agent.told.length).toBe(before);
  });

  it("is spoken to by one process, until its lease ends", async () => {
    const { host } = await registered();
    const boot = [host.id, 1] as const;
    const another = randomUUID();
    expect(await holdGuest(fixture.pool, ...boot, another)).toEqual([]);
    expect(await keepGuestWork(fixture.pool, ...boot, another, null, [])).toEqual([]);
    await fixture.query(
      "UPDATE agent_guest SET holder = $2, held_until = now() - interval '1 s' WHERE host_id = $1",
      [host.id, randomUUID()],
    );
    expect(await keepGuestWork(fixture.pool, ...boot, another, null, [])).toEqual([]);
    // The first to take it has it: this test, or the server.
    const [held] = await holdGuest(fixture.pool, ...boot, another);
    const [kept] = await keepGuestWork(fixture.pool, ...boot, another, null, []);
    expect(kept === undefined).toBe(held === undefined);
  });
});

describe("nothing is told", () => {
  it("of a host that is not waited for, booted another image, or is looked up as another", async () => {
    const idle = await addHost(fixture);
    const other = await addHost(fixture);
    await openWindow(fixture, other); // no script was fetched, so the boot has no image of Ironic's
    const host = await booted();
    const before = await fingerprint(fixture);
    const answers = await Promise.all([
      lookup({ mac: "02:aa:aa:aa:aa:aa" }),
      lookup(idle),
      lookup(other),
      lookup(host, `&node_uuid=${idle.id}`),
      send(fixture, "GET", `/v1/lookup?addresses=${host.mac},${other.mac}`, { headers }),
      heartbeat(host.id, { callback_url: "https://127.0.0.1:1", agent_token: "x".repeat(43) }),
      heartbeat("host-1", { callback_url: "https://127.0.0.1:1", agent_token: "x" }),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("to one that asks before the restart is done, and of that boot to nobody afterwards", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host, 30, false);
    await fixture.query(
      "UPDATE boot_window SET image_id = (SELECT id FROM agent_image LIMIT 1) WHERE host_id = $1",
      [host.id],
    );
    expect((await lookup(host)).status).toBe(404);
    await fixture.query("UPDATE boot_window SET reset_done_at = now() WHERE host_id = $1", [host.id]);
    expect((await lookup(host)).status).toBe(404);
    expect(await auditCount(fixture, "boot.token")).toBeGreaterThanOrEqual(2);
  });

  it("with a MAC address that another host has, too", async () => {
    const host = await booted();
    const other = await addHost(fixture);
    await fixture.query("UPDATE host SET macs = $2 WHERE id = $1", [other.id, [other.mac, host.mac]]);
    expect([(await lookup(host)).status, (await inspect(host)).status]).toEqual([404, 404]);
    await fixture.query("UPDATE host SET macs = $2 WHERE id = $1", [other.id, [other.mac]]);
    expect((await inspect(host)).status).toBe(202);
  });

  it("outside the site's provisioning networks", async () => {
    const host = await booted();
    const networks = (list: readonly string[]) =>
      fixture.query("UPDATE site_policy SET body = jsonb_set(body, '{provisioningNetworks}', $1)", [
        JSON.stringify(list),
      ]);
    await networks(["10.0.0.0/8"]);
    const answers = [await lookup(host), await inspect(host)];
    await networks(["loopback"]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await inspect(host)).status).toBe(202);
  });

  it("to the agent of an earlier boot, or with the token of a boot of Reclaim's own image", async () => {
    const guest = await lookedUp();
    await fixture.query("UPDATE agent_image SET kind = 'reclaim'");
    const { status } = await beat(guest);
    await fixture.query("UPDATE agent_image SET kind = 'ironic'");
    expect(status).toBe(404);
    await openWindow(fixture, guest.host);
    expect((await beat(guest)).status).toBe(404);
  });

  it("below version 1.22, where Ironic has neither address", async () => {
    const old = { "x-openstack-ironic-api-version": "1.21" };
    expect(
      (await send(fixture, "GET", "/v1/lookup?addresses=02:aa:aa:aa:aa:aa", { headers: old })).status,
    ).toBe(404);
  });
});

describe("a heartbeat", () => {
  it("with a callback that this server should not call, or without a certificate, is refused", async () => {
    const guest = await lookedUp();
    for (const change of [
      { callback_url: guest.agent.url.replace("https", "http") },
      { callback_url: "https://10.0.0.1:9999" },
      { callback_url: "https://localhost:9999" },
      { agent_verify_ca: undefined },
      { agent_verify_ca: "" },
    ])
      expect((await beat(guest, change)).status).toBe(400);
    expect(guest.agent.told).toEqual([]);
    expect(await fixture.query("SELECT 1 FROM agent_guest WHERE host_id = $1", [guest.host.id])).toEqual([]);
    expect(
      await fixture.query("SELECT refusal FROM boot_window WHERE host_id = $1", [guest.host.id]),
    ).toMatchObject([{ refusal: expect.stringMatching(/^Ironic's agent at \S+ is not registered: \S/) }]);
  });

  it("from a second agent with the token of the boot makes the boot contested, and stops the host", async () => {
    const guest = await registered();
    const second = await startIronicAgent({ token: () => guest.token, hardware: {} });
    agents.push(second);
    const refusals = await auditCount(fixture, "boot.register");
    expect((await beat({ ...guest, agent: second })).status).toBe(400);
    expect(await auditCount(fixture, "boot.register")).toBe(refusals + 1);
    const kinds = await fixture.query("SELECT kind FROM signal WHERE host_id = $1 ORDER BY id", [
      guest.host.id,
    ]);
    expect(kinds).toEqual([{ kind: "agentRegistered" }, { kind: "agentIdentityConflict" }]);
    expect((await beat(guest)).status).toBe(404);
    expect(second.told).toEqual([]);
    await fixture.query("UPDATE agent_guest SET holder = NULL WHERE host_id = $1", [guest.host.id]);
    expect(await holdGuest(fixture.pool, guest.host.id, 1, randomUUID())).toEqual([]);
  });

  it("with the token of the boot from another address is refused, told to people, and leaves the agent alone", async () => {
    const guest = await lookedUp();
    const stolen = {
      callback_url: "https://127.0.0.9:9999",
      agent_token: guest.token,
      agent_verify_ca: guest.agent.cert,
    };
    const elsewhere = from("127.0.0.9").headers;
    expect(
      (
        await send(fixture, "POST", `/v1/heartbeat/${guest.host.id}`, {
          headers: { ...headers, ...elsewhere },
          body: stolen,
        })
      ).status,
    ).toBe(400);
    expect(
      await fixture.query("SELECT kind, address FROM security_event WHERE host_id = $1", [guest.host.id]),
    ).toEqual([{ kind: "addressChanged", address: "127.0.0.9" }]);
    expect((await beat(guest)).status).toBe(202);
    await soon(async () => expect(await sessions(guest.host)).toHaveLength(1));
    expect(
      await fixture.query("SELECT host(address) AS address FROM agent_session WHERE host_id = $1", [
        guest.host.id,
      ]),
    ).toEqual([{ address: "127.0.0.1" }]);
  });

  it("of an agent on another machine registers nothing, and stops the host", async () => {
    const guest = await lookedUp();
    const stranger = await startIronicAgent({
      token: () => guest.token,
      hardware: guestHardwareOf("another serial", guest.host.mac),
    });
    agents.push(stranger);
    expect((await beat({ ...guest, agent: stranger })).status).toBe(202);
    await soon(async () =>
      expect(await fixture.query("SELECT kind FROM signal WHERE host_id = $1", [guest.host.id])).toEqual([
        { kind: "agentIdentityConflict" },
      ]),
    );
    expect(await sessions(guest.host)).toEqual([]);
  });
});
