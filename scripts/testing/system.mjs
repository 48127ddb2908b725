// A whole Reclaim with its own fresh database and folder, started as `npm start` does, for tests from outside.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../folders.mjs";
import { freePort } from "../supervise/ports.mjs";
import { dropDatabase } from "./drop-database.mjs";

/**
 * @typedef {object} System
 * @property {Promise<void>} ready rejects with the output if it does not start
 * @property {Promise<unknown>} ended resolves when its process has ended, for whatever reason
 * @property {string} url
 * @property {string} folder for files of the test; gone after `stop`
 * @property {string} state its state folder, with the demo logins
 * @property {() => Promise<void>} stop ends it and removes its database and folder
 */

/** Not as a child of npm; and without source maps (docs/adr/0035-cheap-tests.md). */
const forTests = { npm_lifecycle_event: undefined, RECLAIM_SOURCE_MAPS: "0" };

/**
 * @param {string} serverUrl a PostgreSQL on which databases may be made
 * @param {readonly string[]} options of `npm start`
 * @param {Readonly<Record<string, string>> | ((port: number) => Readonly<Record<string, string>>)} [settings] in addition to ours
 * @returns {Promise<System>}
 */
export async function startSystem(serverUrl, options, settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-e2e-"));
  const state = join(folder, "state");
  const database = new URL(serverUrl);
  database.pathname = `/reclaim_e2e_${randomBytes(4).toString("hex")}`;
  const port = await freePort();
  const env = typeof settings === "function" ? settings(port) : settings;
  const child = spawn(
    process.execPath,
    [
      join(root, "scripts", "start.mjs"),
      "--data",
      state,
      "--port",
      String(port),
      "--living",
      "off",
      ...options,
    ],
    {
      cwd: root,
      env: { ...process.env, ...forTests, ...env, DATABASE_URL: database.href },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  /** @type {Promise<void>} */
  const ready = new Promise((done, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (output.includes("Start-up is complete.")) done();
      });
    }
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  ready.catch(() => undefined); // reported where it is awaited
  const ended = new Promise((done) => child.once("exit", done));
  return {
    ready,
    ended,
    url: `http://localhost:${port}`,
    folder,
    state,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await ended;
      }
      await dropDatabase(database.href);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
