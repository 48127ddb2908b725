// An embedded PostgreSQL for one test run. It ends, and its folder is removed, when the process that requested it ends, even by kill -9.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canReach, databaseAccount } from "./account.mjs";
import { installedBinaries, openFolder } from "./binaries.mjs";
import { initialise, start, urlOf } from "./cluster.mjs";
import { throwAway } from "./settings.mjs";

/**
 * A folder in memory (Linux). Copying a database creates a thousand files, which costs a tenth there of what it costs on a disk
 * (docs/adr/0035-cheap-tests.md).
 */
const inMemory = "/dev/shm";
/** Required space in the folder and in memory: many times what the tests of a whole run need at once. */
const roomBytes = 6 * 1024 ** 3;

/** @param {import("./account.mjs").Account | undefined} account @returns {boolean} whether there is such a folder with room; most containers have 64 MB of it */
function hasRoomInMemory(account) {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomBytes && freemem() >= roomBytes && canReach(inMemory, account);
  } catch {
    return false;
  }
}

/** @param {import("./account.mjs").Account | undefined} account @param {boolean} durable */
function parentFolder(account, durable) {
  if (!durable && hasRoomInMemory(account)) return inMemory;
  return canReach(tmpdir(), account) ? tmpdir() : openFolder(account);
}

/**
 * @param {Record<string, string>} [settings] `throwAway` if not given
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} URL of its database `postgres`
 */
export async function startEphemeral(settings = throwAway) {
  const account = databaseAccount();
  const folder = mkdtempSync(join(parentFolder(account, settings["fsync"] !== "off"), "reclaim-test-"));
  chmodSync(folder, 0o711);
  const cluster = {
    binDir: installedBinaries(account),
    dataDir: join(folder, "data"),
    account,
    password: randomBytes(18).toString("base64url"),
    logFile: join(folder, "postgres.log"),
    settings,
  };
  const guard = spawn(process.execPath, [fileURLToPath(new URL("guard.mjs", import.meta.url)), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const guarded = new Promise((done) => guard.once("exit", done));
  guard.unref();
  const stop = async () => {
    guard.ref(); // otherwise this process might end before the guard has
    guard.stdin.end();
    await guarded;
  };
  try {
    initialise(cluster);
    const { port } = await start(cluster);
    return { url: urlOf(cluster, port, "postgres"), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
