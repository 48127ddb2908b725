// What the step does to a GPU and what it reports, through the tool layer that reads NVIDIA's program, whose outputs are in the form of its source.
import { describe, expect, it } from "vitest";
import { clearingMs } from "@/server/domain/cleaning/clearing-time";
import { deviceMemoryTools } from "@/agent/tools/machine/parts/device-memory-tools";
import { commandText, type Ran, type RunTool } from "@/agent/tools/machine/program/run-tool";
import { clearDeviceMemory } from "@/agent/steps/platform/clear-device-memory";
import type { StepContext } from "@/agent/steps/step";
import { done, execute, world } from "@/agent/testing/agent-world";
import type { Part } from "@/server/domain/hosts/parts/part";

const slot = "0000:17:00.0";
const gpu: Part = { kind: "gpu", slot, model: "NVIDIA H100 PCIe", pciId: "10de:2331" };
const version = "NVIDIA GPU Tools version v2025.10.20o\nCommand line arguments: […]\n";
const log = (level: string, said: string): string => `2026-11-01,12:00:00.000 ${level.padEnd(8)} ${said}\n`;

interface Gpu {
  /** Its memory keeps what was written over a reset. */
  readonly keeps?: boolean;
  /** Of the given reset: 1 is the first. */
  readonly fails?: number;
  /** BAR1 leads nowhere: from the start, or after the second reset. */
  readonly blind?: "always" | "later";
  readonly selects?: string;
  /** What it logs besides, of any device. */
  readonly logs?: string;
}

/** A program that does as NVIDIA's, and the commands that it was called with. */
function program({ keeps = false, fails = 0, blind, selects = slot, logs = "" }: Gpu) {
  const words = new Map<number, number>();
  const calls: string[][] = [];
  let resets = 0;
  const run: RunTool = (path, args) => {
    calls.push(args.slice(2));
    let said = logs + log("INFO", `Selected GPU ${selects} H100-PCIE 0x2331 BAR0 0x3a042000000`);
    if (args.includes("--reset-with-sbr")) {
      resets += 1;
      if (!keeps) words.clear();
      if (resets === fails) said += log("ERROR", "Clearing memory not supported on GPU");
    }
    const unseen = blind === "always" || (blind === "later" && resets > 1);
    const [what, at = "", word = ""] = args.slice(2);
    if (what === "--write-bar1" && !unseen) words.set(Number(at), Number(word));
    if (what === "--read-bar1")
      said += log("INFO", `BAR1 read ${at} = 0x${(words.get(Number(at)) ?? 0).toString(16)}`);
    const ran: Ran = {
      ...{ command: commandText(path, args), exitCode: 0, stdout: Buffer.from(version) },
      ...{ stderr: said, cut: false },
    };
    return Promise.resolve(ran);
  };
  return { run, calls };
}

function treat(run: RunTool, parts: readonly Part[] = [gpu], nowMs = () => 0) {
  const { around } = world(() => new Error("no server"));
  const command = execute("c", 1, "clear_device_memory");
  if (command.kind !== "execute") throw new Error("not a step");
  const tools = {
    ...around.tools,
    parts: { ...around.tools.parts, pci: () => done(parts) },
    deviceMemory: deviceMemoryTools(run),
  };
  const context: StepContext = {
    ...{ command, tools, log: around.log, finished: [] },
    clock: { ...around.clock, now: () => new Date(nowMs()) },
    chance: { bytes: (count) => Uint8Array.from({ length: count }, (_, at) => 17 * (at + 1)) },
    reporter: {
      note: () => undefined,
      erases: () => undefined,
      acknowledge: () => Promise.resolve({ goOn: true }),
    },
    aborted: new AbortController().signal,
  };
  return clearDeviceMemory.run(context);
}

const missing: RunTool = (path, args) =>
  Promise.resolve({
    ...{ command: commandText(path, args), exitCode: 127, stdout: new Uint8Array() },
    ...{ stderr: "spawn ENOENT", cut: false },
  });

describe("a GPU", () => {
  it("is cleared twice, with canaries in between that are gone afterwards", async () => {
    const { run, calls } = program({});
    expect(await treat(run)).toEqual({
      ...{ result: "OK", message: "1 of 1 device cleared", devices: [] },
      memory: [
        { ...gpu, cleared: true, canary: "absent", said: "the GPU reported its memory clear after a reset" },
      ],
    });
    const reset = ["--sysfs-unbind", "--reset-with-sbr", "--clear-memory"];
    expect(calls.filter(([first]) => first === "--sysfs-unbind")).toEqual([reset, reset]);
    expect(calls.filter(([first]) => first === "--write-bar1").length).toBe(8);
  });

  it.each([
    ["keeps its memory", { keeps: true }, { cleared: true, canary: "present" }],
    [
      "keeps its memory, and says that it cannot clear it",
      { keeps: true, fails: 2 },
      { cleared: false, canary: "present" },
    ],
    ["cannot clear it", { fails: 1 }, { cleared: false, canary: "none" }],
    ["cannot clear it the second time", { fails: 2 }, { cleared: false, canary: "absent" }],
    ["has a window that leads nowhere", { blind: "always" }, { cleared: true, canary: "none" }],
    ["has one that leads nowhere afterwards", { blind: "later" }, { cleared: true, canary: "unreadable" }],
    [
      "is not the one that the program selected",
      { selects: "0000:18:00.0" },
      { cleared: false, canary: "none" },
    ],
  ] as const)("that %s is reported so", async (_what, of, memory) => {
    expect((await treat(program(of).run)).memory).toMatchObject([memory]);
  });

  it("is not cleared by an image without the program, or if it is another vendor's", async () => {
    expect((await treat(missing)).memory).toMatchObject([
      { cleared: false, said: "the agent image does not have NVIDIA's gpu-admin-tools" },
    ]);
    const { run, calls } = program({});
    expect((await treat(run, [{ ...gpu, pciId: "1002:74a1" }])).memory).toMatchObject([{ cleared: false }]);
    expect(calls).toEqual([]);
  });
});

describe("a device whose power Linux manages", () => {
  const device = "PCI 0000:18:00.0 0x10de:0x2331";
  const on = log("WARNING", `${device} was in D3/control:auto, forced power control to on. New state D0`);
  const back = log("WARNING", `${device} restoring power control to auto`);

  it("is warned of before and after, which is no failure", async () => {
    expect((await treat(program({ logs: on + back }).run)).memory).toMatchObject([
      { cleared: true, canary: "absent" },
    ]);
  });

  it.each([
    ["stays off", on.replace("D0", "D3")],
    [
      "is warned of in other words as well",
      `${on}${log("WARNING", `${device} not in D0 (current state 3)`)}`,
    ],
    ["fails as well", `${on}${log("ERROR", "reset failed")}${back}`],
  ])("and that %s is not cleared", async (_what, logs) => {
    expect((await treat(program({ logs }).run)).memory).toMatchObject([{ cleared: false }]);
  });
});

it("what was cleared is reported when the time is over; the rest is not cleared, and nothing more is started", async () => {
  const { run, calls } = program({});
  const parts = [gpu, gpu, gpu];
  // The second one is not done when it is over.
  const nowMs = () => (calls.length < 30 ? 0 : clearingMs);
  const { result, memory } = await treat(run, parts, nowMs);
  expect(result).toBe("OK");
  const said = "the time of the step was over before it was cleared";
  expect(memory).toMatchObject([{ cleared: true }, { cleared: false, said }, { cleared: false, said }]);
  expect(calls.length).toBe(30);
});

it("an NVLink switch is reset and not asked to clear memory; other cards are left alone", async () => {
  const { run, calls } = program({});
  const memory = await treat(run, [
    { ...gpu, kind: "nvswitch" },
    { ...gpu, kind: "nic", slot: "0000:31:00.0" },
  ]);
  expect(memory.memory).toEqual([
    { ...gpu, kind: "nvswitch", cleared: true, canary: "none", said: "the switch was reset by its bus" },
  ]);
  expect(calls).toEqual([["--sysfs-unbind", "--reset-with-sbr"]]);
});

it("a slot or an offset that is none never reaches the program", async () => {
  const { run, calls } = program({});
  const tools = deviceMemoryTools(run);
  expect((await tools.reset("gpus", true)).value).toBeNull();
  expect((await tools.write(slot, 1024 * 1024, 1)).value).toBeNull();
  expect((await tools.read(slot, 2)).value).toBeNull();
  expect(calls).toEqual([]);
});
