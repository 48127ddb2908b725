// Entry point on a real host: finds the server, takes the real tools, and runs the agent until the host restarts (docs/design/agent.md).
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "@/agent/agent";
import { bootOptions, type BootOptions } from "@/agent/boot-options";
import { readSiteSteps } from "@/agent/site-steps/site-steps";
import { readSiteTests } from "@/agent/validation/site-tests";
import type { Clock, Log } from "@/agent/surroundings";
import { machineFiles } from "@/agent/tools/machine/program/files";
import { toolRunner } from "@/agent/tools/machine/program/run-tool";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { AuthoritiesError, transport } from "@/agent/transport";

const usage =
  "usage: agent --server URL [--authorities FILE], or reclaim.server=URL on the kernel command line";

/** Exit codes as in sysexits.h: wrong usage, no input file, and no permission (the server refused the agent). */
const exits = { usage: 64, noInput: 66, refused: 77 } as const;

const clock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

const log: Log = (level, message) => {
  process.stdout.write(`${new Date().toISOString()} ${level} ${message}\n`);
};

/** The program's exit code. */
async function runAgent({ server, authorities }: BootOptions): Promise<number> {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
  const { signal } = stop;
  const run = toolRunner(signal);
  const tools = await machineTools(run, machineFiles);
  const siteSteps = await readSiteSteps(run, machineFiles);
  const siteTests = await readSiteTests(run, machineFiles);
  const http = transport({ server, ...(authorities === undefined ? {} : { authorities }) });
  const chance = { bytes: (count: number) => randomBytes(count) };
  const end = await new Agent({ clock, chance, http, tools, log, siteSteps, siteTests, signal }).run();
  switch (end.kind) {
    case "restarting":
    case "stopped":
      return 0;
    case "refused":
      log("error", end.message);
      return exits.refused;
  }
}

async function main(): Promise<number> {
  const commandLine = await readFile("/proc/cmdline", "utf8").catch(() => "");
  const options = bootOptions(process.argv.slice(2), commandLine);
  if (options === null) {
    process.stderr.write(`${usage}\n`);
    return exits.usage;
  }
  return runAgent(options);
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof AuthoritiesError)) throw error;
  log("error", error.message);
  return exits.noInput;
});
