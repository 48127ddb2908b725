// `npm test`: everything, from a fresh clone on; says at the end how many tests of each kind passed. Plain Node 18 or later.
import { setPriority } from "node:os";
import { join } from "node:path";
import { pinnedNode, root } from "./folders.mjs";
import { startEphemeral } from "./postgres/ephemeral.mjs";
import { CommandFailed, run } from "./setup/command.mjs";
import { install, needsInstall } from "./setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "./setup/outputs.mjs";
import { step } from "./setup/progress.mjs";
import { runBrowserTests, startBrowserSystem } from "./testing/browser-tests.mjs";
import { verdict } from "./testing/counts.mjs";
import { slowest } from "./testing/durations.mjs";
import { runVitest } from "./testing/vitest.mjs";

const started = Date.now();
const interruption = new AbortController();
const { signal } = interruption;
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(name, () => interruption.abort());

/** @typedef {import("./testing/counts.mjs").Result | undefined} Result */

/** The niceness of what gets the processor time that others leave, and a tenth of what they want. */
const inTheBackground = 10;

/**
 * Runs the lint step on the processor time that the tests leave: no check in it depends on time, and many tests do. Its output comes when it has ended.
 * @param {AbortSignal} stop
 * @returns {Promise<boolean>} whether all is well
 */
async function lint(stop) {
  const started = (/** @type {number | undefined} */ pid) => {
    if (pid !== undefined) setPriority(pid, inTheBackground);
  };
  const say = (/** @type {string} */ output) =>
    console.log(`\n== lint, which ran beside the tests\n${output.trim()}`);
  try {
    say(
      await run(pinnedNode, [join(root, "scripts", "lint.mjs")], { name: "lint.mjs", signal: stop, started }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (!stop.aborted) say(error.output);
    return false;
  }
}

/**
 * @param {string} serverUrl a PostgreSQL on which databases may be made
 * @returns {Promise<string[]>} a line for each kind, beginning with ✓ or ✗
 */
async function runAll(serverUrl) {
  const ended = new AbortController();
  signal.addEventListener("abort", () => ended.abort());
  const linting = lint(ended.signal);
  linting.catch(() => undefined); // reported where it is awaited
  /** @type {[string, () => Promise<Result>][]} */
  const kinds = [
    ["unit", () => runVitest("unit", {}, signal)],
    // One browser leaves the most processor time: lint has it.
    ["browser", async () => runBrowserTests(await startBrowserSystem(serverUrl), [], signal)],
    ["integration", () => runVitest("integration", { TEST_DATABASE_URL: serverUrl }, signal)],
  ];
  const lines = [];
  /** @type {import("./testing/durations.mjs").Timed[]} */
  const times = [];
  try {
    for (const [name, tests] of kinds) {
      signal.throwIfAborted();
      console.log(`\n== ${name} tests`);
      const began = Date.now();
      const result = await tests();
      const problem = verdict(result?.counts);
      times.push(...(result?.times ?? []));
      const passed = `${result?.counts.passed ?? 0} passed in ${Math.round((Date.now() - began) / 1000)} s`;
      lines.push(problem === undefined ? `✓ ${name}: ${passed}` : `✗ ${name}: ${passed}, ${problem}`);
    }
    const linted = await linting;
    console.log(`\n${slowest(times).join("\n")}`);
    return [linted ? "✓ lint" : "✗ lint", ...lines];
  } finally {
    ended.abort();
  }
}

/** @returns {Promise<string[]>} a line for each kind */
async function testAll() {
  if (needsInstall()) await step("Installing packages", () => install(signal));
  if (needsGenerate()) await step("Generating the database client", () => generate(signal));
  if (needsBuild()) await step("Building", () => runBuild(signal));
  const given = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"];
  const embedded = given ? undefined : await startEphemeral();
  try {
    return await runAll(given || (embedded?.url ?? ""));
  } finally {
    await embedded?.stop();
  }
}

try {
  const lines = await testAll();
  const failed = lines.some((line) => line.startsWith("✗"));
  console.log(
    `\n${lines.join("\n")}\n${failed ? "npm test has failed" : "npm test has passed"} after ${Math.round((Date.now() - started) / 1000)} s`,
  );
  process.exit(failed ? 1 : 0);
} catch (error) {
  console.error(
    `\n${signal.aborted ? "npm test was interrupted" : error instanceof Error ? error.message : error}`,
  );
  process.exit(1);
}
