// Runs the browser tests against Reclaims of their own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { CommandFailed, run } from "../setup/command.mjs";
import { findBrowser } from "./browser.mjs";
import { playwrightCounts } from "./counts.mjs";
import { startSystem } from "./system.mjs";

/** More hosts than one page of the table holds, and fast enough to watch one from release to Ready. */
const fleet = ["--hosts", "120", "--speed", "120", "--seed", "1"];

/** Projects of playwright.config.ts. */
const projects = ["journeys", "views"];

/**
 * All of them side by side, each on a system of its own; with arguments, one after another on one.
 * @param {string} serverUrl a PostgreSQL on which databases may be made
 * @param {string[]} args for Playwright
 * @param {AbortSignal} signal
 * @returns {Promise<import("./counts.mjs").Counts | undefined>} undefined when any of them has no report, or no tests
 */
export async function runBrowserTests(serverUrl, args, signal) {
  const browser = await findBrowser();
  const runs = args.length > 0 ? [args] : projects.map((project) => [`--project=${project}`]);
  const counts = await Promise.all(runs.map((some) => runOn(serverUrl, browser, some, signal)));
  /** @type {import("./counts.mjs").Counts} */
  const all = { passed: 0, failed: 0, skipped: 0 };
  for (const some of counts) {
    if (some === undefined || some.passed + some.failed + some.skipped === 0) return undefined;
    all.passed += some.passed;
    all.failed += some.failed;
    all.skipped += some.skipped;
  }
  return all;
}

/**
 * @param {string} serverUrl
 * @param {string} browser
 * @param {string[]} args
 * @param {AbortSignal} signal
 * @returns {Promise<import("./counts.mjs").Counts | undefined>}
 */
async function runOn(serverUrl, browser, args, signal) {
  const system = await startSystem(serverUrl, fleet);
  const report = join(system.folder, "report.json");
  try {
    await system.ready;
    await run(pinnedNode, [join(root, "node_modules", "@playwright", "test", "cli.js"), "test", ...args], {
      name: "playwright test",
      show: true,
      signal,
      env: {
        RECLAIM_E2E_URL: system.url,
        RECLAIM_E2E_BROWSER: browser,
        RECLAIM_E2E_STATE: system.state,
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
  }
}
