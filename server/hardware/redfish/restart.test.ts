// A restart that must be proven, by the reset mark or by off and on (docs/adr/0020-a-boot-is-proven.md).
import { describe, expect, it } from "vitest";
import type { RestartTarget } from "@/server/hardware/interfaces";
import { within } from "@/server/hardware/redfish/testing/setup";
import { powerBench } from "@/server/hardware/redfish/testing/benches";

const bench = powerBench();
const { power, start } = bench;

describe("a restart that must be proven", () => {
  const restart = async (changes: Partial<Omit<RestartTarget, "before">> = {}, options = within) => {
    const before = await power().read(bench.target, within);
    if (!before.ok) throw new Error("the system cannot be read");
    bench.bmc.takeLines();
    return power().restart(
      bench.target,
      { before: before.value, powerCycle: false, offAndOn: false, ...changes },
      options,
    );
  };
  const types = () =>
    bench.bmc.received
      .filter(({ method }) => method === "POST")
      .map(({ body }) => String((JSON.parse(body) as { ResetType: string }).ResetType));

  it("is one POST and one GET where the BMC tells when the host was reset last", async () => {
    await bench.bmc.stop();
    await start("dell");
    const result = await restart();
    expect(result).toMatchObject({
      ok: true,
      value: { proof: "resetMark", system: { resetMark: bench.bmc.lastReset } },
    });
    expect(types()).toEqual(["ForceRestart"]);
    expect(bench.bmc.takeLines()).toHaveLength(2);
  });

  it("is no success where the BMC takes it and the time of the last reset stays", async () => {
    await bench.bmc.stop();
    await start("dell");
    bench.bmc.tellsResets = false;
    const result = await restart({}, { timeoutMs: 45_000 });
    expect(result).toMatchObject({
      ok: false,
      error: {
        kind: "ignored",
        unknownOutcome: true,
        message: expect.stringContaining(
          "LastResetTime reads 2024-06-11T00:14:47-05:00, before 2024-06-11T00:14:47-05:00",
        ),
      },
    });
  });

  it("is no success where the BMC takes it, ignores it, and its clock is set meanwhile", async () => {
    await bench.bmc.stop();
    await start("dell");
    const startedLate = new Date("2024-06-11T05:15:00Z");
    bench.bmc.date = startedLate.toUTCString();
    bench.bmc.tellsResets = false;
    bench.bmc.fault = ({ method, path }) => {
      if (method !== "POST" || !path.endsWith("ComputerSystem.Reset")) return false;
      bench.bmc.date = undefined;
      bench.bmc.lastReset = new Date().toISOString();
      return false;
    };
    const result = await restart({}, { timeoutMs: 45_000 });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "ignored", unknownOutcome: true, message: expect.stringContaining("proves no restart") },
    });
    expect(types()).toEqual(["ForceRestart"]);
  });

  it.each([
    ["tells no time", null, "2024-06-11T00:14:47-05:00"],
    ["names no zone", undefined, "2024-06-11T00:14:47"],
    ["recorded it before its clock was set", undefined, "1970-01-01T00:00:30+00:00"],
    ["recorded it in its own future", "Sat, 28 Nov 2026 10:00:00 GMT", "2026-11-28T12:00:00Z"],
  ])("is off, read as off, and on at once, where the BMC %s", async (_what, date, mark) => {
    await bench.bmc.stop();
    await start("dell");
    Object.assign(bench.bmc, { date, lastReset: mark });
    expect(await restart()).toMatchObject({ ok: true, value: { proof: "powerOff" } });
    expect(types()).toEqual(["ForceOff", "On"]);
  });

  it.each([
    ["the BMC tells of no resets", "lenovo", {}],
    ["one by the time could not be confirmed", "dell", { offAndOn: true }],
  ] as const)("is off, read as off, and on, where %s", async (_what, tree, changes) => {
    await bench.bmc.stop();
    await start(tree);
    expect(await restart(changes)).toMatchObject({
      ok: true,
      value: { proof: "powerOff", system: { power: "on" } },
    });
    expect(types()).toEqual(["ForceOff", "On"]);
  });

  it.each([
    ["dell", {}, ["ForceRestart"]],
    ["dell", { powerCycle: true }, []],
    ["dell", { offAndOn: true }, []],
    ["lenovo", {}, []],
  ] as const)("that may only be a reset is nothing else: %s, %o", async (tree, changes, sent) => {
    await bench.bmc.stop();
    await start(tree);
    expect(await restart({ ...changes, resetOnly: true })).toMatchObject(
      sent.length > 0
        ? { ok: true, value: { proof: "resetMark" } }
        : { ok: false, error: { kind: "unsupported", unknownOutcome: false } },
    );
    expect(types()).toEqual(sent);
  });

  it("that may only be a reset is nothing else where the BMC refuses it", async () => {
    await bench.bmc.stop();
    await start("dell");
    bench.bmc.fault = ({ method, path }, response) => {
      const refused = method === "POST" && path.endsWith("ComputerSystem.Reset");
      if (refused) response.writeHead(400, { "content-type": "application/json" }).end("{}");
      return refused;
    };
    expect(await restart({ resetOnly: true })).toMatchObject({ ok: false });
    expect(types()).toEqual(["ForceRestart"]);
  });

  it("is no success where the host does not go off", async () => {
    bench.bmc.acts = false;
    expect(await restart({}, { timeoutMs: 45_000 })).toMatchObject({
      ok: false,
      error: { kind: "ignored", unknownOutcome: true },
    });
    expect(types()).toEqual(["ForceOff"]);
  });

  it("of a host that is off is to switch it on", async () => {
    bench.bmc.power = "Off";
    expect(await restart()).toMatchObject({ ok: true, value: { proof: "powerOff" } });
    expect(types()).toEqual(["On"]);
  });

  it.each([
    [true, "resetMark"],
    [false, "powerOff"],
  ] as const)(
    "of a host that is off has a mark that holds, if the BMC has told it: %s",
    async (tells, proof) => {
      await bench.bmc.stop();
      await start("dell");
      bench.bmc.power = "Off";
      bench.bmc.tellsResets = tells;
      expect(await restart()).toMatchObject({
        ok: true,
        value: { proof, ...(tells ? { system: { resetMark: bench.bmc.lastReset } } : {}) },
      });
      expect(types()).toEqual(["On"]);
    },
  );
});
