// Notices that the npm process which runs us is gone. When npm is killed, its shell dies too but we do not, and nobody could press Ctrl-C any more.
import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { commandLineOf, isRunning, knownProcess } from "./identity.mjs";

/**
 * The processes from our parent up to npm.
 * @returns {import("./identity.mjs").KnownProcess[]} empty if npm does not run us; then there is nothing to watch
 */
function launchers() {
  if (process.env["npm_lifecycle_event"] === undefined) return [];
  const chain = [];
  let pid = process.ppid;
  for (let level = 0; level < 4 && pid > 1; level += 1, pid = parentOf(pid)) {
    const known = knownProcess(pid);
    if (known === undefined) return [];
    chain.push(known);
    if (/\b(p?npm|npx|yarn)\b/.test(commandLineOf(pid).split(" ").slice(0, 2).join(" "))) return chain;
  }
  return [];
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    }
    return Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));
  } catch {
    return 0;
  }
}

/**
 * @param {() => void} gone called once
 * @returns {() => void} ends the watch
 */
export function watchLauncher(gone) {
  const chain = launchers();
  if (chain.length === 0) return () => undefined;
  const timer = setInterval(
    () => {
      if (chain.every(isRunning)) return;
      clearInterval(timer);
      gone();
    },
    process.platform === "linux" ? 500 : 3_000,
  );
  timer.unref();
  return () => clearInterval(timer);
}
