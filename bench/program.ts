// One process that the bench starts and watches. It is never restarted: if it dies, the measurement ends.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, root } from "@/scripts/folders.mjs";

export interface ProgramOptions {
  readonly name: string;
  /** The checkout that it belongs to; this one if not given. */
  readonly checkout?: string;
  /** Node's arguments, including the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
}

const patienceMs = 20_000;

let reaper: ChildProcess | null = null;

/** Tells the process that outlives us, what to end if we are killed. */
function tellReaper(line: string): void {
  if (reaper === null) {
    reaper = spawn(pinnedNode, [join(root, "bench", "end-with-bench.mjs")], {
      detached: true,
      stdio: ["pipe", "ignore", "inherit"],
    });
    reaper.unref();
    reaper.stdin?.on("error", () => undefined); // it was killed by someone; the measurement does not need it
  }
  reaper.stdin?.write(`${line}\n`);
}

export class Program {
  readonly name: string;
  readonly #logFile: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #stopping = false;
  #died: string | null = null;

  constructor({ name, checkout = root, args, env, logFile }: ProgramOptions) {
    this.name = name;
    this.#logFile = logFile;
    const log = openSync(logFile, "a", 0o600);
    // In a session of its own, as the supervisor does it (scripts/supervise/child.mjs): Linux shares processor time among sessions, and each session of
    // PostgreSQL is one (sched(7), autogroup). In the bench's session, all programs together would get as much as one of the database's sessions.
    this.#child = spawn(pinnedNode, args, {
      detached: true,
      cwd: checkout,
      env: { NODE_ENV: "production", ...env },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    if (this.#child.pid !== undefined) tellReaper(`+${this.#child.pid}`);
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error) => this.#end(error.message, resolve));
      this.#child.once("exit", (code, signal) => this.#end(signal ?? `code ${code}`, resolve));
    });
  }

  #end(how: string, resolve: () => void): void {
    if (!this.#stopping) this.#died ??= how;
    if (this.#child.pid !== undefined) tellReaper(`-${this.#child.pid}`);
    resolve();
  }

  /** Throws if it has not started or has ended. */
  get pid(): number {
    this.check();
    if (this.#child.pid === undefined) throw new Error(`the ${this.name} has not started`);
    return this.#child.pid;
  }

  /** Throws with its last output if it has died. */
  check(): void {
    if (this.#died !== null)
      throw new Error(`the ${this.name} has ended (${this.#died}). It said:\n${this.lastWords()}`);
  }

  lastWords(): string {
    return readFileSync(this.#logFile, "utf8").trim().split("\n").slice(-15).join("\n");
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), patienceMs);
    await this.#ended;
    clearTimeout(timer);
  }
}

/**
 * Waits for a condition, checked every `everyMs`; all programs must stay alive in the meantime.
 * Throws on timeout, with the progress that `state` reports.
 */
export async function until(
  what: string,
  limitMs: number,
  everyMs: number,
  programs: readonly Program[],
  signal: AbortSignal,
  look: () => Promise<true | string>,
): Promise<void> {
  const end = performance.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    for (const program of programs) program.check();
    const found = await look();
    if (found === true) return;
    if (performance.now() > end)
      throw new Error(`${what}: not within ${Math.round(limitMs / 1000)} s; ${found}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
