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
import { failed } from "./testing/failures.mjs";
import { runVitest } from "./testing/vitest.mjs";

const started = Date.now();
const interruption = new AbortController();
const { signal } = interruption;
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(name, () => interruption.abort());

/** @typedef {import("./testing/counts.mjs").Result | undefined} Result */

/**
 * Niceness. The browser tests are one chain of waiting, which ends last if it gets only its share beside six workers: they come first. No check of
 * lint depends on time, and many tests do; it must not be all that is left at the end, either (docs/adr/0076-cheaper-test-runs.md).
 */
const niceness = { vitest: 3, lint: 6 };

/** Says at once what ran beside others. @param {string} name @param {string} output */
const sayLater = (name, output) => console.log(`\n== ${name}, beside the others\n${output.trim()}`);

/**
 * @param {AbortSignal} stop
 * @returns {Promise<boolean>} whether all is well
 */
async function lint(stop) {
  const started = (/** @type {number | undefined} */ pid) => {
    if (pid !== undefined) setPriority(pid, niceness.lint);
  };
  try {
    const options = { name: "lint.mjs", signal: stop, started };
    sayLater("lint", await run(pinnedNode, [join(root, "scripts", "lint.mjs")], options));
    return true;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (!stop.aborted) sayLater("lint", error.output);
    return false;
  }
}

/** @typedef {{ line: string, times: readonly import("./testing/durations.mjs").Timed[], failures: readonly import("./testing/failures.mjs").Failure[] }} Kind how one kind of tests went; the line begins with ✓ or ✗ */

/**
 * @param {string} name
 * @param {() => Promise<Result>} tests
 * @returns {Promise<Kind>}
 */
async function runKind(name, tests) {
  signal.throwIfAborted();
  console.log(`\n== ${name} tests`);
  const began = Date.now();
  const result = await tests();
  const problem = verdict(result?.counts);
  const passed = `${result?.counts.passed ?? 0} passed in ${Math.round((Date.now() - began) / 1000)} s`;
  return {
    line: problem === undefined ? `✓ ${name}: ${passed}` : `✗ ${name}: ${passed}, ${problem}`,
    times: result?.times ?? [],
    failures: result?.failures ?? [],
  };
}

/**
 * Browser tests wait for one browser and lint has one thread at a time: what they leave of two cores is for the others (docs/adr/0046-where-test-time-goes.md).
 * @param {string} serverUrl a PostgreSQL on which databases may be made
 * @returns {Promise<string[]>} a line for each kind, beginning with ✓ or ✗
 */
async function runAll(serverUrl) {
  const ended = new AbortController();
  signal.addEventListener("abort", () => ended.abort());
  const later = (/** @type {string} */ output) => sayLater("browser tests", output);
  const linting = lint(ended.signal);
  const browsing = runKind("browser", async () =>
    runBrowserTests(await startBrowserSystem(serverUrl), [], ended.signal, later),
  );
  for (const beside of [linting, browsing]) beside.catch(() => undefined); // reported where it is awaited
  try {
    const unit = await runKind("unit", () => runVitest("unit", {}, signal, niceness.vitest));
    const integration = await runKind("integration", () =>
      runVitest("integration", { TEST_DATABASE_URL: serverUrl }, signal, niceness.vitest),
    );
    const kinds = [unit, await browsing, integration];
    const linted = await linting;
    console.log(`\n${slowest(kinds.flatMap(({ times }) => times)).join("\n")}`);
    const lines = failed(kinds.flatMap(({ failures }) => failures));
    if (lines.length > 0) console.log(`\n${lines.join("\n")}`);
    return [linted ? "✓ lint" : "✗ lint", ...kinds.map(({ line }) => line)];
  } finally {
    ended.abort();
    await browsing.catch(() => undefined); // it stops its system on the database server, which its caller stops
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
  const hasFailed = lines.some((line) => line.startsWith("✗"));
  console.log(
    `\n${lines.join("\n")}\n${hasFailed ? "npm test has failed" : "npm test has passed"} after ${Math.round((Date.now() - started) / 1000)} s`,
  );
  process.exit(hasFailed ? 1 : 0);
} catch (error) {
  console.error(
    `\n${signal.aborted ? "npm test was interrupted" : error instanceof Error ? error.message : error}`,
  );
  process.exit(1);
}
