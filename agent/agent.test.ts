// The agent's way with its server: patience, one result however often asked, and what ends it. Hardware is the least that can register.
import { describe, expect, it } from "vitest";
import type { Command } from "@/server/domain/agents/protocol";
import { Agent } from "@/agent/agent";
import type { HttpRequest, Surroundings } from "@/agent/surroundings";
import type { Answer, Tools } from "@/agent/tools/tools";

const stepRunId = "7e57ab1e-0000-4000-8000-000000000001";
const execute = (id: string, attempt = 1, step = "verify_mem_overwrite"): Command => ({
  kind: "execute",
  id,
  stepRunId,
  attempt,
  interface: "deploy",
  step,
  args: {},
  devices: [],
  erase: {
    techniques: { nvme: [], ssd: [], hdd: [], "raid-kit": [] },
    fallback: true,
    samplesPerDevice: 1,
    markersPerDevice: 0,
    noProgressTimeoutMs: 1,
  },
  journal: [],
  deadline: "2027-01-01T00:00:00Z",
});

const done = <Value>(value: Value): Promise<Answer<Value>> =>
  Promise.resolve({ command: "tool", exitCode: 0, status: "", value });
const none = <Value>(): Promise<Answer<Value>> =>
  Promise.resolve({ command: "/usr/bin/tool --x", exitCode: 3, status: "broken", value: null });

interface World {
  readonly around: Surroundings;
  readonly requests: HttpRequest[];
  readonly slept: number[];
  readonly stop: AbortController;
  writes: number;
  restarts: number;
}

/** `answer` is asked for every request; an Error is a connection that failed. */
function world(
  answer: (
    request: HttpRequest,
    count: number,
  ) => { status: number; body?: unknown } | Error | Promise<{ status: number; body?: unknown }>,
): World {
  const stop = new AbortController();
  const requests: HttpRequest[] = [];
  const slept: number[] = [];
  let memory = 0;
  const tools: Tools = {
    versions: { nvme: "2", hdparm: "9", sg3utils: "1", mnvCli: "1" },
    nvme: {
      list: () => done([]),
      identify: none,
      namespaces: none,
      identifyNamespace: none,
      attach: none,
      remove: none,
      create: none,
      sanitize: none,
      sanitizeLog: none,
      format: none,
      health: none,
    },
    disks: { list: () => done([]), port: none, overwrite: none, health: none, unfreeze: none },
    ata: {
      identify: none,
      sanitize: none,
      sanitizeStatus: none,
      unlock: none,
      setPassword: none,
      secureErase: none,
      disableSecurity: none,
    },
    scsi: { supported: none, sanitize: none, sanitizeStatus: none },
    kit: { members: none, volumes: none, removeVolume: none, formatLeft: none, format: none, health: none },
    blocks: { read: none, write: none },
    efi: {
      read: () => done(Uint8Array.of(7, 0, 0, 0, memory)),
      write: (_name, _guid, _attributes, data) => {
        memory = data[0] ?? 0;
        self.writes += 1;
        return done<true>(true);
      },
    },
    mst: { list: () => done([]), reset: none, set: none, query: none },
    tpm: { clear: none, authorizations: none },
    system: {
      identity: () =>
        done({
          manufacturer: "M",
          product: "P",
          serial: "S",
          uuid: "7e57ab1e-0000-4000-8000-000000000002",
          biosVersion: "1",
        }),
      cpus: () => done([{ model: "C", cores: 1 }]),
      memoryBytes: () => done(1n),
      nics: () => done([{ name: "eth0", mac: "02:00:00:00:00:01", up: true }]),
      stress: none,
      testNic: none,
      restart: () => {
        self.restarts += 1;
        return done<true>(true);
      },
    },
  };
  const self: World = {
    requests,
    slept,
    stop,
    writes: 0,
    restarts: 0,
    around: {
      clock: {
        now: () => new Date(),
        sleep: async (ms) => {
          slept.push(ms);
          await new Promise((resolve) => setImmediate(resolve));
        },
      },
      chance: { bytes: (count) => new Uint8Array(count).fill(7) },
      http: async (request) => {
        requests.push(request);
        const given = await answer(request, requests.filter(({ path }) => path === request.path).length);
        if (given instanceof Error) throw given;
        return { status: given.status, text: JSON.stringify(given.body ?? {}) };
      },
      tools,
      log: () => undefined,
      signal: stop.signal,
    },
  };
  return self;
}

const registered = (command: Command) => ({
  status: 200,
  body: { sessionToken: "session-of-this-boot-123", bootEpoch: 1, heartbeatMs: 1_000_000, command },
});
const restart = { status: 200, body: { command: { kind: "restart", id: "end" } } };
const isCall = (request: HttpRequest, name: string) => request.path.split("?")[0]?.endsWith(name) ?? false;
const bodyOf = (request: HttpRequest | undefined): unknown => JSON.parse(request?.body ?? "null");

describe("the agent", () => {
  it("registers with the token of its boot window, and needs no poll when answers carry the next command", async () => {
    const { around, requests } = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      return isCall(request, "/register") ? registered(execute("c1")) : restart;
    });
    expect(await new Agent(around).run()).toEqual({ kind: "restarting" });
    expect(requests.map(({ path }) => path)).toEqual([
      "/boot/token?uuid=7e57ab1e-0000-4000-8000-000000000002&mac=02%3A00%3A00%3A00%3A00%3A01",
      "/agent/v1/register",
      `/agent/v1/step-runs/${stepRunId}/result`,
    ]);
    expect(requests.map(({ token }) => token)).toEqual([
      null,
      "token-of-this-window-1",
      "session-of-this-boot-123",
    ]);
    expect(bodyOf(requests[1])).toMatchObject({
      protocol: 1,
      hardwareManagers: [
        {
          name: "reclaim",
          steps: expect.arrayContaining([
            { interface: "deploy", step: "erase_nvme", priority: 90, abortable: false },
          ]),
        },
      ],
    });
  });

  it("repeats a result until it is taken, with growing pauses, and does not run the step again", async () => {
    const me = world((request, count) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      return count === 1
        ? new Error("connection refused")
        : count === 2
          ? { status: 503 }
          : count === 3
            ? { status: 200, body: "nonsense" }
            : restart;
    });
    expect(await new Agent(me.around).run()).toEqual({ kind: "restarting" });
    expect([me.writes, me.requests.filter((request) => isCall(request, "/result")).length]).toEqual([2, 4]);
    const pauses = me.slept.filter((ms) => ms < 1_000);
    expect(pauses.map(Math.round)).toEqual([128, 257, 514]);
  });

  it("sends the result that it has when asked to do the same again; another attempt is another run", async () => {
    const commands = [execute("c1"), execute("c2", 2)];
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      const next = commands.shift();
      return next ? { status: 200, body: { command: next } } : restart;
    });
    const logged: string[] = [];
    await new Agent({ ...me.around, log: (_level, message) => logged.push(message) }).run();
    // Two runs, three results: what is sent again is not logged again.
    expect(logged.filter((line) => line.startsWith("verify_mem_overwrite: "))).toHaveLength(2);
    const results = me.requests.filter((request) => isCall(request, "/result")).map(({ body }) => body);
    expect(results).toHaveLength(3);
    expect(results[1]).toBe(results[0]);
    expect(me.writes).toBe(4);
  });

  it("tells in its poll what is finished", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      return isCall(request, "/poll") ? restart : { status: 200, body: { command: { kind: "none" } } };
    });
    await new Agent(me.around).run();
    expect(bodyOf(me.requests.find((request) => isCall(request, "/poll")))).toEqual({
      working: null,
      finished: ["c1"],
    });
  });

  it("goes on after a result that was refused for good", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      if (isCall(request, "/register")) return registered(execute("c1"));
      return isCall(request, "/result") ? { status: 409 } : restart;
    });
    expect(await new Agent(me.around).run()).toEqual({ kind: "restarting" });
    expect(me.requests.filter((request) => isCall(request, "/result"))).toHaveLength(1);
  });

  it.each([
    ["without a boot window", "/boot/token", 404],
    ["when its registration is refused", "/register", 409],
  ])("ends %s", async (_when, name, status) => {
    const me = world((request) =>
      isCall(request, name) ? { status } : { status: 200, body: { bootToken: "token-of-this-window-1" } },
    );
    expect(await new Agent(me.around).run()).toMatchObject({ kind: "refused" });
  });

  it("ends when its session is over: only a new boot gives another", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      return isCall(request, "/register") ? registered({ kind: "none" }) : { status: 401 };
    });
    expect(await new Agent(me.around).run()).toMatchObject({ kind: "refused" });
    expect(me.requests.filter((request) => isCall(request, "/register"))).toHaveLength(1);
  });

  it("stops at once when told to, in the middle of trying", async () => {
    const me = world((request, count) => {
      if (isCall(request, "/boot/token") && count === 5) me.stop.abort();
      return new Error("unreachable");
    });
    expect(await new Agent(me.around).run()).toEqual({ kind: "stopped" });
  });

  it("waits for an inventory that it can read", async () => {
    const me = world((request) => {
      if (isCall(request, "/boot/token"))
        return { status: 200, body: { bootToken: "token-of-this-window-1" } };
      return registered({ kind: "restart", id: "end" });
    });
    let tries = 0;
    const nvme = {
      ...me.around.tools.nvme,
      list: () => ((tries += 1) < 3 ? none<readonly string[]>() : done<readonly string[]>([])),
    };
    expect(await new Agent({ ...me.around, tools: { ...me.around.tools, nvme } }).run()).toEqual({
      kind: "restarting",
    });
    expect([tries, me.slept]).toEqual([3, [10_000, 10_000]]);
  });
});
