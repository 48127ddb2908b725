// Finds the PostgreSQL that runs on a data folder, even one that outlived the process that started it.
import { existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commandLineOf, knownProcess } from "../supervise/identity.mjs";

/**
 * @typedef {{ process: import("../supervise/identity.mjs").KnownProcess, port: number, ready: boolean }} Postmaster
 */

/**
 * @param {string} dataDir
 * @returns {Postmaster | undefined} undefined if none is running; a stale lock file is then removed, because
 *   PostgreSQL itself would mistake any process with the reused number for its predecessor
 */
export function findPostmaster(dataDir) {
  const lockFile = join(dataDir, "postmaster.pid");
  if (!existsSync(lockFile)) return undefined;
  const [pid, folder, , port, , , , status] = readFileSync(lockFile, "utf8").split("\n");
  const known = knownProcess(Number(pid));
  if (known !== undefined && folder !== undefined && isPostgresOn(known.pid, dataDir)) {
    return { process: known, port: Number(port), ready: status?.trim() === "ready" };
  }
  rmSync(lockFile, { force: true });
  return undefined;
}

/**
 * @param {number} pid
 * @param {string} dataDir
 */
function isPostgresOn(pid, dataDir) {
  const command = commandLineOf(pid);
  return (
    /(^|\/)postgres(\.exe)? /.test(command) &&
    (command.includes(dataDir) || command.includes(realpathSync(dataDir)))
  );
}
