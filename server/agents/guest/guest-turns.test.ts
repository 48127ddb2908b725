// The bridge to Ironic's agent: what it sends, when, and how it reports the outcome. The agent is a program of the test, over TLS.
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GuestTurns } from "@/server/agents/guest/guest-turns";
import { reasonOf } from "@/server/agents/guest/guest-refusal";
import type { GuestWork, HeldGuest } from "@/server/agents/guest/guest-work";
import {
  guestHardwareOf,
  startIronicAgent,
  type IronicAgent,
} from "@/server/agents/guest/testing/ironic-agent";
import { recorded } from "@/server/agents/guest/testing/recorded";
import { granted, refused } from "@/server/agents/refusal";
import { guestManagers } from "@/server/domain/agents/ironic/steps";
import type { RefusalCode } from "@/server/domain/problems";
import type { Command, ExecuteCommand, RegisterBody, ResultBody } from "@/server/domain/agents/protocol";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

const token = "t".repeat(43);
const hostId = "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f001";
const systemUuid = "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f002";
const stepRunId = "5f0f6d3a-6a3a-4b0e-9a53-0a64b9a2f003";

const execute = (step: string, given: Partial<ExecuteCommand> = {}): ExecuteCommand => ({
  kind: "execute",
  id: `${stepRunId}:1`,
  stepRunId,
  attempt: 1,
  interface: "deploy",
  step,
  args: {},
  devices: [],
  erase: defaultPolicy().sanitization.erase,
  journal: [],
  deadline: "2030-01-01T00:00:00Z",
  ...given,
});

/** There are two drives, but only one has an identity. */
const named: StorageDevice = {
  serial: "S1",
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1000",
  removable: false,
};
const ofOne = { devices: [named], args: { devices: ["S1"] } };

let ipa: IronicAgent;
let stop: AbortController;
beforeEach(async () => {
  ipa = await startIronicAgent({
    token: () => token,
    hardware: guestHardwareOf("SN1", "02:00:00:00:00:01"),
  });
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await ipa.close();
});

interface Start {
  readonly session?: string | null;
  readonly work?: GuestWork;
  readonly mayKeep?: () => boolean;
  /** How often it can be held before another process has it. */
  readonly holds?: number;
  /** What the agent server answers to a registration. */
  readonly refusal?: RefusalCode;
  /** The serial that its host is known by. */
  readonly knownBy?: string;
}

/** A bridge with a store and an agent server in memory. `commands` are given in order, each until it is finished. */
function bridge(
  commands: readonly Command[],
  { session = "s", work, mayKeep = () => true, holds = Infinity, refusal, knownBy = "SN1" }: Start = {},
) {
  const seen = {
    registered: [] as RegisterBody[],
    results: [] as ResultBody[],
    polls: [] as { readonly working: string | null; readonly finished: readonly string[] }[],
    answers: [] as unknown[],
    works: [] as { readonly work: GuestWork | null; readonly told: number }[],
    sessions: [] as (string | null)[],
    log: [] as string[],
    refusals: [] as string[],
    holds: 0,
    released: 0,
  };
  let held: HeldGuest = {
    callbackUrl: ipa.url,
    verifyCa: ipa.cert,
    agentVersion: "9.1.0",
    token,
    session,
    managers: guestManagers("9.1.0", {
      clean_steps: {
        A: ["scrub_nic", "erase_devices", "verify_mem_overwrite"].map((step) => ({
          interface: "deploy",
          step,
          priority: 1,
        })),
      },
      hardware_manager_version: { site: "7" },
    }),
    work: work ?? null,
    finished: [],
    name: "host-1",
    host: { systemUuid, serial: knownBy, model: null, drives: [] },
    macs: ["02:00:00:00:00:01"],
  };
  const keep = (change: Partial<HeldGuest>): boolean => {
    if (!mayKeep()) return false;
    held = { ...held, ...change };
    if (change.work !== undefined) seen.works.push({ work: change.work, told: ipa.told.length });
    return true;
  };
  const turns = new GuestTurns(
    { hostId, bootEpoch: 1 },
    {
      hold: async () => ((seen.holds += 1) > holds ? null : held),
      keepSession: async (kept) => {
        seen.sessions.push(kept);
        return keep({ session: kept });
      },
      keepWork: async (kept, finished) => keep({ work: kept, finished }),
      finish: async (id, finished) => keep({ work: null, finished: [...finished, id] }),
      noteRefusal: async (why) => void seen.refusals.push(why),
      release: async () => void (seen.released += 1),
    },
    stop.signal,
    {
      lookMs: 20,
      log: (message) => seen.log.push(message),
      agents: {
        register: async (_caller, body) => {
          seen.registered.push(body);
          if (refusal !== undefined) return refused(refusal);
          return granted({ sessionToken: "s", bootEpoch: 1, heartbeatMs: 1, command: { kind: "none" } });
        },
        poll: async ({ signal }, { working, finished }) => {
          seen.polls.push({ working, finished });
          const next = commands.find((command) => command.kind !== "none" && !finished.includes(command.id));
          if (working === null && next !== undefined) return granted(next);
          await pause(20, undefined, { signal }).catch(() => undefined);
          return commands.length === 0 ? refused("unauthorized") : granted({ kind: "none" });
        },
        result: async (_caller, _id, body) => {
          seen.results.push(body);
          return granted({ kind: "none" });
        },
        discovery: async (_caller, body) => {
          seen.answers.push(body);
          return granted({ kind: "none" });
        },
        validation: async (_caller, body) => {
          seen.answers.push(body);
          return granted({ kind: "none" });
        },
        drives: async (_caller, body) => {
          seen.answers.push(body);
          return granted({ kind: "none" });
        },
      },
    },
  );
  return { registered: seen.registered, seen, run: () => turns.run() };
}

const until = (is: () => boolean): Promise<void> => vi.waitFor(() => expect(is()).toBe(true), 5_000);

const names = () => ipa.told.map(({ name }) => name);
const reported = async (seen: { readonly results: readonly ResultBody[] }): Promise<ResultBody> => {
  await until(() => seen.results.length > 0);
  const [result] = seen.results;
  if (result === undefined) throw new Error("no result");
  return result;
};

it("registers with what the agent tells over its own connection, and the same run each time", async () => {
  const { registered, run } = bridge([], { session: null });
  await run();
  expect(names()).toEqual(["poll.get_hardware_info", "clean.get_clean_steps"]);
  expect(registered).toMatchObject([
    {
      identity: { systemUuid, serial: "SN1", macs: ["02:00:00:00:00:01"] },
      agentVersion: "ironic-python-agent 9.1.0",
      run: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
  const again = bridge([], { session: null });
  await again.run();
  expect(again.registered[0]?.run).toBe(registered[0]?.run);
});

it("registers nothing by a MAC address and a serial that many boards have", async () => {
  const placeholder = "To be filled by O.E.M.";
  const known = bridge([], { session: null, knownBy: placeholder });
  await known.run();
  ipa.hardware(guestHardwareOf(placeholder, "02:00:00:00:00:01"));
  const told = bridge([], { session: null });
  await told.run();
  expect([...known.registered, ...told.registered]).toEqual([]);
});

it("registers nothing where another process took the agent over meanwhile", async () => {
  const afterOne = bridge([], { session: null, holds: 1 });
  await afterOne.run();
  expect(names()).toEqual(["poll.get_hardware_info"]);
  const afterTwo = bridge([], { session: null, holds: 2 });
  await afterTwo.run();
  expect([afterOne.registered, afterTwo.registered]).toEqual([[], []]);
});

it.each([
  [
    "the agent server refuses it",
    "identityConflict",
    "SN1",
    /Ironic's agent is not registered: Identity conflict: This identity may not/,
  ],
  [
    "it reports no serial number",
    undefined,
    "",
    /Ironic's agent is not registered: it reports no serial number/,
  ],
] as const)("says plainly why it is not registered: %s", async (_what, refusal, serial, why) => {
  ipa.hardware(guestHardwareOf(serial, "02:00:00:00:00:01"));
  const { seen, run } = bridge([], { session: null, ...(refusal === undefined ? {} : { refusal }) });
  await run();
  expect(seen.log).toEqual([expect.stringMatching(why)]);
  expect(seen.refusals).toEqual(seen.log);
  expect(seen.sessions).toEqual([]);
});

it("says that it cannot be reached, and nothing of one that is registered", async () => {
  await ipa.close();
  const { seen, run } = bridge([], { session: null });
  await run();
  expect(new Set(seen.refusals)).toEqual(
    new Set([expect.stringMatching(/^Ironic's agent is not registered: it cannot be reached at https:/)]),
  );
  const later = bridge([]);
  await later.run();
  expect([later.seen.log.length, later.seen.refusals]).toEqual([3, []]);
});

it("shows nobody the boot's token, whatever answers repeats the address that it was asked at", async () => {
  ipa.answer({ status: 404, body: `${"x".repeat(450)} /v1/commands/?agent_token=${token}` });
  const { seen, run } = bridge([], { session: null });
  await run();
  const step = bridge([execute("scrub_nic")]);
  void step.run();
  const { message } = await reported(step.seen);
  const shown = [...seen.refusals, ...seen.log, message, ...step.seen.log];
  expect(shown).toContainEqual(expect.stringContaining("agent_token=(token)"));
  expect(shown.filter((text) => text.includes(token.slice(0, 8)))).toEqual([]);
});

it("nor where its own address has it", () => {
  expect(reasonOf(new Error("refused"), { callbackUrl: `https://192.0.2.1/${token}`, token })).toBe(
    "Ironic's agent is not registered: it cannot be reached at https://192.0.2.1/(token): refused",
  );
});

it("says what its own error was: it was reached", async () => {
  ipa.answer({ status: 500, body: recorded.faults["500"] });
  const { seen, run } = bridge([], { session: null });
  await run();
  expect(new Set(seen.refusals)).toEqual(
    new Set([
      "Ironic's agent is not registered: it answered 500: Object of type TypeError is not JSON serializable",
    ]),
  );
});

it("without a MAC address is not registered, and says so", async () => {
  const hardware = guestHardwareOf("SN1", "02:00:00:00:00:01");
  ipa.hardware({ ...hardware, interfaces: [] });
  const { seen, registered, run } = bridge([], { session: null });
  await run();
  expect(seen.log).toEqual([expect.stringMatching(/it reports no MAC address/)]);
  expect(registered).toEqual([]);
});

describe("a session that the agent server does not know", () => {
  it("and that nothing was done with is forgotten: the next heartbeat registers anew", async () => {
    const { seen, run } = bridge([]);
    await run();
    expect(seen.sessions).toEqual([null]);
  });

  it("is kept where it was used: its boot is over", async () => {
    const task = { ...execute("scrub_nic"), devices: [] };
    const { seen, run } = bridge([], { work: { task, command: null } });
    await run();
    expect(seen.results).toHaveLength(1);
    expect(seen.sessions).toEqual([]);
  });
});

describe("a step", () => {
  it("is noted, sent once, waited for with signs of life, and reported", async () => {
    const { seen, run } = bridge([execute("scrub_nic")]);
    const running = run();
    await until(() => seen.polls.some(({ working }) => working === `${stepRunId}:1`));
    expect(seen.results).toEqual([]);
    ipa.end("SUCCEEDED", { clean_result: "ok" });
    expect(await reported(seen)).toMatchObject({ attempt: 1, result: "OK", devices: [] });
    await until(() => seen.polls.at(-1)?.finished.includes(`${stepRunId}:1`) === true);
    stop.abort();
    await running;
    expect(names()).toEqual(["clean.execute_clean_step"]);
    expect(ipa.told[0]?.params).toMatchObject({
      step: { interface: "deploy", step: "scrub_nic", args: {} },
      node: { uuid: hostId, driver_internal_info: { agent_continue_if_secure_erase_failed: false } },
      ports: [{ address: "02:00:00:00:00:01" }],
      clean_version: { site: "7" },
    });
    // Recorded before it was sent, and the agent's id for it right after.
    expect(seen.works.slice(0, 2).map(({ work, told }) => [work?.command === null, told])).toEqual([
      [true, 0],
      [false, 1],
    ]);
    expect(seen.released).toBe(1);
  });

  it("is not sent where it could not be noted: another process has the agent", async () => {
    const { run } = bridge([execute("scrub_nic")], { mayKeep: () => false });
    await run();
    expect(names()).toEqual([]);
  });

  it.each([
    ["verify_mem_overwrite", {}, /without proof/],
    ["erase_nvme", {}, /on every drive it sees/],
    ["erase_devices", ofOne, /on every drive it sees/],
    ["erase_devices_metadata", ofOne, /on every drive it sees/],
    ["scrub_nic", ofOne, /takes no arguments/],
  ])("%s is refused without a word to the agent", async (step, given, why) => {
    const { seen, run } = bridge([execute(step, given)]);
    void run();
    expect(await reported(seen)).toMatchObject({ result: "ERROR", message: expect.stringMatching(why) });
    expect(names()).toEqual([]);
  });

  it.each([
    ["FAILED", { message: "no" }, /^FAILED: .*no/],
    ["CLEAN_VERSION_MISMATCH", { message: "other versions" }, /hardware managers of Ironic's agent changed/],
  ])("that ends as %s is an error", async (status, error, why) => {
    const { seen, run } = bridge([execute("scrub_nic")]);
    void run();
    await until(() => ipa.told.length > 0 && seen.polls.some(({ working }) => working !== null));
    ipa.end(status, null, error);
    expect(await reported(seen)).toMatchObject({ result: "ERROR", message: expect.stringMatching(why) });
  });

  it("that the agent refuses at once is an error", async () => {
    ipa.answer({ status: 409, body: recorded.faults["409"] });
    const { seen, run } = bridge([execute("scrub_nic")]);
    void run();
    expect((await reported(seen)).message).toBe(
      "it answered 409: Agent is busy: executing command execute_clean_step",
    );
  });

  it.each([
    ["whose sending has no outcome", null, /unknown whether Ironic's agent started/],
    ["of an agent that started again", "gone", /no longer knows the step/],
  ])("%s is not sent again, by no process", async (_what, command, why) => {
    const task = { ...execute("scrub_nic"), devices: [] };
    const { seen, run } = bridge([], { work: { task, command } });
    void run();
    expect(await reported(seen)).toMatchObject({ result: "ERROR", message: expect.stringMatching(why) });
    expect(names()).toEqual([]);
  });

  it("that the agent answers with an error of its own may run: it is asked, not sent again", async () => {
    ipa.answer({ status: 500, body: "oops" });
    const { seen, run } = bridge([execute("scrub_nic")]);
    void run();
    expect((await reported(seen)).message).toMatch(/unknown whether/);
    expect(seen.log).toEqual([expect.stringMatching(/500/)]);
  });
});

it("an agent that does not answer is not kept alive", async () => {
  await ipa.close();
  const { seen, run } = bridge([execute("scrub_nic")]);
  await run();
  expect([seen.polls, seen.log.length]).toEqual([[], 3]);
});

it("another certificate than the agent told is not spoken to", async () => {
  const other = await startIronicAgent({ token: () => token, hardware: {} });
  ipa = Object.assign(ipa, { cert: other.cert });
  await other.close();
  const { seen, run } = bridge([execute("scrub_nic")]);
  await run();
  expect(seen.log[0]).toMatch(/certificate/);
  expect([seen.polls, names()]).toEqual([[], []]);
});

it("an answer without end is not read to its end", async () => {
  ipa.answer({ status: 200, body: "x".repeat(2 * 1024 * 1024) });
  const { seen, run } = bridge([], { session: null });
  await run();
  expect(seen.log[0]).toMatch(/more than 1048576 bytes/);
});

it("runs no tests, reads no drive, gives its inventory and restarts", async () => {
  const { seen, run } = bridge([
    { kind: "discover", id: "discover:1" },
    { kind: "validate", id: "validate:1", tests: ["memory"] },
    { kind: "look", id: "look:1" },
    { kind: "restart", id: "restart:1" },
  ]);
  void run();
  await until(() => names().includes("standby.run_image"));
  expect(seen.answers).toMatchObject([
    { command: "discover:1", inventory: { system: { serial: "SN1", uuid: systemUuid } } },
    { command: "validate:1", tests: [{ name: "memory", result: "skipped" }] },
    { command: "look:1", busy: true, drives: [] },
  ]);
  expect(seen.answers[1]).not.toHaveProperty("content");
});
