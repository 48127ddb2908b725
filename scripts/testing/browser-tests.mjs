// Runs the browser tests against their own Reclaim.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pinnedNode, root } from "../folders.mjs";
import { CommandFailed, run } from "../setup/command.mjs";
import { findBrowser } from "./browser.mjs";
import { playwrightCounts, sumOf } from "./counts.mjs";
import { playwrightTimes } from "./durations.mjs";
import { playwrightFailures } from "./failures.mjs";
import { leftHere } from "./in-turns.mjs";
import { onlyInAll, tag } from "./only-in-all.mjs";
import { startSystem } from "./system.mjs";

/** In `npm run test:all`, whose groups use more of them up. */
const manyHosts = 120;
/** Enough for what stays in `npm test`. Each host costs half a second of processor time before it is in use. */
const fewHosts = 32;

/**
 * Starts the system that the browser tests use, fast enough to watch a host from release to Ready.
 * @param {string} serverUrl a PostgreSQL on which databases may be made
 * @param {number} [hosts]
 */
export const startBrowserSystem = async (serverUrl, hosts = manyHosts) => ({
  ...(await startSystem(serverUrl, ["--hosts", String(hosts), "--speed", "120", "--seed", "1"], {
    RECLAIM_CHECK_ANSWERS: "1",
  })),
  serverUrl,
});

/**
 * What runs side by side, each on a system of its own: a browser waits more than it works. About equally long. Tests that end a server or put the
 * site's brake on are together, so that they disturb no others; files that are not named here run with them. In `npm test` the named ones share a
 * system, but for those that make the others about as long: two thirds are left out, and a third system would take longer to start than it would gain.
 */
const groups = [
  ["accessibility", "appearance", "first-request"],
  ["access", "accounts", "cleaning", "hosts", "instances", "live", "proof", "settings", "strangers"],
];

/** They change single hosts and settings only, and run in the last group of `npm test`, so that both are about equally long in each turn. */
const besideJourneys = ["proof", "settings"];

/**
 * The spec files of each group.
 * @param {boolean} isAll whether those that are left to `npm run test:all` are among them
 * @returns {string[][]}
 */
export function browserGroups(isAll) {
  const all = readdirSync(join(root, "e2e")).filter((name) => name.endsWith(".spec.ts"));
  const named = (isAll ? groups : [groups.flat().filter((name) => !besideJourneys.includes(name))]).map(
    (names) => names.map((name) => `${name}.spec.ts`),
  );
  const each = [...named, all.filter((name) => !named.flat().includes(name))];
  const left = isAll ? [] : [...onlyInAll, ...leftHere()];
  return each
    .map((names) => names.filter((name) => !left.includes(`e2e/${name}`)))
    .filter((names) => names.length > 0);
}

/**
 * The browser tests, in their groups.
 * @param {string} serverUrl a PostgreSQL on which databases may be made
 * @param {boolean} isAll whether those that are left to `npm run test:all` run, too
 * @param {AbortSignal} signal
 * @param {(output: string) => void} say receives the output of a group at its end
 * @returns {Promise<import("./counts.mjs").Result | undefined>} undefined if a group gave no report
 */
export async function runAllBrowserTests(serverUrl, isAll, signal, say) {
  const results = await Promise.all(
    browserGroups(isAll).map(async (files) =>
      // With a slash before it, a name selects this file only: Playwright looks for it anywhere in the path.
      runBrowserTests(
        await startBrowserSystem(serverUrl, isAll ? manyHosts : fewHosts),
        [...(isAll ? [] : [`--grep-invert=@${tag}`]), ...files.map((name) => `/${name}`)],
        signal,
        say,
      ),
    ),
  );
  const whole = results.filter((result) => result !== undefined);
  if (whole.length < results.length) return undefined;
  return {
    counts: sumOf(whole.map(({ counts }) => counts)),
    times: whole.flatMap(({ times }) => times),
    failures: whole.flatMap(({ failures }) => failures),
  };
}

/**
 * @param {import("./system.mjs").System & { serverUrl: string }} system is stopped at the end
 * @param {string[]} args for Playwright
 * @param {AbortSignal} signal
 * @param {((output: string) => void) | undefined} [say] receives all output at the end; without it, output is shown as it comes
 * @returns {Promise<import("./counts.mjs").Result | undefined>}
 */
export async function runBrowserTests(system, args, signal, say) {
  const report = join(system.folder, "report.json");
  try {
    const browser = await findBrowser();
    await system.ready;
    await run(pinnedNode, [join(root, "node_modules", "@playwright", "test", "cli.js"), "test", ...args], {
      name: "playwright test",
      show: say === undefined,
      signal,
      env: {
        RECLAIM_E2E_URL: system.url,
        RECLAIM_E2E_BROWSER: browser,
        RECLAIM_E2E_STATE: system.state,
        RECLAIM_E2E_DATABASES: system.serverUrl,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        RECLAIM_E2E_RESULTS: join("test-results", basename(system.folder)),
      },
    }).then(say, (error) => {
      if (!(error instanceof CommandFailed)) throw error; // the report says what failed
      say?.(error.output);
    });
    const said = JSON.parse(readFileSync(report, "utf8"));
    return {
      counts: playwrightCounts(said),
      times: playwrightTimes(said, "e2e"),
      failures: playwrightFailures(said, "e2e"),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  } finally {
    await system.stop();
  }
}
