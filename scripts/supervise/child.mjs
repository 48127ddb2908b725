// Keeps one process running: starts it, starts it again when it dies, stops it when asked.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { root } from "../folders.mjs";
import { knownProcess, stopProcess } from "./identity.mjs";

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A process that has run for so long was all right: its death begins a new count. */
const steadyMs = 60_000;

/** Between two questions for its readiness. */
const askEveryMs = 5_000;
/** One that has been ready and is not any more is started again after this; each time in vain it is given twice as long. */
const firstPatienceMs = 60_000;
const longestPatienceMs = 1_800_000;
/** Before its first readiness a process is given so many times its patience: it may be starting on a slow machine. */
const startFactor = 3;

/**
 * Whether a process works: `stuck` may be helped by starting it again; `waiting` may not, because what it waits for is elsewhere.
 * @typedef {"ready" | "waiting" | "stuck"} Health
 */

/**
 * @typedef {object} ChildOptions
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string | undefined>} env all of it
 * @property {string} logFile
 * @property {(message: string) => void} say
 * @property {() => Promise<Health>} [health] asked again and again; without it only its end is seen
 * @property {{ askEveryMs: number, patienceMs: number }} [watch]
 * @property {() => void} changed another process now runs under this name, or none
 */

export class Child {
  /** @param {ChildOptions} options */
  constructor(options) {
    this.options = options;
    this.name = options.name;
    /** Deaths since it last ran steadily. */
    this.deaths = 0;
    /** @type {import("./identity.mjs").KnownProcess | undefined} */
    this.process = undefined;
    this.stopping = false;
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined;
    this.logFrom = 0;
    /** Since when it is stuck, by the monotonic clock; undefined: it is not. @type {number | undefined} */
    this.stuckSince = undefined;
    this.hasBeenReady = false;
    this.patienceMs = options.watch?.patienceMs ?? firstPatienceMs;
    /** @type {NodeJS.Timeout | undefined} */
    this.watch = undefined;
  }

  start() {
    const { command, args, env, logFile } = this.options;
    this.logFrom = existsSync(logFile) ? statSync(logFile).size : 0;
    const log = openSync(logFile, "a", 0o600);
    // In a session of its own: Ctrl-C in the terminal must reach the supervisor only, which stops things in order.
    const child = spawn(command, args, {
      cwd: root,
      env: { NODE_ENV: "production", ...env },
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const started = Date.now();
    this.hasBeenReady = false;
    this.stuckSince = undefined;
    this.askLater();
    this.process = child.pid === undefined ? undefined : knownProcess(child.pid);
    this.options.changed();
    let ended = false;
    /** @param {string} how */
    const end = (how) => {
      if (ended) return;
      ended = true;
      clearTimeout(this.watch);
      this.process = undefined;
      this.options.changed();
      if (!this.stopping) this.startAgain(how, Date.now() - started);
    };
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(signal ?? `code ${code}`));
  }

  /**
   * @param {string} how
   * @param {number} ranMs
   */
  startAgain(how, ranMs) {
    this.deaths = ranMs > steadyMs ? 1 : this.deaths + 1;
    const delayMs = Math.min(firstDelayMs * 2 ** (this.deaths - 1), longestDelayMs);
    this.options.say(
      `The ${this.name} has ended unexpectedly (${how}); starting it again in ${delayMs / 1000} s. Its log: ${this.options.logFile}`,
    );
    this.timer = setTimeout(() => this.start(), delayMs);
  }

  askLater() {
    const { health, watch } = this.options;
    if (health === undefined || this.stopping) return;
    clearTimeout(this.watch);
    this.watch = setTimeout(() => void this.ask(health), watch?.askEveryMs ?? askEveryMs);
  }

  /** @param {() => Promise<Health>} health */
  async ask(health) {
    const asked = this.process;
    const found = await health();
    if (asked === undefined || this.process !== asked || this.stopping) return;
    const now = performance.now();
    if (found === "ready") {
      this.hasBeenReady = true;
      this.patienceMs = this.options.watch?.patienceMs ?? firstPatienceMs;
    }
    if (found !== "stuck") this.stuckSince = undefined;
    else if (this.stuckSince === undefined) this.stuckSince = now;
    else if (now - this.stuckSince >= this.patienceMs * (this.hasBeenReady ? 1 : startFactor))
      return this.restart(asked, now - this.stuckSince);
    this.askLater();
  }

  /**
   * Ends the process; its end is seen like any other, and starts the next.
   * @param {import("./identity.mjs").KnownProcess} stuck
   * @param {number} stuckMs
   */
  async restart(stuck, stuckMs) {
    this.options.say(
      `The ${this.name} has not been ready for ${Math.round(stuckMs / 1000)} s; it is stopped and started again. Its log: ${this.options.logFile}`,
    );
    this.patienceMs = Math.min(this.patienceMs * 2, longestPatienceMs);
    await stopProcess(stuck, { signal: "SIGTERM", waitMs: 20_000, force: "SIGKILL" });
  }

  /** @returns {string} what the present or last process has logged, its last lines */
  lastWords() {
    const { logFile } = this.options;
    if (!existsSync(logFile)) return "";
    return readFileSync(logFile)
      .subarray(this.logFrom)
      .toString("utf8")
      .trim()
      .split("\n")
      .slice(-15)
      .join("\n");
  }

  async stop() {
    this.stopping = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    if (this.process !== undefined)
      await stopProcess(this.process, { signal: "SIGTERM", waitMs: 20_000, force: "SIGKILL" });
  }

  kill() {
    this.stopping = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    if (this.process !== undefined) process.kill(this.process.pid, "SIGKILL");
  }
}
