// NVIDIA's gpu-admin-tools on a simulated host: prints what that program prints, which the agent's own tool layer reads.
import { deviceMemoryTools } from "@/agent/tools/machine/parts/device-memory-tools";
import { commandText, type Ran, type RunTool } from "@/agent/tools/machine/program/run-tool";
import type { DeviceMemoryTools } from "@/agent/tools/tools";
import { partsOf } from "@/server/simulator/host/part-tools";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { ToolCall } from "@/server/simulator/host/tool-call";

const resetMs = 4_000;
const wordMs = 500;

const logged = (level: "INFO" | "ERROR", message: string): string =>
  `2026-11-01,12:00:00.000 ${level.padEnd(8)} ${message}\n`;

const optionIn = (args: readonly string[], name: string, at = 1): string | undefined => {
  const index = args.indexOf(name);
  return index < 0 ? undefined : args[index + at];
};

/** What it does with one GPU, as the lines that it logs. */
function act(host: SimulatedHost, slot: string, args: readonly string[]): string {
  const words = host.gpuMemory.get(slot) ?? new Map<number, number>();
  host.gpuMemory.set(slot, words);
  const kept = host.faults.parts?.[slot]?.memory;
  if (args.includes("--reset-with-sbr") && kept !== "kept") words.clear();
  if (args.includes("--clear-memory") && kept === "unsupported")
    return logged("ERROR", `Clearing memory not supported on GPU ${slot}`);
  const [at, word] = [optionIn(args, "--write-bar1"), optionIn(args, "--write-bar1", 2)];
  if (at !== undefined && word !== undefined) words.set(Number(at), Number(word));
  const read = optionIn(args, "--read-bar1");
  return read === undefined
    ? ""
    : logged("INFO", `BAR1 read ${read} = 0x${(words.get(Number(read)) ?? 0).toString(16)}`);
}

function runOn(host: SimulatedHost, path: string, args: readonly string[]): Ran {
  const command = commandText(path, args);
  const ended = (exitCode: number, stdout: string, stderr: string): Ran => ({
    ...{ command, exitCode, stdout: Buffer.from(stdout), stderr, cut: false },
  });
  const slot = optionIn(args, "--devices") ?? "";
  if (host.faults.parts?.[slot]?.memory === "noProgram") return ended(127, "", `spawn ${path} ENOENT`);
  const version = `NVIDIA GPU Tools version v2025.10.20o\nCommand line arguments: ${JSON.stringify(args)}\n`;
  const part = partsOf(host).find((each) => each.slot === slot);
  if (part === undefined) return ended(1, version, logged("ERROR", `No devices found matching: ${slot}`));
  const chosen = logged("INFO", `Selected GPU ${slot} ${part.model} ${part.pciId ?? ""}`);
  return ended(0, version, `${chosen}${act(host, slot, args)}`);
}

export function gpuAdminTools(host: SimulatedHost, call: ToolCall): DeviceMemoryTools {
  const run: RunTool = (path, args) =>
    call("", args.includes("--reset-with-sbr") ? resetMs : wordMs, () => runOn(host, path, args));
  return deviceMemoryTools(run);
}
