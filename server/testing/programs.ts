// The real programs, bundled for a test run as `npm run build` does it, and processes of them that a test may kill, stop and continue.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import type { Plugin } from "esbuild";
import { inject } from "vitest";
import { pinnedNode, root, shortLivedOptions } from "@/scripts/folders.mjs";
import { sharedProgramsFolder, testFolder } from "@/server/testing/program-folders";
import { extractPreviousRelease, generatePreviousClient } from "@/scripts/testing/previous-release.mjs";

const programs = { server: "server/main.ts", simulator: "server/simulator/main.ts" };
export type ProgramName = keyof typeof programs;

/** Generous: a limit tells a build that hangs from one on a slow machine, and nothing else. */
const buildLimitMs = 120_000;

export interface Bundle {
  /** Of this test file: logs, folders of state. */
  readonly folder: string;
  /** Where the programs are. */
  readonly programs: string;
  remove(): void;
}

/** `plugins`: of a build that is to be another program than ours. Bundles beside `node_modules`, where the packages that stay outside are found. */
export async function bundlePrograms(plugins: readonly Plugin[] = []): Promise<Bundle> {
  const changes = [...plugins, ...(globalThis.__safetyPlugins ?? [])];
  if (changes.length === 0) return newBundle(await sharedPrograms(inject("testPrefix")));
  const bundle = newBundle();
  await buildFrom(root, bundle.folder, changes);
  return bundle;
}

/** The programs of the previous release, with the packages of this one. Throws when this clone does not have it. */
export async function bundlePreviousRelease(): Promise<Bundle> {
  const bundle = newBundle();
  try {
    const source = join(bundle.folder, "source");
    extractPreviousRelease(source);
    generatePreviousClient(source, pinnedNode);
    await buildFrom(source, bundle.folder, []);
    return bundle;
  } catch (error) {
    bundle.remove();
    throw error;
  }
}

/** Not where `programs` are shared: then only what the test file wrote is removed. */
function newBundle(programs?: string): Bundle {
  const folder = join(testFolder, randomBytes(6).toString("hex"));
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    programs: join(programs ?? folder, "bundle"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * The programs as they are now, built once per run: to build them takes two seconds of processor time, and some twenty test files start them.
 * @param name of the run
 * @returns their folder, which the run's global set-up removes
 */
async function sharedPrograms(name: string): Promise<string> {
  const shared = sharedProgramsFolder(name);
  for (const end = performance.now() + buildLimitMs; !existsSync(shared); await delay(50)) {
    if (performance.now() > end) throw new Error(`another worker has not built ${shared} in time`);
    await buildShared(shared);
  }
  return shared;
}

/** Builds unless another worker does; complete as soon as it has its name. */
async function buildShared(shared: string): Promise<void> {
  const building = `${shared}.building`;
  mkdirSync(testFolder, { recursive: true });
  try {
    mkdirSync(building);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw error;
  }
  try {
    await buildFrom(root, building, []);
    if (!existsSync(shared)) renameSync(building, shared);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

declare global {
  /** Set by the mutation run, which takes a safety check out of what is bundled (docs/adr/0036-safety-checks-are-marked.md). */
  var __safetyPlugins: readonly Plugin[] | undefined;
}

async function buildFrom(source: string, folder: string, plugins: readonly Plugin[]): Promise<void> {
  await build({
    absWorkingDir: source,
    entryPoints: programs,
    outdir: join(folder, "bundle"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node22",
    format: "esm",
    splitting: true,
    packages: "external",
    alias: { "@": source },
    plugins: [...plugins],
    logLevel: "warning",
  });
  cpSync(join(source, "server", "simulator", "trees"), join(folder, "server", "simulator", "trees"), {
    recursive: true,
  });
}

const patienceMs = 20_000;

/** Processes that must not outlive this one, whatever ends it. */
const living = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

/** One program that a test starts, and ends by its process id; what it says goes to a file in the bundle's folder. */
export class TestProcess {
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #expected = false;
  #died: string | null = null;
  readonly #log: string;

  readonly #bundle: Bundle;
  readonly #env: Readonly<Record<string, string>>;

  constructor(
    bundle: Bundle,
    readonly program: ProgramName,
    readonly name: string,
    env: Readonly<Record<string, string>>,
  ) {
    this.#bundle = bundle;
    this.#env = env;

    this.#log = join(bundle.folder, `${name}.log`);
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error(`${this.name} does not run`);
    return pid;
  }

  /** Again after its end, too; `settings` are those that differ from the first start's. */
  start(settings: Readonly<Record<string, string>> = {}): void {
    this.#expected = false;
    this.#died = null;
    const log = openSync(this.#log, "a", 0o600);
    const program = join(this.#bundle.programs, `${this.program}.mjs`);
    const child = spawn(pinnedNode, [...shortLivedOptions, program], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: "production",
        // A start compiles only what no start before it has compiled.
        NODE_COMPILE_CACHE: join(this.#bundle.programs, "compiled"),
        ...this.#env,
        ...settings,
      },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    living.add(child);
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      const end = (how: string): void => {
        living.delete(child);
        if (!this.#expected) this.#died ??= how;
        resolve();
      };
      child.once("error", (error) => end(error.message));
      child.once("exit", (code, signal) => end(signal ?? `code ${code}`));
    });
  }

  /** Throws with its last words when it has ended by itself. */
  check(): void {
    if (this.#died !== null)
      throw new Error(
        `${this.name} has ended (${this.#died}). It said:\n${this.said().split("\n").slice(-20).join("\n")}`,
      );
  }

  /** Waits for its end; says how it ended by itself: a code, or a signal. Null: it was stopped. */
  async ended(): Promise<string | null> {
    await this.#ended;
    return this.#died;
  }

  said(): string {
    return readFileSync(this.#log, "utf8").trim();
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** As a power cut does it. */
  async kill(): Promise<void> {
    this.#expected = true;
    this.#child?.kill("SIGKILL");
    await this.#ended;
  }

  /** As `npm start` does it; a process that does not end is killed. */
  async stop(): Promise<void> {
    this.#expected = true;
    this.#child?.kill("SIGCONT");
    this.#child?.kill("SIGTERM");
    const timer = setTimeout(() => this.#child?.kill("SIGKILL"), patienceMs);
    await this.#ended;
    clearTimeout(timer);
  }
}
