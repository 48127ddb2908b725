// The embedded PostgreSQL of a state folder: finds or chooses the place of its data, starts it, starts it again when it dies, stops it.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { readState, writeState } from "../state-file.mjs";
import { canReach, databaseAccount } from "./account.mjs";
import { installedBinaries, openFolder } from "./binaries.mjs";
import { initialise, start, stop, urlOf } from "./cluster.mjs";
import { findPostmaster } from "./postmaster.mjs";
import { durable } from "./settings.mjs";

/**
 * @typedef {{ dataDir: string, port?: number }} Record what is known from earlier starts; a folder inside the state folder is relative to it, and so moves with it
 */

/**
 * @param {import("../folders.mjs").StateFiles} files
 * @param {string} password
 * @returns {Promise<{ url: string, reused: boolean, elsewhere: string | undefined, stop: () => Promise<void>, watch: (hooks: { say: (message: string) => void, lost: (error: unknown) => void }) => () => void }>}
 */
export async function startEmbedded(files, password) {
  const record = /** @type {Record | undefined} */ (readState(files.postgres));
  const account = databaseAccount();
  const cluster = {
    binDir: installedBinaries(account),
    dataDir: record === undefined ? chooseDataDir(files, account) : resolve(files.folder, record.dataDir),
    account,
    password,
    logFile: join(files.logs, "postgres.log"),
    settings: durable,
  };
  if (record !== undefined && record.port !== undefined && !existsSync(cluster.dataDir)) {
    throw new Error(`the database's folder ${cluster.dataDir} is gone: put it back, or remove ${files.folder} to begin anew`);
  }
  const dataDir = isInside(files.folder, cluster.dataDir) ? relative(files.folder, cluster.dataDir) : cluster.dataDir;
  writeState(files.postgres, { ...record, dataDir }); // before it is made, so that it is never made twice
  initialise(cluster);
  const { port, reused } = await start(cluster, record?.port);
  writeState(files.postgres, { dataDir, port });

  /** @param {{ say: (message: string) => void, lost: (error: unknown) => void }} hooks `lost`: it could not be brought back */
  const watch = ({ say, lost }) => {
    let busy = false;
    const timer = setInterval(async () => {
      if (busy || findPostmaster(cluster.dataDir) !== undefined) return;
      busy = true;
      say("The database has ended unexpectedly; starting it again.");
      try {
        const again = await start(cluster, port);
        if (again.port !== port) throw new Error(`the database's port ${port} has been taken by another program`);
        say("The database is back.");
      } catch (error) {
        clearInterval(timer);
        lost(error);
      }
      busy = false;
    }, 1_000);
    return () => clearInterval(timer);
  };
  return { url: urlOf(cluster, port, "reclaim"), reused, elsewhere: isInside(files.folder, cluster.dataDir) ? undefined : cluster.dataDir, stop: () => stop(cluster), watch };
}

/**
 * @param {string} folder
 * @param {string} path
 */
function isInside(folder, path) {
  return path.startsWith(folder + sep);
}

/**
 * In the state folder, unless root runs this and the account that it lends to PostgreSQL cannot go there.
 * @param {import("../folders.mjs").StateFiles} files
 * @param {import("./account.mjs").Account | undefined} account
 */
function chooseDataDir(files, account) {
  if (account === undefined || canReach(files.folder, account)) return files.postgresData;
  const name = `data-${randomBytes(6).toString("hex")}`; // not from the checkout's path: a new checkout there is another system
  return join(openFolder(account), name);
}
