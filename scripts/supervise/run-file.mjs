// Who runs on a state folder: recorded as processes come and go, so that the next start finds what a killed one left behind.
import { readState, writeState } from "../state-file.mjs";
import { isRunning, knownProcess, stopProcess } from "./identity.mjs";

/**
 * @typedef {import("./identity.mjs").KnownProcess} KnownProcess
 * @typedef {{ supervisor: KnownProcess, url?: string, children: { name: string, process: KnownProcess }[] }} Run
 */

/**
 * Takes the state folder for this process.
 * @param {string} file
 * @returns {Promise<string[]>} names of the processes of an earlier start that were still running and are now stopped
 * @throws if another start is running
 */
export async function takeOver(file) {
  const earlier = /** @type {Run | undefined} */ (readState(file));
  if (earlier !== undefined && earlier.supervisor.pid !== process.pid && isRunning(earlier.supervisor)) {
    const where = earlier.url === undefined ? "is just starting" : `is running at ${earlier.url}`;
    throw new Error(`Reclaim ${where} already (process ${earlier.supervisor.pid})`);
  }
  const left = earlier?.children.filter((child) => isRunning(child.process)) ?? [];
  recordRun(file, { children: left }); // still ours to stop if we are killed too
  await Promise.all(
    left.map((child) => stopProcess(child.process, { signal: "SIGTERM", waitMs: 10_000, force: "SIGKILL" })),
  );
  recordRun(file, { children: [] });
  return left.map((child) => child.name);
}

/**
 * @param {string} file
 * @param {Omit<Run, "supervisor">} run
 */
export function recordRun(file, run) {
  const supervisor = knownProcess(process.pid);
  if (supervisor === undefined) throw new Error("cannot read our own process's start time");
  writeState(file, { supervisor, ...run });
}
