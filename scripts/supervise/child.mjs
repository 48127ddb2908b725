// Supervises one process: starts it, restarts it when it dies or hangs, stops it when asked.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { root } from "../folders.mjs";
import { knownProcess, stopProcess } from "./identity.mjs";

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A process that ran for this long counts as healthy: its death starts a new count. */
const steadyMs = 60_000;

/** Interval between readiness checks. */
const askEveryMs = 5_000;
/** A process that was ready and is stuck for this long is restarted; after each restart that did not help, this doubles. */
const firstPatienceMs = 60_000;
const longestPatienceMs = 1_800_000;
/** Until its first readiness, a process gets this multiple of that time: it may be starting on a slow machine. */
const startFactor = 3;

/**
 * Whether a process works: `stuck` may be helped by a restart; `waiting` is not, because what it waits for is elsewhere.
 * @typedef {"ready" | "waiting" | "stuck"} Health
 */

/**
 * @typedef {object} ChildOptions
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string | undefined>} env the complete environment
 * @property {string} logFile
 * @property {(message: string) => void} say
 * @property {() => Promise<Health>} [health] polled; without it, only the end of the process is noticed
 * @property {{ askEveryMs: number, patienceMs: number }} [watch]
 * @property {() => void} changed called when another process runs under this name, or none
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
    /** Since when it is stuck, by the monotonic clock; undefined if it is not. @type {number | undefined} */
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
    // In a session of its own: Ctrl-C in the terminal must reach only the supervisor, which stops things in order.
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
   * Ends the process; its end is then handled like any other, which starts the next one.
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

  /** @returns {string} the last lines that the current or last process has logged */
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
