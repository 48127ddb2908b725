// Tells whether a process id still refers to the process it was recorded for, because ids are reused.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * @typedef {{ pid: number, identity: string }} KnownProcess a process, identified by its start time
 */

/**
 * @param {number} pid
 * @returns {string | undefined} unique to this process; undefined if it is gone or a zombie
 */
export function identityOf(pid) {
  return process.platform === "linux" ? linuxIdentity(pid) : psIdentity(pid);
}

/**
 * @param {number} pid
 * @returns {KnownProcess | undefined}
 */
export function knownProcess(pid) {
  const identity = identityOf(pid);
  return identity === undefined ? undefined : { pid, identity };
}

/** @param {KnownProcess} known */
export function isRunning(known) {
  return identityOf(known.pid) === known.identity;
}

/** @param {number} pid */
export function commandLineOf(pid) {
  try {
    if (process.platform === "linux")
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}

/**
 * If the main thread ends first, it becomes a zombie; until the other threads have ended too, the process keeps its files and its port (proc_pid_stat(5),
 * proc_pid_task(5)). Pure.
 * @param {string} state of the main thread, as in /proc/PID/stat
 * @param {number} threads that still exist
 */
export const isAlive = (state, threads) => (state !== "Z" && state !== "X") || threads > 1;

/** @param {number} pid */
function linuxIdentity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the name before may contain spaces and parentheses
    if (!isAlive(fields[0] ?? "", readdirSync(`/proc/${pid}/task`).length)) return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function psIdentity(pid) {
  try {
    const [state = "", ...started] = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
      .trim()
      .split(/\s+/);
    return state === "" || state.startsWith("Z") ? undefined : started.join(" ");
  } catch {
    return undefined;
  }
}

/**
 * Sends a signal; it is not an error if the process is gone by then.
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function signalProcess(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/**
 * @param {() => boolean} condition
 * @param {number} timeoutMs
 * @returns {Promise<boolean>} whether the condition came true in time
 */
export async function waitUntil(condition, timeoutMs) {
  const end = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() >= end) return false;
    await new Promise((done) => setTimeout(done, 20));
  }
  return true;
}

/**
 * Asks a process to stop, then forces it.
 * @param {KnownProcess} known
 * @param {{ signal: NodeJS.Signals, waitMs: number, force: NodeJS.Signals }} how
 */
export async function stopProcess(known, { signal, waitMs, force }) {
  if (!isRunning(known)) return;
  signalProcess(known.pid, signal);
  if (await waitUntil(() => !isRunning(known), waitMs)) return;
  signalProcess(known.pid, force);
  if (!(await waitUntil(() => !isRunning(known), 10_000)))
    throw new Error(`process ${known.pid} does not stop`);
}
