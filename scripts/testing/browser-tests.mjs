// Starts a whole Reclaim on a fresh database and a folder of its own, as `npm start` does, and runs the browser tests against it.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { freePort } from "../postgres/cluster.mjs";
import { CommandFailed, run } from "../setup/command.mjs";
import { findBrowser } from "./browser.mjs";
import { playwrightCounts } from "./counts.mjs";
import { dropDatabase } from "./drop-database.mjs";

/** More hosts than one page of the table holds, and fast enough to watch one from release to Ready. */
const fleet = ["--hosts", "120", "--speed", "120", "--seed", "1"];

/**
 * @param {string} serverUrl a PostgreSQL on which databases may be made
 * @param {string[]} args for Playwright
 * @param {AbortSignal} signal
 * @returns {Promise<import("./counts.mjs").Counts | undefined>}
 */
export async function runBrowserTests(serverUrl, args, signal) {
  const browser = await findBrowser();
  const folder = mkdtempSync(join(tmpdir(), "reclaim-e2e-"));
  const database = new URL(serverUrl);
  database.pathname = `/reclaim_e2e_${randomBytes(4).toString("hex")}`;
  const port = await freePort();
  const report = join(folder, "report.json");
  const system = startSystem(["--data", join(folder, "state"), "--port", String(port), ...fleet], database.href);
  try {
    await system.ready;
    await run(pinnedNode, [join(root, "node_modules", "@playwright", "test", "cli.js"), "test", ...args], {
      name: "playwright test",
      show: true,
      signal,
      env: {
        RECLAIM_E2E_URL: `http://localhost:${port}`,
        RECLAIM_E2E_BROWSER: browser,
        RECLAIM_E2E_STATE: join(folder, "state"),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      },
    }).catch((error) => {
      if (!(error instanceof CommandFailed)) throw error; // the report says what failed
    });
    return playwrightCounts(JSON.parse(readFileSync(report, "utf8")));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  } finally {
    await system.stop();
    await dropDatabase(database.href);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} args
 * @param {string} databaseUrl
 */
function startSystem(args, databaseUrl) {
  const child = spawn(process.execPath, [join(root, "scripts", "start.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl, npm_lifecycle_event: undefined },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  /** @type {Promise<void>} */
  const ready = new Promise((done, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (output.includes("Reclaim is running")) done();
      });
    }
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  ready.catch(() => undefined); // reported where it is awaited
  const ended = new Promise((done) => child.once("exit", done));
  return {
    ready,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await ended;
      }
    },
  };
}
