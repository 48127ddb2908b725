// Keeps one process running: starts it, starts it again when it dies, stops it when asked.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { root } from "../folders.mjs";
import { knownProcess, stopProcess } from "./identity.mjs";

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A process that has run for so long was all right: its death begins a new count. */
const steadyMs = 60_000;

/**
 * @typedef {object} ChildOptions
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string | undefined>} env all of it
 * @property {string} logFile
 * @property {(message: string) => void} say
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
  }

  start() {
    const { command, args, env, logFile } = this.options;
    this.logFrom = existsSync(logFile) ? statSync(logFile).size : 0;
    const log = openSync(logFile, "a", 0o600);
    // In a session of its own: Ctrl-C in the terminal must reach the supervisor only, which stops things in order.
    const child = spawn(command, args, { cwd: root, env: { NODE_ENV: "production", ...env }, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    const started = Date.now();
    this.process = child.pid === undefined ? undefined : knownProcess(child.pid);
    this.options.changed();
    let ended = false;
    /** @param {string} how */
    const end = (how) => {
      if (ended) return;
      ended = true;
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
    this.options.say(`The ${this.name} has ended unexpectedly (${how}); starting it again in ${delayMs / 1000} s. Its log: ${this.options.logFile}`);
    this.timer = setTimeout(() => this.start(), delayMs);
  }

  /** @returns {string} what the present or last process has logged, its last lines */
  lastWords() {
    const { logFile } = this.options;
    if (!existsSync(logFile)) return "";
    return readFileSync(logFile).subarray(this.logFrom).toString("utf8").trim().split("\n").slice(-15).join("\n");
  }

  async stop() {
    this.stopping = true;
    clearTimeout(this.timer);
    if (this.process !== undefined) await stopProcess(this.process, { signal: "SIGTERM", waitMs: 20_000, force: "SIGKILL" });
  }

  kill() {
    this.stopping = true;
    clearTimeout(this.timer);
    if (this.process !== undefined) process.kill(this.process.pid, "SIGKILL");
  }
}
