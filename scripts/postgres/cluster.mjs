// Creates, starts and stops an embedded PostgreSQL. Its programs are run without a shell, so any path works.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { signalProcess, stopProcess, waitUntil } from "../supervise/identity.mjs";
import { freePort } from "../supervise/ports.mjs";
import { findPostmaster } from "./postmaster.mjs";
import { asArguments } from "./settings.mjs";

export const superuser = "reclaim";

/**
 * @typedef {object} Cluster
 * @property {string} binDir
 * @property {string} dataDir
 * @property {import("./account.mjs").Account | undefined} account whom it runs as; undefined: ourselves
 * @property {string} password
 * @property {string} logFile
 * @property {Record<string, string>} settings
 */

/**
 * @param {Cluster} cluster
 * @param {number} port
 * @param {string} database
 */
export function urlOf(cluster, port, database) {
  return `postgresql://${superuser}:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}/${database}`;
}

/**
 * Creates the data folder unless it exists. It gets its name only once it is complete; each attempt works in a folder of its own, because
 * the initdb of a killed start may still be running.
 * @param {Cluster} cluster
 */
export function initialise(cluster) {
  if (existsSync(join(cluster.dataDir, "PG_VERSION"))) return;
  const attempt = `${cluster.dataDir}.new-${randomBytes(6).toString("hex")}`;
  const partial = join(attempt, "data");
  const passwordFile = join(attempt, "password");
  mkdirSync(dirname(cluster.dataDir), { recursive: true });
  removeAttempts(cluster.dataDir);
  for (const folder of [attempt, partial]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600, flag: "wx" });
  for (const path of [attempt, partial, passwordFile])
    if (cluster.account) chownSync(path, cluster.account.uid, cluster.account.gid);
  try {
    const made = spawnSync(
      join(cluster.binDir, "initdb"),
      [
        "-D",
        partial,
        "-U",
        superuser,
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        ...(cluster.settings["fsync"] === "off" ? ["--no-sync"] : []),
      ],
      { ...runAs(cluster), encoding: "utf8" },
    );
    if (made.error) throw made.error;
    if (made.status !== 0) {
      const why =
        made.status === null
          ? `initdb was ended by ${made.signal}. Start again: nothing is lost`
          : made.stderr.trim();
      throw new Error(`PostgreSQL could not make ${cluster.dataDir}:\n${why}`);
    }
    if (existsSync(cluster.dataDir) && readdirSync(cluster.dataDir).length > 0) {
      throw new Error(
        `${cluster.dataDir} is not a database and not empty: move what is in it elsewhere, or use another folder: --data DIR`,
      );
    }
    renameSync(partial, cluster.dataDir);
  } finally {
    rmSync(attempt, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes leftovers of earlier attempts; one that is still being written is left to a later start. @param {string} dataDir */
function removeAttempts(dataDir) {
  const folder = dirname(dataDir);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(dataDir)}.new`) && name !== `${basename(dataDir)}.password`) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      continue; // an orphaned initdb is still writing there
    }
  }
}

/**
 * Starts the cluster, or takes over one that is still running.
 * @param {Cluster} cluster
 * @param {number} [wantedPort] kept if it is free
 * @returns {Promise<{ port: number, reused: boolean }>}
 */
export async function start(cluster, wantedPort) {
  const owner = statSync(cluster.dataDir).uid;
  const self = cluster.account?.uid ?? process.getuid?.() ?? owner;
  if (owner !== self)
    throw new Error(
      `the database in ${cluster.dataDir} belongs to user ${owner}: start as that user, or choose another folder with --data`,
    );
  const survivor = findPostmaster(cluster.dataDir);
  if (survivor !== undefined) {
    const ready = await waitUntil(() => findPostmaster(cluster.dataDir)?.ready === true, 15_000);
    if (ready) return { port: survivor.port, reused: true };
    await stop(cluster);
  }
  const port = await freePort(wantedPort);
  const end = Date.now() + 120_000;
  for (;;) {
    const failure = await launch(cluster, port, end);
    if (failure === undefined) return { port, reused: false };
    // Sessions of a killed postmaster need a moment to notice; until then PostgreSQL correctly refuses to start.
    if (!/shared memory block|lock file/.test(failure) || Date.now() > end)
      throw new Error(`PostgreSQL did not start:\n${failure}`);
    await new Promise((done) => setTimeout(done, 500));
  }
}

/**
 * @param {Cluster} cluster
 * @param {number} port
 * @param {number} end
 * @returns {Promise<string | undefined>} what PostgreSQL said if it did not start
 */
async function launch(cluster, port, end) {
  const logFrom = existsSync(cluster.logFile) ? statSync(cluster.logFile).size : 0;
  const log = openSync(cluster.logFile, "a", 0o600);
  // In a session of its own: Ctrl-C in the terminal must reach only the supervisor, which stops the database last.
  const child = spawn(
    join(cluster.binDir, "postgres"),
    ["-D", cluster.dataDir, "-p", String(port), ...asArguments(cluster.settings)],
    {
      ...runAs(cluster),
      detached: true,
      stdio: ["ignore", log, log],
    },
  );
  closeSync(log);
  /** @type {string | undefined} */
  let ended;
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended ??= `it ended with ${signal ?? `code ${code}`}`));
  child.unref();
  // Crash recovery may take a while: wait for as long as it is in progress.
  await waitUntil(
    () => ended !== undefined || findPostmaster(cluster.dataDir)?.ready === true,
    Math.max(end - Date.now(), 1_000),
  );
  const running = findPostmaster(cluster.dataDir);
  if (ended === undefined && running?.ready) return undefined;
  if (child.pid !== undefined && ended === undefined) signalProcess(child.pid, "SIGQUIT");
  return `${ended ?? "it was not ready in time"}\n${readFileSync(cluster.logFile, "utf8").slice(logFrom).trim()}`;
}

/**
 * Stops the cluster if it is running: fast shutdown (sessions are ended, everything is written), then immediate.
 * @param {Pick<Cluster, "dataDir">} cluster
 */
export async function stop(cluster) {
  const running = findPostmaster(cluster.dataDir);
  if (running !== undefined)
    await stopProcess(running.process, { signal: "SIGINT", waitMs: 30_000, force: "SIGQUIT" });
}

/** @param {Cluster} cluster */
function runAs(cluster) {
  const folder = dirname(cluster.dataDir); // a working directory that the other account can be in
  const env = { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV, LC_ALL: "C", TZ: "UTC" };
  return cluster.account === undefined
    ? { cwd: folder, env }
    : { cwd: folder, env, uid: cluster.account.uid, gid: cluster.account.gid };
}
