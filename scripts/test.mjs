// `npm test`: everything, from a fresh clone on; says at the end how many tests of each kind passed. Plain Node 18 or later.
import { join } from "node:path";
import { pinnedNode, root } from "./folders.mjs";
import { startEphemeral } from "./postgres/ephemeral.mjs";
import { CommandFailed, run } from "./setup/command.mjs";
import { install, needsInstall } from "./setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "./setup/outputs.mjs";
import { step } from "./setup/progress.mjs";
import { runBrowserTests } from "./testing/browser-tests.mjs";
import { verdict } from "./testing/counts.mjs";
import { runVitest } from "./testing/vitest.mjs";

const started = Date.now();
const interruption = new AbortController();
const { signal } = interruption;
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(name, () => interruption.abort());

/** @typedef {import("./testing/counts.mjs").Counts | undefined} Counts */

/**
 * A script of ours that says by its exit code whether all is well.
 * @param {string} script
 * @returns {Promise<boolean>}
 */
async function passes(script) {
  try {
    await run(pinnedNode, [join(root, "scripts", script)], { name: script, show: true, signal });
    return true;
  } catch (error) {
    if (error instanceof CommandFailed) return false;
    throw error;
  }
}

/** @returns {Promise<string[]>} a line for each kind, beginning with ✓ or ✗ */
async function testAll() {
  if (needsInstall()) await step("Installing packages", () => install(signal));
  if (needsGenerate()) await step("Generating the database client", () => generate(signal));
  if (needsBuild()) await step("Building", () => runBuild(signal));
  const given = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"];
  const embedded = given ? undefined : await startEphemeral();
  const serverUrl = given || (embedded?.url ?? "");
  try {
    const linted = await passes("lint.mjs");
    /** @type {[string, () => Promise<Counts>][]} */
    const kinds = [
      ["unit", () => runVitest("unit", {}, signal)],
      ["integration", () => runVitest("integration", { TEST_DATABASE_URL: serverUrl }, signal)],
      ["browser", () => runBrowserTests(serverUrl, [], signal)],
    ];
    const lines = [linted ? "✓ lint" : "✗ lint"];
    for (const [name, tests] of kinds) {
      signal.throwIfAborted();
      console.log(`\n== ${name} tests`);
      const counts = await tests();
      const problem = verdict(counts);
      lines.push(`${problem === undefined ? "✓" : "✗"} ${name}: ${counts?.passed ?? 0} passed${problem === undefined ? "" : `, ${problem}`}`);
    }
    return lines;
  } finally {
    await embedded?.stop();
  }
}

try {
  const lines = await testAll();
  const failed = lines.some((line) => line.startsWith("✗"));
  console.log(`\n${lines.join("\n")}\n${failed ? "npm test has failed" : "npm test has passed"} after ${Math.round((Date.now() - started) / 1000)} s`);
  process.exit(failed ? 1 : 0);
} catch (error) {
  console.error(`\n${signal.aborted ? "npm test was interrupted" : error instanceof Error ? error.message : error}`);
  process.exit(1);
}
