// What a simulated host does after its self test: it asks the boot server, and starts the real agent or boots from disk.
import { randomBytes } from "node:crypto";
import type { Pool } from "undici";
import { Agent } from "@/agent/agent";
import type { Http } from "@/agent/surroundings";
import { sleep } from "@/server/simulator/hardware-time";
import { ask } from "@/server/simulator/host/ask";
import { runIpxe, type StartedImage } from "@/server/simulator/host/ipxe";
import { agentHttp } from "@/server/simulator/host/agent-http";
import { durationsMs } from "@/server/simulator/host/machine";
import type { BootProgram, SimulatedHost } from "@/server/simulator/host/simulated-host";
import { simulatedTools } from "@/server/simulator/host/tools";

export interface BootSurroundings {
  /** Connections to the controller, used for everything that hosts and agents send. */
  readonly pool: Pool;
  readonly log: (level: "info" | "warn" | "error", host: string, message: string) => void;
}

const firmwareTries = 60;
const firmwarePauseMs = 1_000;
/** However fast the fleet's time runs, a script that waits must not keep the server busy. */
const shortestPauseMs = 50;

/** Firmware retries while nobody answers. It moves on to the next boot device when told to, or when it runs out of tries. */
async function bootScript(host: SimulatedHost, pool: Pool, signal: AbortSignal): Promise<string> {
  const query = `uuid=${host.blueprint.uuid}&mac=${encodeURIComponent(host.blueprint.nics[0]?.mac ?? "")}`;
  for (let attempt = 1; attempt <= firmwareTries && !signal.aborted; attempt += 1) {
    try {
      host.counters.bootRequests += 1;
      const { status, text } = await ask(pool, { method: "GET", path: `/boot/ipxe?${query}`, signal });
      if (status === 200) return text;
      if (status < 500) return "";
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
    await sleep(firmwarePauseMs, signal);
  }
  return "";
}

/** Loads what a script chains to. The scripts are the boot server's own. */
async function chained(
  host: SimulatedHost,
  pool: Pool,
  url: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { pathname, search } = new URL(url);
  host.counters.bootRequests += 1;
  try {
    const { status, text } = await ask(pool, { method: "GET", path: `${pathname}${search}`, signal });
    return status === 200 ? text : null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return null;
  }
}

async function runAgent(
  host: SimulatedHost,
  image: StartedImage,
  around: BootSurroundings,
  signal: AbortSignal,
): Promise<void> {
  await host.time.wait(durationsMs.imageLoad, signal);
  if (signal.aborted) return;
  host.running = "agent";
  if (host.faults.agent?.neverRegister) return;
  host.counters.agentStarts += 1;
  const http: Http = agentHttp(host, around.pool);
  const agent = new Agent({
    clock: { now: () => new Date(), sleep },
    chance: { bytes: (count) => randomBytes(count) },
    http,
    tools: simulatedTools(host, image, signal),
    log: (level, message) => around.log(level, host.blueprint.serial, message),
    signal,
  });
  try {
    const end = await agent.run();
    if (signal.aborted) return;
    if (end.kind === "restarting") host.restartItself();
    else host.running = "idle";
    if (end.kind === "refused") around.log("warn", host.blueprint.serial, end.message);
  } catch (error) {
    if (signal.aborted) return;
    host.running = "idle";
    around.log(
      "error",
      host.blueprint.serial,
      `the agent broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}

/** Starts whatever is on the disks: in a tenant's network that is the tenant's system, which writes its data. Clean disks start nothing. */
function bootFromDisk(host: SimulatedHost): void {
  const tenants =
    host.network === "tenant" ||
    (host.network === "unknown" && host.drives.some((drive) => drive.holdsTenantData));
  if (!tenants) {
    host.running = "idle";
    return;
  }
  host.running = "tenant";
  host.counters.tenantBoots += 1;
  for (const drive of host.drives) drive.fillWithTenantData();
  host.tpmOwned = true;
}

export function bootProgram(around: BootSurroundings): BootProgram {
  return async (host, source, signal) => {
    if (source === "network") {
      host.running = "network-boot";
      const script = await bootScript(host, around.pool, signal);
      if (signal.aborted) return;
      const end = await runIpxe(script, {
        signal,
        load: (url) => chained(host, around.pool, url, signal),
        pause: (seconds) => sleep(Math.max(shortestPauseMs, host.time.scaled(seconds * 1_000)), signal),
      });
      if (signal.aborted) return;
      if (end !== "nextDevice") {
        await runAgent(host, end, around, signal);
        return;
      }
    }
    bootFromDisk(host);
  };
}
