// The embedded PostgreSQL of a state folder: finds or chooses its data folder, starts it, restarts it when it dies, stops it.
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { readState, writeState } from "../state-file.mjs";
import { canReach, databaseAccount } from "./account.mjs";
import { installedBinaries, openFolder } from "./binaries.mjs";
import { initialise, start, stop, urlOf } from "./cluster.mjs";
import { findPostmaster } from "./postmaster.mjs";
import { durable } from "./settings.mjs";

/**
 * @typedef {{ dataDir?: string, port?: number, external?: true }} Record what is known from earlier starts; a folder inside the state folder is stored
 *   as a relative path, so that it moves along; `external`: so far only DATABASE_URL was used
 */

/**
 * Records where the database of a state folder is, before anything else is written there: a folder with other files but no record has lost it.
 * @param {import("../folders.mjs").StateFiles} files
 * @param {string} password
 * @param {boolean} external whether DATABASE_URL is used
 * @throws if the record is lost: an empty database must not replace one that exists somewhere
 */
export function chooseDatabase(files, password, external) {
  const record = /** @type {Record | undefined} */ (readState(files.postgres));
  if (record?.dataDir !== undefined) return;
  if (external) {
    if (record === undefined && !existsSync(files.fleet)) writeState(files.postgres, { external: true });
    return;
  }
  const dataDir = chooseDataDir(files, databaseAccount(), password);
  if (record === undefined && existsSync(files.fleet) && !existsSync(dataDir)) {
    throw new Error(
      `${files.postgres} is missing, so the folder of the database is not known. Put the file back, or write {"dataDir": "<folder>"} into it` +
        `${candidates(files)}; write {} into it if this folder was used with DATABASE_URL only`,
    );
  }
  writeState(files.postgres, {
    dataDir: isInside(files.folder, dataDir) ? relative(files.folder, dataDir) : dataDir,
  });
}

/** Folders that may contain the lost database, for a message. @param {import("../folders.mjs").StateFiles} files */
function candidates(files) {
  const parents = ["/var/lib/reclaim", "/var/tmp/reclaim", join(tmpdir(), "reclaim"), files.folder];
  const found = parents
    .flatMap((parent) => (existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name)) : []))
    .filter((folder) => existsSync(join(folder, "PG_VERSION")));
  return found.length === 0 ? "" : ` (found: ${[...new Set(found)].join(", ")})`;
}

/**
 * @param {import("../folders.mjs").StateFiles} files
 * @param {string} password
 * @returns {Promise<{ url: string, reused: boolean, elsewhere: string | undefined, stop: () => Promise<void>, watch: (hooks: { say: (message: string) => void, lost: (error: unknown) => void }) => () => void }>}
 */
export async function startEmbedded(files, password) {
  chooseDatabase(files, password, false);
  const record = /** @type {Record | undefined} */ (readState(files.postgres));
  if (record?.dataDir === undefined) throw new Error(`${files.postgres} does not say where the database is`);
  const cluster = {
    binDir: installedBinaries(databaseAccount()),
    dataDir: resolve(files.folder, record.dataDir),
    account: databaseAccount(),
    password,
    logFile: join(files.logs, "postgres.log"),
    settings: durable,
  };
  if (record.port !== undefined && !existsSync(cluster.dataDir)) {
    throw new Error(
      `the database's folder ${cluster.dataDir} is gone: put it back from a copy. For a new, empty database use another folder: --data DIR`,
    );
  }
  const dataDir = isInside(files.folder, cluster.dataDir)
    ? relative(files.folder, cluster.dataDir)
    : cluster.dataDir;
  initialise(cluster);
  const { port, reused } = await start(cluster, record.port);
  writeState(files.postgres, { dataDir, port });

  /** @param {{ say: (message: string) => void, lost: (error: unknown) => void }} hooks `lost`: called if it cannot be restarted */
  const watch = ({ say, lost }) => {
    let busy = false;
    const timer = setInterval(async () => {
      if (busy || findPostmaster(cluster.dataDir) !== undefined) return;
      busy = true;
      say("The database has ended unexpectedly; starting it again.");
      try {
        const again = await start(cluster, port);
        if (again.port !== port)
          throw new Error(`the database's port ${port} has been taken by another program`);
        say("The database is back.");
      } catch (error) {
        clearInterval(timer);
        lost(error);
      }
      busy = false;
    }, 1_000);
    return () => clearInterval(timer);
  };
  return {
    url: urlOf(cluster, port, "reclaim"),
    reused,
    elsewhere: isInside(files.folder, cluster.dataDir) ? undefined : cluster.dataDir,
    stop: () => stop(cluster),
    watch,
  };
}

/**
 * @param {string} folder
 * @param {string} path
 */
function isInside(folder, path) {
  return path.startsWith(folder + sep);
}

/**
 * In the state folder, unless we run as root and PostgreSQL's account cannot reach that: then in a folder whose name is derived from the
 * secrets, so that it is found again without the record. It is not derived from the checkout's path: a new checkout there is another system.
 * @param {import("../folders.mjs").StateFiles} files
 * @param {import("./account.mjs").Account | undefined} account
 * @param {string} password
 */
function chooseDataDir(files, account, password) {
  if (account === undefined || canReach(files.folder, account)) return files.postgresData;
  const name = createHash("sha256").update("reclaim data folder").update(password).digest("hex").slice(0, 12);
  return join(openFolder(account), `data-${name}`);
}
