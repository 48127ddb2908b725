// The agent's protocol over real HTTP on a real database: registering, waiting for commands, and every input that must be refused.
import { nilUuid, otherByteOrder } from "@/server/domain/hosts/inventory/system-uuid";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { publishedDuring, runOf, signalsOf } from "@/server/surfaces/machine/agent/testing/stored";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import {
  from,
  post,
  proxy,
  send,
  startMachineServer,
} from "@/server/surfaces/machine/testing/machine-fixture";
import {
  addHost,
  auditCount,
  fingerprint,
  openWindow,
  type TestHost,
} from "@/server/surfaces/machine/testing/machine-rows";
import {
  bootTokenOf,
  inventoryOf,
  progressOf,
  registerBodyOf,
  registered,
  resultOf,
  runStep,
} from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer({ longPollMs: 600, trustedProxies: [proxy] });

async function waitingHost(identity: Partial<TestHost> = {}): Promise<{ host: TestHost; bootToken: string }> {
  const host = await addHost(fixture, undefined, undefined, identity);
  await openWindow(fixture, host);
  return { host, bootToken: await bootTokenOf(fixture, host) };
}

describe("register", () => {
  it("gives a session, keeps the inventory, wakes the host", async () => {
    const { host, bootToken } = await waitingHost();
    const woken = fixture.wakes();
    const answer = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ bootEpoch: 1, heartbeatMs: 10_000, command: { kind: "none" } });
    expect(await signalsOf(fixture, host)).toEqual([{ kind: "agentRegistered", payload: { bootEpoch: 1 } }]);
    expect(await runOf(fixture, host)).toMatchObject({ wake_seq: 1, evidence_seq: 1, due: true });
    expect(
      await fixture.query(
        "SELECT body, boot_epoch FROM host_inventory WHERE host_id = $1 AND source = 'agent'",
        [host.id],
      ),
    ).toEqual([{ body: inventoryOf(host), boot_epoch: 1 }]);
    expect(fixture.wakes()).toBe(woken + 1);
    const [session] = await fixture.query<{ token_hash: Buffer }>(
      "SELECT token_hash FROM agent_session WHERE host_id = $1",
      [host.id],
    );
    expect(session?.token_hash.toString("utf8")).not.toContain(String(answer.body.sessionToken));
  });

  it("survives a lost answer: the same agent gets a new session while it has used none", async () => {
    const { host, bootToken } = await waitingHost();
    const first = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host));
    const second = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host));
    expect(second.status).toBe(200);
    expect(second.body.sessionToken).not.toBe(first.body.sessionToken);
    expect(await signalsOf(fixture, host)).toHaveLength(1);
    expect(
      (await post(fixture, "/agent/v1/logs", String(first.body.sessionToken), { sequence: 1, text: "x" }))
        .status,
    ).toBe(401);
    expect(
      (await post(fixture, "/agent/v1/logs", String(second.body.sessionToken), { sequence: 1, text: "x" }))
        .status,
    ).toBe(204);
  });

  it("gives one session to two that come at once with the same token", async () => {
    const { host, bootToken } = await waitingHost();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host))),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(
      await fixture.query("SELECT 1 AS one FROM agent_session WHERE host_id = $1", [host.id]),
    ).toHaveLength(1);
    expect(await signalsOf(fixture, host)).toHaveLength(1);
    const works = await Promise.all(
      answers.map((answer) =>
        post(fixture, "/agent/v1/logs", String(answer.body.sessionToken), { sequence: 1, text: "x" }),
      ),
    );
    expect(works.filter((answer) => answer.status === 204)).toHaveLength(1);
  });

  it("refuses the token once the session was used", async () => {
    const { host, bootToken } = await waitingHost();
    const { body } = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host));
    await post(fixture, "/agent/v1/logs", String(body.sessionToken), { sequence: 1, text: "x" });
    const before = await fingerprint(fixture);
    const again = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host));
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ code: "bootTokenUsed" });
    expect(await fingerprint(fixture)).toBe(before);
  });

  const dmi = (host: TestHost, change: Partial<{ systemUuid: string; serial: string; macs: string[] }>) => ({
    identity: { systemUuid: host.systemUuid, serial: host.serial, macs: [host.mac], ...change },
  });
  const noSerial = "bmc_links = '{\"noSerial\": true}'";
  const blankUuid = "03000200-0400-0500-0006-000700080009";
  it.each<[string, Partial<TestHost> | string | null, (host: TestHost) => Record<string, unknown>, number]>([
    [
      "the UUID in the other byte order",
      null,
      (host) => dmi(host, { systemUuid: otherByteOrder(host.systemUuid) }),
      200,
    ],
    ["no serial, as the BMC", noSerial, (host) => dmi(host, { serial: "" }), 200],
    [
      "a placeholder as serial, where the BMC tells none",
      noSerial,
      (host) => dmi(host, { serial: "Default string" }),
      200,
    ],
    ["another serial, where the BMC tells none", noSerial, (host) => dmi(host, { serial: "OTHER" }), 409],
    ["no serial, unlike the BMC", null, (host) => dmi(host, { serial: "" }), 409],
    ["no serial, and no MAC is known", `${noSerial}, macs = '{}'`, (host) => dmi(host, { serial: "" }), 409],
    [
      "its own serial, of a host known by a placeholder",
      { serial: "To be filled by O.E.M." },
      (host) => dmi(host, { serial: "BOARD-7" }),
      200,
    ],
    [
      "no UUID, of a host known by one that many boards have",
      { systemUuid: blankUuid },
      (host) => dmi(host, { systemUuid: nilUuid }),
      200,
    ],
    ["no UUID, of a host with one", null, (host) => dmi(host, { systemUuid: nilUuid }), 409],
  ])("weighs what the firmware tells the agent: %s", async (_what, known, change, status) => {
    const { host, bootToken } = await waitingHost(typeof known === "object" ? (known ?? {}) : {});
    if (typeof known === "string") await fixture.query(`UPDATE host SET ${known} WHERE id = $1`, [host.id]);
    const answer = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host, change(host)));
    expect(answer.status).toBe(status);
  });

  it.each([
    [
      "serial",
      (host: TestHost) => ({ identity: { systemUuid: host.systemUuid, serial: "OTHER", macs: [host.mac] } }),
    ],
    [
      "system UUID",
      (host: TestHost) => ({ identity: { systemUuid: randomUUID(), serial: host.serial, macs: [host.mac] } }),
    ],
    [
      "set of MAC addresses, none of which is the host's,",
      (host: TestHost) => ({
        identity: { systemUuid: host.systemUuid, serial: host.serial, macs: ["02:ff:ff:ff:ff:ff"] },
      }),
    ],
  ])("tells the host of an agent with another %s, and gives it no session", async (_what, change) => {
    const { host, bootToken } = await waitingHost();
    const audits = await auditCount(fixture, "boot.register");
    const answer = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host, change(host)));
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: "identityConflict" });
    expect(answer.text).not.toContain(host.serial);
    expect((await signalsOf(fixture, host)).map((signal) => signal.kind)).toEqual(["agentIdentityConflict"]);
    expect(await fixture.query("SELECT 1 AS one FROM agent_session WHERE host_id = $1", [host.id])).toEqual(
      [],
    );
    expect(await auditCount(fixture, "boot.register")).toBe(audits + 1);
  });

  const namesOf = (host: TestHost) =>
    fixture.query<{ kind: string; value: string }>(
      "SELECT kind, value FROM host_name WHERE host_id = $1 AND source = 'agent' ORDER BY kind DESC, value",
      [host.id],
    );
  const told = (host: TestHost, serial: string) => [
    { kind: "uuid", value: host.systemUuid },
    { kind: "serial", value: serial },
    { kind: "mac", value: host.mac },
  ];

  it("notes what an agent is called, once by boot, and takes it for a name when a person has confirmed it", async () => {
    const { host, bootToken } = await waitingHost();
    const body = registerBodyOf(host, dmi(host, { serial: "CHASSIS-7" }));
    expect((await post(fixture, "/agent/v1/register", bootToken, body)).status).toBe(409);
    expect(await namesOf(host)).toEqual(told(host, "CHASSIS-7"));
    const stranger = registerBodyOf(host, dmi(host, { serial: "STRANGER" }));
    expect((await post(fixture, "/agent/v1/register", bootToken, stranger)).status).toBe(409);
    expect(await namesOf(host)).toEqual(told(host, "CHASSIS-7"));
    const next = async (answers: number) => {
      await openWindow(fixture, host);
      const token = await bootTokenOf(fixture, host);
      expect((await post(fixture, "/agent/v1/register", token, body)).status).toBe(answers);
    };
    await next(409);
    await fixture.query(
      "UPDATE host_name SET confirmed_at = now(), confirmed_by = 'op', reason = 'x' WHERE host_id = $1 AND value = 'CHASSIS-7'",
      [host.id],
    );
    await next(200);
  });

  it("notes nothing of a boot that was not restarted", async () => {
    const host = await addHost(fixture);
    await openWindow(fixture, host);
    const bootToken = await bootTokenOf(fixture, host);
    await fixture.query("UPDATE boot_window SET reset_done_at = NULL WHERE host_id = $1", [host.id]);
    const body = registerBodyOf(host, dmi(host, { serial: "CHASSIS-8" }));
    expect((await post(fixture, "/agent/v1/register", bootToken, body)).status).toBe(409);
    expect(await namesOf(host)).toEqual([]);
  });

  it("takes a UUID for the host's that a person confirmed, in either byte order, beside its serial", async () => {
    for (const change of [(uuid: string) => uuid, otherByteOrder]) {
      const { host, bootToken } = await waitingHost();
      const uuid = randomUUID();
      await fixture.query(
        "INSERT INTO host_name (host_id, source, kind, value, confirmed_at, confirmed_by, reason) VALUES ($1, 'bmc', 'uuid', $2, now(), 'op', 'x')",
        [host.id, uuid],
      );
      const body = registerBodyOf(host, dmi(host, { systemUuid: change(uuid) }));
      expect((await post(fixture, "/agent/v1/register", bootToken, body)).status).toBe(200);
    }
  });

  it("compares UUID and serial number alone where no MAC address of the host is known, and takes any of several", async () => {
    for (const [known, reported] of [
      [[], ["02:ff:ff:ff:ff:ff"]],
      [
        ["02:aa:00:00:00:01", "02:aa:00:00:00:02"],
        ["02:ff:ff:ff:ff:ff", "02:aa:00:00:00:02"],
      ],
    ] as const) {
      const { host, bootToken } = await waitingHost();
      await fixture.query("UPDATE host SET macs = $2 WHERE id = $1", [host.id, known]);
      const identity = { systemUuid: host.systemUuid, serial: host.serial, macs: reported };
      const answer = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host, { identity }));
      expect(answer.status, answer.text).toBe(200);
    }
  });

  it("tells the host of a second machine that says it is the first", async () => {
    const { host, bootToken } = await waitingHost();
    await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host));
    const other = await post(
      fixture,
      "/agent/v1/register",
      bootToken,
      registerBodyOf(host, {
        identity: { systemUuid: host.systemUuid, serial: host.serial, macs: [host.mac, "02:ff:ff:ff:ff:ff"] },
      }),
    );
    expect(other.status).toBe(409);
    expect((await signalsOf(fixture, host)).map((signal) => signal.kind)).toEqual([
      "agentRegistered",
      "agentIdentityConflict",
    ]);
  });

  it.each([
    ["of another run", { run: "f".repeat(32) }],
    ["of an earlier version, which names no run", { run: undefined }],
  ])(
    "takes a second registration %s for a second machine, before the session was used too, and nothing of that boot counts",
    async (_what, change) => {
      const { host, bootToken } = await waitingHost();
      const first = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host));
      expect(
        (await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host, change))).body,
      ).toMatchObject({ code: "identityConflict" });
      expect((await signalsOf(fixture, host)).map((signal) => signal.kind)).toEqual([
        "agentRegistered",
        "agentIdentityConflict",
      ]);
      expect(
        await fixture.query(
          "SELECT contested_at IS NOT NULL AS contested FROM boot_window WHERE host_id = $1",
          [host.id],
        ),
      ).toEqual([{ contested: true }]);
      // The first one is refused too, because the two can no longer be told apart.
      expect((await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host))).body).toMatchObject(
        { code: "bootContested" },
      );
      expect(first.status).toBe(200);
    },
  );

  it("gives no session before the restart of the boot is done, and marks the boot", async () => {
    const { host, bootToken } = await waitingHost();
    await fixture.query("UPDATE boot_window SET reset_done_at = NULL WHERE host_id = $1", [host.id]);
    expect(await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host))).toMatchObject({
      status: 409,
      body: { code: "bootNotRestarted" },
    });
    expect(
      await fixture.query(
        "SELECT contested_at IS NOT NULL AS contested, consumed_at FROM boot_window WHERE host_id = $1",
        [host.id],
      ),
    ).toEqual([{ contested: true, consumed_at: null }]);
    expect(await fixture.query("SELECT 1 AS one FROM agent_session WHERE host_id = $1", [host.id])).toEqual(
      [],
    );
  });

  it("refuses a token from another address than it was given to, tells no secret, and leaves the boot as it is", async () => {
    const { host, bootToken } = await waitingHost();
    const audits = await auditCount(fixture, "boot.register");
    const attempt = { token: bootToken, body: registerBodyOf(host) };
    for (const address of ["127.0.0.9", "::1", "nonsense"])
      expect(
        await send(fixture, "POST", "/agent/v1/register", { ...attempt, ...from(address) }),
      ).toMatchObject({ status: 401, body: { code: "addressChanged" } });
    expect(await auditCount(fixture, "boot.register")).toBe(audits + 3);
    expect(await signalsOf(fixture, host)).toEqual([]);
    expect(
      await fixture.query(
        "SELECT consumed_at, contested_at, host(token_address) AS given_to, refusal FROM boot_window WHERE host_id = $1",
        [host.id],
      ),
    ).toEqual([
      {
        consumed_at: null,
        contested_at: null,
        given_to: "127.0.0.1",
        refusal: expect.stringContaining("another address"),
      },
    ]);
    expect((await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host))).status).toBe(200);
    const spent = await send(fixture, "POST", "/agent/v1/register", { ...attempt, ...from("127.0.0.9") });
    expect(spent.body).toMatchObject({ code: "addressChanged" });
    expect((await signalsOf(fixture, host)).map(({ kind }) => kind)).toEqual(["agentRegistered"]);
  });

  it("takes a token that was given to nobody in particular, and holds its session to one address", async () => {
    const { host, bootToken } = await waitingHost();
    await fixture.query("UPDATE boot_window SET token_address = NULL WHERE host_id = $1", [host.id]);
    const attempt = { token: bootToken, body: registerBodyOf(host) };
    const here = await send(fixture, "POST", "/agent/v1/register", {
      ...attempt,
      ...from("::ffff:127.0.0.9"),
    });
    expect(here.status).toBe(200);
    expect((await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host))).body).toMatchObject({
      code: "addressChanged",
    });
    expect(
      await fixture.query("SELECT host(address) AS address FROM agent_session WHERE host_id = $1", [host.id]),
    ).toEqual([{ address: "127.0.0.9" }]);
  });

  it("refuses a token whose window is over, or whose boot was replaced, like one that never was", async () => {
    const { host, bootToken } = await waitingHost();
    await fixture.query("UPDATE boot_window SET expires_at = now() - interval '1 s' WHERE host_id = $1", [
      host.id,
    ]);
    const replaced = await waitingHost();
    await openWindow(fixture, replaced.host);
    const before = await fingerprint(fixture);
    const answers = [
      await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host)),
      await post(fixture, "/agent/v1/register", replaced.bootToken, registerBodyOf(replaced.host)),
      await post(fixture, "/agent/v1/register", "A".repeat(43), registerBodyOf(host)),
      await post(fixture, "/agent/v1/register", undefined, registerBodyOf(host)),
    ];
    for (const answer of answers) expect(answer.status).toBe(401);
    expect(new Set(answers.map(({ body: { requestId: _, ...rest } }) => JSON.stringify(rest))).size).toBe(1);
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("carries the next command when it is known in time", async () => {
    const { host, bootToken } = await waitingHost();
    const command = { kind: "discover", id: "d1" };
    const answer = await publishedDuring(
      fixture,
      host,
      command,
      post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host)),
    );
    expect(answer.body.command).toEqual(command);
  });
});

describe("poll", () => {
  it("gives the stored command at once, unless the agent has it", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { command } = await runStep(fixture, host);
    expect(
      (await post(fixture, "/agent/v1/poll", token, { working: null, finished: [] })).body.command,
    ).toEqual(command);
    expect(
      (await post(fixture, "/agent/v1/poll", token, { working: command.id, finished: [] })).body.command,
    ).toEqual({ kind: "none" });
    expect(
      (await post(fixture, "/agent/v1/poll", token, { working: null, finished: [command.id] })).body.command,
    ).toEqual({ kind: "none" });
  });

  it("waits, and gets what the controller publishes in this process", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const poll = publishedDuring(
      fixture,
      host,
      { kind: "restart", id: "r1" },
      post(fixture, "/agent/v1/poll", token, { working: null, finished: [] }),
    );
    expect((await poll).body.command).toEqual({ kind: "restart", id: "r1" });
  });

  it("answers nothing when the time is over, and holds no waiter after that", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const started = Date.now();
    expect((await post(fixture, "/agent/v1/poll", token, { working: null, finished: [] })).body).toEqual({
      command: { kind: "none" },
    });
    expect(Date.now() - started).toBeGreaterThan(500);
  });

  it("gives an agent no command of another boot", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await openWindow(fixture, host);
    await runStep(fixture, host);
    const poll = post(fixture, "/agent/v1/poll", token, { working: null, finished: [] });
    await expect.poll(() => fixture.waiting(), { interval: 5 }).toBe(1);
    fixture.hub.publish(host.id, 2, { kind: "restart", id: "r2" });
    expect((await poll).body.command).toEqual({ kind: "none" });
  });

  it("tells an agent to stop a step that is over for us, but not one whose host waits for its result", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId, command } = await runStep(fixture, host);
    await fixture.query("UPDATE step_run SET status = 'failed' WHERE id = $1", [stepRunId]);
    await fixture.query(
      "UPDATE host_run SET command = NULL, state = 'Failed/StepTimeout' WHERE host_id = $1",
      [host.id],
    );
    const stop = await post(fixture, "/agent/v1/poll", token, { working: command.id, finished: [] });
    expect(stop.body.command).toEqual({
      kind: "abort",
      id: `abort:${String(command.id)}`,
      stepRunId,
      attempt: 1,
    });
    expect(
      (
        await post(fixture, "/agent/v1/poll", token, {
          working: command.id,
          finished: [`abort:${String(command.id)}`],
        })
      ).body.command,
    ).toEqual({ kind: "none" });
    // Whatever the host waits for: nothing has replaced the lost attempt.
    await fixture.query("UPDATE step_attempt SET verdict = 'lost' WHERE step_run_id = $1", [stepRunId]);
    expect(
      (await post(fixture, "/agent/v1/poll", token, { working: command.id, finished: [] })).body.command,
    ).toEqual({ kind: "none" });
  });

  it("renews the session at most every 10 s", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const seen = async () =>
      (
        await fixture.query<{ at: Date }>("SELECT last_seen_at AS at FROM agent_session WHERE host_id = $1", [
          host.id,
        ])
      )[0]?.at.getTime();
    await post(fixture, "/agent/v1/logs", token, { sequence: 1, text: "x" });
    const first = await seen();
    await post(fixture, "/agent/v1/logs", token, { sequence: 2, text: "x" });
    expect(await seen()).toBe(first);
    await fixture.query(
      "UPDATE agent_session SET last_seen_at = now() - interval '11 s', registered_at = now() - interval '1 h' WHERE host_id = $1",
      [host.id],
    );
    await post(fixture, "/agent/v1/logs", token, { sequence: 3, text: "x" });
    expect(await seen()).toBeGreaterThanOrEqual(first ?? 0);
  });

  it("holds a session to the address that registered: whoever else has its token changes nothing, and is told so", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const { stepRunId } = await runStep(fixture, host);
    await post(fixture, `/agent/v1/step-runs/${stepRunId}/progress`, token, progressOf());
    const audits = await auditCount(fixture, "agent.call");
    const before = await fingerprint(fixture);
    const log = { sequence: 1, text: "x" };
    for (const [call, body] of [
      ["poll", { working: null, finished: [] }],
      // A report that would be held for the agent itself.
      [`step-runs/${stepRunId}/progress`, progressOf({ sequence: 2 })],
      [`step-runs/${stepRunId}/result`, resultOf()],
      ["discovery", { command: "d1", inventory: inventoryOf(host) }],
      ["validation", { command: "v1", tests: [] }],
      ["drives", { command: "l1", busy: false, drives: [] }],
      ["logs", log],
      ["logs", { nonsense: true }],
    ] as const)
      for (const address of ["127.0.0.9", "nonsense"])
        expect(
          await send(fixture, "POST", `/agent/v1/${call}`, { token, body, ...from(address) }),
          call,
        ).toMatchObject({ status: 401, body: { code: "addressChanged" } });
    expect(await fingerprint(fixture)).toBe(before);
    // Each address once a minute.
    expect(await auditCount(fixture, "agent.call")).toBe(audits + 2);
    expect((await post(fixture, "/agent/v1/logs", token, log)).status).toBe(204);
  });

  it("refuses a session that is over", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    await fixture.query("UPDATE agent_session SET expires_at = now() WHERE host_id = $1", [host.id]);
    expect((await post(fixture, "/agent/v1/poll", token, { working: null, finished: [] })).status).toBe(401);
  });
});

describe("bad input", () => {
  const calls = [
    "register",
    "poll",
    `step-runs/${randomUUID()}/progress`,
    `step-runs/${randomUUID()}/result`,
    "discovery",
    "validation",
    "logs",
  ];

  it.each(calls)("%s without a token, or with one that is nobody's: 401, whatever the body", async (call) => {
    for (const token of [undefined, "x".repeat(43)]) {
      const answer = await post(
        fixture,
        `/agent/v1/${call}`,
        token,
        call === "register" ? registerBodyOf(await addHost(fixture)) : { nonsense: true },
      );
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  it.each(calls.slice(1))("%s: malformed, oversized, wrong type, too deep, wrong field", async (call) => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    const path = `/agent/v1/${call}`;
    const before = await fingerprint(fixture);
    expect(await send(fixture, "POST", path, { token, body: "{" })).toMatchObject({
      status: 400,
      body: { code: "malformed" },
    });
    expect(await send(fixture, "POST", path, { token, body: "" })).toMatchObject({ status: 400 });
    expect(
      await send(fixture, "POST", path, { token, body: `{"a":${"[".repeat(40)}${"]".repeat(40)}}` }),
    ).toMatchObject({ status: 400, body: { code: "malformed" } });
    expect(await send(fixture, "POST", path, { token, body: '{"text":"\\u0000"}' })).toMatchObject({
      status: 400,
      body: { code: "malformed" },
    });
    expect(await send(fixture, "POST", path, { token, body: '{"__proto__":{"a":1}}' })).toMatchObject({
      status: 400,
    });
    expect(
      await send(fixture, "POST", path, { token, body: "a=1", headers: { "content-type": "text/plain" } }),
    ).toMatchObject({ status: 415, body: { code: "unsupportedType" } });
    expect(
      await send(fixture, "POST", path, { token, body: "{}", headers: { "content-encoding": "gzip" } }),
    ).toMatchObject({ status: 415 });
    expect(await send(fixture, "POST", path, { token, body: `"${"x".repeat(1024 * 1024)}"` })).toMatchObject({
      status: 413,
      body: { code: "tooLarge" },
    });
    const wrong = await send(fixture, "POST", path, { token, body: { surplus: 1 } });
    expect(wrong).toMatchObject({ status: 400, body: { code: "invalid" } });
    expect(wrong.body.field).toBeTypeOf("string");
    expect(wrong.headers.get("content-type")).toContain("application/problem+json");
    expect(await fingerprint(fixture)).toBe(before);
  });

  it("names the field deep inside", async () => {
    const { host, bootToken } = await waitingHost();
    const inventory = {
      ...inventoryOf(host),
      storage: [{ ...inventoryOf(host).storage[0], capacityBytes: 5 }],
    };
    expect(
      await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host, { inventory })),
    ).toMatchObject({ status: 400, body: { field: "inventory.storage.0.capacityBytes" } });
  });

  it("refuses a step run id that is none, and a piece of log over 256 KiB", async () => {
    const host = await addHost(fixture);
    const token = await registered(fixture, host);
    expect(await post(fixture, "/agent/v1/step-runs/abc/progress", token, progressOf())).toMatchObject({
      status: 400,
      body: { field: "id" },
    });
    expect(
      (await post(fixture, "/agent/v1/logs", token, { sequence: 1, text: "x".repeat(256 * 1024) })).status,
    ).toBe(413);
  });

  it("has nothing at other addresses, and says so without a trace", async () => {
    for (const path of ["/agent/v1/nothing", "/agent", "/boot/other", "/network/v1", "/v3/nodes"]) {
      const answer = await send(fixture, "GET", path);
      expect(answer).toMatchObject({ status: 404, body: { type: "urn:reclaim:problem:notFound" } });
      expect(answer.text).not.toMatch(/node_modules|at .*\(/);
    }
  });

  it("keeps a harmless request id, and replaces any other", async () => {
    expect(
      (await send(fixture, "GET", "/boot/ipxe", { headers: { "x-request-id": "abc-1" } })).headers.get(
        "x-request-id",
      ),
    ).toBe("abc-1");
    expect(
      (await send(fixture, "GET", "/boot/ipxe", { headers: { "x-request-id": "a b{}" } })).headers.get(
        "x-request-id",
      ),
    ).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("the end of the server", () => {
  it("answers polls that it holds, and writes progress that it holds", async () => {
    const other = await startMachineServer({ longPollMs: 20_000 });
    const host = await addHost(other);
    const token = await registered(other, host);
    const { stepRunId, command } = await runStep(other, host);
    for (const sequence of [1, 2])
      await post(
        other,
        `/agent/v1/step-runs/${stepRunId}/progress`,
        token,
        progressOf({ sequence, percent: sequence }),
      );
    const poll = post(other, "/agent/v1/poll", token, { working: command.id, finished: [] });
    await expect.poll(() => other.waiting(), { timeout: 15_000 }).toBe(1);
    const stored = other.stop(() =>
      other.query<{ sequence: number }>("SELECT sequence FROM step_attempt WHERE step_run_id = $1", [
        stepRunId,
      ]),
    );
    expect(await poll).toMatchObject({ status: 200, body: { command: { kind: "none" } } });
    expect(await stored).toEqual([{ sequence: 2 }]);
    await other.close();
  });
});
