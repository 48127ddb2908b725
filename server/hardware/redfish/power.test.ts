// Power actions: number of requests, read-back, refusals and lost answers.
import { describe, expect, it } from "vitest";
import { discoveredTarget, targetAt, within } from "@/server/hardware/redfish/testing/setup";
import { message, send } from "@/server/hardware/redfish/testing/tree-bmc";
import { powerBench } from "@/server/hardware/redfish/testing/benches";

const bench = powerBench();
const { power, start } = bench;
const reset = "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset";
const system = "/redfish/v1/Systems/1";

describe("reset", () => {
  it.each([
    ["forceOff", "On", "ForceOff", "off"],
    ["on", "Off", "On", "on"],
    ["forceRestart", "On", "ForceRestart", "on"],
  ] as const)("%s is one POST and one GET", async (kind, before, type, after) => {
    bench.bmc.power = before;
    expect(await power().reset(bench.target, kind, within)).toMatchObject({
      ok: true,
      value: { power: after },
    });
    expect(bench.bmc.received[0]?.body).toBe(JSON.stringify({ ResetType: type }));
    expect(bench.bmc.takeLines()).toEqual([`POST ${reset}`, `GET ${system}`]);
  });

  it("reads until the state fits, with waits that grow", async () => {
    let looks = 0;
    bench.bmc.power = "Off";
    bench.bmc.fault = ({ method }) => {
      if (method === "GET") bench.bmc.power = (looks += 1) >= 4 ? "On" : "Off";
      return false;
    };
    bench.bmc.acts = false;
    expect(await power().reset(bench.target, "on", within)).toMatchObject({
      ok: true,
      value: { power: "on" },
    });
    expect(bench.bmc.takeLines()).toHaveLength(5);
    expect(bench.slept).toEqual([250, 500, 1_000]);
  });

  it("detects a 204 that did nothing", async () => {
    bench.bmc.acts = false;
    const result = await power().reset(bench.target, "forceOff", { timeoutMs: 45_000 });
    expect(result).toMatchObject({ ok: false, error: { kind: "ignored", unknownOutcome: true } });
    if (!result.ok)
      expect(result.error.message).toMatch(
        /^POST .* with ResetType ForceOff was answered 204, but after [\d.]+ s the machine's power reads on$/,
      );
    expect(bench.bmc.takeLines().filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  it("does not say that the BMC ignored it where the time of the call ended the look", async () => {
    bench.bmc.acts = false;
    expect(await power().reset(bench.target, "forceOff", { timeoutMs: 22_000 })).toMatchObject({
      ok: false,
      error: { kind: "failed", unknownOutcome: true },
    });
  });

  it("does not restart a machine that is off, and says so", async () => {
    bench.bmc.power = "Off";
    expect(await power().reset(bench.target, "forceRestart", { timeoutMs: 45_000 })).toMatchObject({
      ok: false,
      error: { kind: "ignored" },
    });
  });

  it("keeps asking a BMC that restarts its web server with the machine", async () => {
    let left = 6;
    bench.bmc.fault = ({ method }, response) =>
      method === "GET" && left > 0 && ((left -= 1), send(response, 503), true);
    expect((await power().reset(bench.target, "forceRestart", { timeoutMs: 30_000 })).ok).toBe(true);
  });

  it("is done when the BMC refuses to switch on what is on", async () => {
    bench.bmc.power = "On";
    expect((await power().reset(bench.target, "on", within)).ok).toBe(true);
    expect(bench.bmc.takeLines()).toEqual([`POST ${reset}`, `GET ${system}`]);
  });

  it.each([
    ["a closed connection", () => bench.bmc.received.at(-1)?.method === "POST", "unreachable"],
    ["no answer", () => false, "unreachable"],
  ])("with %s has an unknown outcome, and is not sent again", async (_name, closes, kind) => {
    bench.bmc.fault = ({ method }, response) => {
      if (method !== "POST") return false;
      if (closes()) response.socket?.destroy();
      return true;
    };
    expect(await power().reset(bench.target, "forceOff", { timeoutMs: 2_000 })).toMatchObject({
      ok: false,
      error: { kind, unknownOutcome: true },
    });
    expect(bench.bmc.takeLines()).toEqual([`POST ${reset}`]);
  });

  it("that never left has a known outcome: none", async () => {
    await bench.bmc.stop();
    // A request could still be sent on the connection until the client has seen it close.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await power().reset(bench.target, "forceOff", within)).toMatchObject({
      ok: false,
      error: { kind: "unreachable", unknownOutcome: false },
    });
    await start("lenovo");
  });

  it.each([
    [500, "failed", true],
    [503, "failed", true],
    [403, "refused", false],
    [409, "refused", false],
    [404, "unsupported", false],
    [405, "unsupported", false],
  ])(
    "answered %i is %s, outcome unknown: %s; and is not sent again",
    async (status, kind, unknownOutcome) => {
      bench.bmc.fault = ({ method }, response) =>
        method === "POST" && (send(response, status, message("Acme.1.0.Odd", "It is\nodd.")), true);
      const result = await power().reset(bench.target, "forceRestart", within);
      expect(result).toMatchObject({
        ok: false,
        error: {
          kind,
          unknownOutcome,
          message: `POST ${reset} was answered ${status}; Acme.1.0.Odd: It is odd.`,
        },
      });
      expect(bench.bmc.takeLines()).toEqual([`POST ${reset}`]);
    },
  );

  it.each([
    "ActionNotSupported",
    "ActionParameterNotSupported",
    "ActionParameterValueNotInList",
    "PropertyValueNotInList",
    "PropertyValueOutOfRange",
  ])("answered 400 or 422 with %s is unsupported", async (id) => {
    const status = id.endsWith("OutOfRange") ? 422 : 400;
    bench.bmc.fault = ({ method }, response) =>
      method === "POST" && (send(response, status, message(`Base.1.12.${id}`, "No.")), true);
    expect(await power().reset(bench.target, "forceRestart", within)).toMatchObject({
      ok: false,
      error: { kind: "unsupported" },
    });
  });

  const types = () =>
    bench.bmc.received.flatMap(({ method, body }) =>
      method === "POST" ? [(JSON.parse(body) as { ResetType: string }).ResetType] : [],
    );
  const refuses = (type: string, status = 400) => {
    bench.bmc.fault = ({ method, body }, response) =>
      method === "POST" &&
      body.includes(`"${type}"`) &&
      (send(response, status, message("Acme.1.0.Odd", `No ${type}.`)), true);
  };

  it.each([400, 422, 501])("a ForceRestart that is answered %i is the host off and on", async (status) => {
    refuses("ForceRestart", status);
    expect(await power().reset(bench.target, "forceRestart", within)).toMatchObject({
      ok: true,
      value: { power: "on" },
    });
    expect(types()).toEqual(["ForceRestart", "ForceOff", "On"]);
  });

  it("a restart that must be proven and is refused for good is the host off and on", async () => {
    await bench.bmc.stop();
    await start("dell");
    const before = await power().read(bench.target, within);
    if (!before.ok) throw new Error("the system cannot be read");
    refuses("ForceRestart");
    expect(
      await power().restart(
        bench.target,
        { before: before.value, powerCycle: false, offAndOn: false },
        within,
      ),
    ).toMatchObject({ ok: true, value: { proof: "powerOff" } });
    expect(types()).toEqual(["ForceRestart", "ForceOff", "On"]);
  });

  it("one that knows neither says both, and each is sent once", async () => {
    refuses("Force");
    bench.bmc.fault = ({ method }, response) =>
      method === "POST" && (send(response, 400, message("Acme.1.0.Odd", "No.")), true);
    const result = await power().reset(bench.target, "forceRestart", within);
    expect(result).toMatchObject({ ok: false, error: { kind: "rejected", unknownOutcome: false } });
    if (!result.ok) expect(result.error.message).toMatch(/answered 400.*; POST .* answered 400/);
    expect(types()).toEqual(["ForceRestart", "ForceOff"]);
  });

  it("a host that goes on by ForceOn only goes on", async () => {
    const { links } = await discoveredTarget(bench.bmc, bench.client);
    const both = { ...bench.target, links: { ...links, resetTypes: ["On", "ForceOn", "ForceOff"] } };
    bench.bmc.power = "Off";
    refuses("On");
    bench.bmc.acts = false;
    const going = power().reset(both, "on", { timeoutMs: 5_000 });
    await going;
    expect(types()).toEqual(["On", "ForceOn"]);
  });

  it("is waited for as long as the BMC's own task of it runs", async () => {
    bench.bmc.acts = false;
    bench.bmc.task = { Id: "7", Name: "Power off", TaskState: "Running" };
    let looks = 0;
    bench.bmc.fault = ({ method, path }) => {
      if (method === "GET" && path === system && (looks += 1) >= 60) bench.bmc.power = "Off";
      return false;
    };
    let prolonged = 0;
    const prolong = async () => (prolonged += 1) > 0;
    expect(await power().reset(bench.target, "forceOff", { timeoutMs: 30_000, prolong })).toMatchObject({
      ok: true,
      value: { power: "off" },
    });
    // 60 reads, 2 s apart: longer than one call, and longer than its own limit.
    expect(bench.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(100_000);
    expect(prolonged).toBeGreaterThan(2);
  });

  it("ends with the BMC's task of it where that failed, in its words", async () => {
    bench.bmc.acts = false;
    bench.bmc.task = {
      Id: "7",
      Name: "Power off",
      TaskState: "Exception",
      Messages: [{ Message: "The host did not go off." }],
    };
    const result = await power().reset(bench.target, "forceOff", within);
    expect(result).toMatchObject({ ok: false, error: { kind: "failed", unknownOutcome: true } });
    if (!result.ok) expect(result.error.message).toContain("Power off: Exception: The host did not go off.");
    expect(bench.slept).toEqual([]);
  });

  it("that the BMC does not list is not sent", async () => {
    const { links } = await discoveredTarget(bench.bmc, bench.client);
    const less = { ...bench.target, links: { ...links, resetTypes: ["On"] } };
    expect(await power().reset(less, "forceRestart", within)).toMatchObject({
      ok: false,
      error: { kind: "unsupported" },
    });
    expect(bench.bmc.takeLines()).toEqual([]);
  });

  it("finds the links itself when none are known", async () => {
    expect((await power().reset(targetAt(bench.bmc), "forceRestart", within)).ok).toBe(true);
  });
});

describe("powerCycle", () => {
  it("is one action where the BMC has it", async () => {
    await bench.bmc.stop();
    await start("dell");
    expect((await power().reset(bench.target, "powerCycle", within)).ok).toBe(true);
    expect(bench.bmc.received[0]?.body).toBe('{"ResetType":"PowerCycle"}');
    expect(bench.bmc.takeLines()).toHaveLength(2);
  });

  it("is off and on where it has not", async () => {
    expect(await power().reset(bench.target, "powerCycle", within)).toMatchObject({
      ok: true,
      value: { power: "on" },
    });
    expect(bench.bmc.received.flatMap(({ method, body }) => (method === "POST" ? [body] : []))).toEqual([
      '{"ResetType":"ForceOff"}',
      '{"ResetType":"On"}',
    ]);
    expect(bench.bmc.takeLines()).toHaveLength(4);
  });

  it("that ended half-way says so, with an unknown outcome", async () => {
    bench.bmc.fault = ({ body }, response) => body.includes('"On"') && (send(response, 403), true);
    const result = await power().reset(bench.target, "powerCycle", within);
    expect(result).toMatchObject({ ok: false, error: { kind: "refused", unknownOutcome: true } });
    if (!result.ok) expect(result.error.message).toContain("switched off, but not on again");
  });
});

describe("permit", () => {
  it("names the request's own time limit, and a request that was permitted too long ago is not sent", async () => {
    const asked: (number | undefined)[] = [];
    const permit = async (requestMs?: number) => (asked.push(requestMs), true);
    expect((await power().reset(bench.target, "forceOff", { timeoutMs: 45_000, permit })).ok).toBe(true);
    expect(asked).toEqual([45_000]);
    bench.bmc.takeLines();
    bench.bmc.received.length = 0;
    const standsStill = async (requestMs = 0) => (bench.jump(requestMs), true);
    const late = await power().reset(bench.target, "on", { timeoutMs: 45_000, permit: standsStill });
    expect(late).toMatchObject({ ok: false, error: { kind: "unreachable", unknownOutcome: false } });
    expect(bench.bmc.received.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("is asked right before the POST, and only then", async () => {
    const order: string[] = [];
    bench.bmc.fault = ({ method }) => (order.push(method), false);
    const permit = async () => (order.push("permit"), true);
    expect((await power().reset(bench.target, "powerCycle", { ...within, permit })).ok).toBe(true);
    expect(order).toEqual(["permit", "POST", "GET", "permit", "POST", "GET"]);
  });

  it("that is refused stops the request", async () => {
    const result = await power().reset(bench.target, "forceOff", { ...within, permit: async () => false });
    expect(result).toMatchObject({ ok: false, error: { kind: "refused", unknownOutcome: false } });
    expect(bench.bmc.takeLines()).toEqual([]);
    expect((await power().read(bench.target, within)).ok).toBe(true);
  });

  it("is asked again when the session had expired", async () => {
    bench.bmc.sessions.clear();
    let asked = 0;
    expect(
      (await power().reset(bench.target, "forceOff", { ...within, permit: async () => (asked += 1) > 0 })).ok,
    ).toBe(true);
    expect(asked).toBe(2);
  });

  it("that throws sends nothing and leaves the BMC usable", async () => {
    const permit = async () => Promise.reject(new Error("the database is gone"));
    for (let turn = 0; turn < 3; turn += 1)
      await expect(power().reset(bench.target, "forceOff", { ...within, permit })).rejects.toThrow(
        "the database is gone",
      );
    expect(bench.bmc.takeLines()).toEqual([]);
    expect((await power().read(bench.target, within)).ok).toBe(true);
  });
});
