// The system under test: simulator, controller and web in separate processes, so that their processor time can be told apart.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironments } from "@/scripts/child-environments.mjs";
import { nodeOptions, pinnedNode, root, stateFiles } from "@/scripts/folders.mjs";
import { freePort } from "@/scripts/supervise/ports.mjs";
import { run } from "@/scripts/setup/command.mjs";
import { loadSecrets } from "@/scripts/setup/secrets.mjs";
import type { BenchDatabase } from "@/bench/scale/database";
import type { Plan } from "@/bench/release/plan";
import { Program, until } from "@/bench/program";

export interface BenchSystem {
  readonly web: Program;
  readonly controller: Program;
  readonly simulator: Program | null;
  readonly programs: readonly Program[];
  readonly webUrl: string;
  readonly controllerUrl: string;
  /** Control URL and token of the simulated fleet; null without a fleet. */
  readonly control: { readonly url: string; readonly token: string } | null;
  readonly secrets: {
    readonly encryptionKey: string;
    readonly nextAuthSecret: string;
    readonly bmcPassword: string;
  };
  /** The file in which the seed stored the demo logins. */
  readonly demoLogins: string;
  readonly stop: () => Promise<void>;
}

export interface StartSystem {
  readonly database: BenchDatabase;
  readonly plan: Plan;
  /** 0: no simulated fleet. */
  readonly hosts: number;
  /** The built checkout whose programs are started; this one if not given. */
  readonly checkout?: string | undefined;
  /** The simulated fleet exists, but none of it is enrolled. */
  readonly unknownFleet?: boolean;
  /** Folder for CPU profiles; null for none. */
  readonly profiles: string | null;
  readonly signal: AbortSignal;
  /** Server settings that differ from the defaults. */
  readonly server?: Readonly<Record<string, string>>;
}

const startLimitMs = 60_000;

async function answers(url: string, headers: Record<string, string> = {}): Promise<true | string> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) });
    return response.ok ? true : `${url} answers ${response.status}`;
  } catch (error) {
    return `${url}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Node arguments for one of the built programs. */
const programOf = (checkout: string, file: string) => [...nodeOptions, join(checkout, "dist", file)];

const profileOptions = (folder: string | null, name: string): readonly string[] =>
  folder === null
    ? []
    : [
        "--cpu-prof",
        `--cpu-prof-dir=${folder}`,
        `--cpu-prof-name=${name}.cpuprofile`,
        "--cpu-prof-interval=500",
      ];

const controlOf = (port: number, token: string) => ({ url: `http://127.0.0.1:${port}/control`, token });

/** What has to be stopped: the folder and the programs started so far. */
interface Started {
  readonly folder: string;
  readonly programs: Program[];
}

async function stopAll({ folder, programs }: Started): Promise<void> {
  for (const program of programs.reverse()) await program.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts the three processes, waits until they respond, and lets the seed bring up the fleet through them. On failure, whatever was started is stopped. */
export async function startSystem(wanted: StartSystem): Promise<BenchSystem> {
  const started: Started = { folder: mkdtempSync(join(tmpdir(), "reclaim-bench-")), programs: [] };
  try {
    return await startPrograms(wanted, started);
  } catch (error) {
    await stopAll(started);
    throw error;
  }
}

async function startPrograms(wanted: StartSystem, started: Started): Promise<BenchSystem> {
  const { plan, profiles, signal, checkout = root, server = {} } = wanted;
  const { programs } = started;
  const files = stateFiles(started.folder);
  mkdirSync(files.logs, { recursive: true });
  const secrets = loadSecrets(files);
  const controllerPort = await freePort();
  const webPort = await freePort();
  const fleet =
    wanted.hosts === 0 ? undefined : { hosts: wanted.hosts, seed: plan.fleetSeed, port: await freePort() };
  const controllerUrl = `http://127.0.0.1:${controllerPort}`;
  const webUrl = `http://127.0.0.1:${webPort}`;
  const surroundings = {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, RECLAIM_LOG_LEVEL: "warn" },
    databases: { owner: wanted.database.url, server: wanted.database.url, sequencer: undefined },
    url: controllerUrl,
    options: { port: controllerPort, speed: plan.simulatorSpeed },
    secrets,
    files,
  };
  const environments = childEnvironments({ ...surroundings, fleet });
  const seeded = childEnvironments({
    ...surroundings,
    fleet: wanted.unknownFleet === true ? undefined : fleet,
  });
  // Of its own release: the one of this release may name what an earlier simulator does not know.
  const simulated = {
    ...environments.simulator,
    RECLAIM_SIM_SCENARIO: join(checkout, "server", "simulator", "living", "demo.yaml"),
  };
  const begin = (name: string, file: string, env: Environment): Program => {
    const args = [...profileOptions(profiles, name), ...programOf(checkout, file)];
    const program = new Program({ name, checkout, args, env, logFile: join(files.logs, `${name}.log`) });
    programs.push(program);
    return program;
  };
  const waitFor = (what: string, url: string, headers?: Record<string, string>) =>
    until(what, startLimitMs, 100, programs, signal, () => answers(url, headers));

  const control = fleet === undefined ? null : controlOf(fleet.port, secrets.controlToken);
  const simulator = fleet === undefined ? null : begin("simulator", "simulator.js", simulated);
  if (control !== null)
    await waitFor("the simulator", `${control.url}/counters`, { authorization: `Bearer ${control.token}` });
  const controller = begin("controller", "server.js", {
    ...environments.server,
    ...server,
    RECLAIM_ROLES: "controller",
  });
  const web = begin("web", "server.js", {
    ...environments.server,
    ...server,
    RECLAIM_ROLES: "web",
    PORT: String(webPort),
    RECLAIM_BASE_URL: webUrl,
    NEXTAUTH_URL: webUrl,
  });
  for (const url of [controllerUrl, webUrl]) await waitFor(url, `${url}/readyz`);
  const env = { ...seeded.seed, RECLAIM_SEED_BASELINES: plan.baselines ? "1" : "0" };
  await run(pinnedNode, programOf(checkout, "seed.js"), { name: "the seed", env, signal });
  const { demoLogins } = files;
  const stop = () => stopAll(started);
  return { web, controller, simulator, programs, webUrl, controllerUrl, control, secrets, demoLogins, stop };
}
