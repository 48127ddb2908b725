// `npm test`: runs the tests, even from a fresh clone, and prints at the end how many of each kind passed. Plain Node 18 or later.
// With `--all`, as in `npm run test:all`: the long runs, too (scripts/testing/only-in-all.mjs).
import { setPriority } from "node:os";
import { join } from "node:path";
import { pinnedNode, root } from "./folders.mjs";
import { startEphemeral } from "./postgres/ephemeral.mjs";
import { CommandFailed, run } from "./setup/command.mjs";
import { install, needsInstall } from "./setup/install.mjs";
import { generate, needsBuild, needsGenerate, runBuild } from "./setup/outputs.mjs";
import { step } from "./setup/progress.mjs";
import { runAllBrowserTests } from "./testing/browser-tests.mjs";
import { verdict } from "./testing/counts.mjs";
import { slowest } from "./testing/durations.mjs";
import { failed } from "./testing/failures.mjs";
import { leftHere } from "./testing/in-turns.mjs";
import { runVitest } from "./testing/vitest.mjs";

const started = Date.now();
const interruption = new AbortController();
const { signal } = interruption;
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(name, () => interruption.abort(new Error("npm test was interrupted")));

/** @typedef {import("./testing/counts.mjs").Result | undefined} Result */

const isAll = process.argv.includes("--all");

/**
 * Niceness. Integration tests wait for processes, for limits of seconds; unit tests and lint never wait, and take what they and the browser tests leave
 * (docs/adr/0035-cheap-tests.md).
 */
const niceness = { integration: 4, others: 7 };

/** Prints the output of something that ran concurrently, all at once. @param {string} name @param {string} output */
const sayLater = (name, output) => console.log(`\n== ${name}, beside the others\n${output.trim()}`);

/** @returns {Promise<boolean>} whether lint passed */
async function lint() {
  const started = (/** @type {number | undefined} */ pid) => {
    if (pid !== undefined) setPriority(pid, niceness.others);
  };
  try {
    const options = { name: "lint.mjs", signal, started };
    sayLater("lint", await run(pinnedNode, [join(root, "scripts", "lint.mjs")], options));
    return true;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (!signal.aborted) sayLater("lint", error.output);
    return false;
  }
}

/**
 * The result of one kind of tests; the line begins with ✓ or ✗.
 * @typedef {{ line: string, times: readonly import("./testing/durations.mjs").Timed[], failures: readonly import("./testing/failures.mjs").Failure[] }} Kind
 */

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

/** @returns {Promise<Kind>} */
const runUnit = () =>
  runKind("unit", () =>
    runVitest(
      "unit",
      isAll ? { RECLAIM_EXPLORE_RUNS: "10000" } : { RECLAIM_EXPLORE_RUNS: "500", RECLAIM_TEST_SET: "short" },
      signal,
      niceness.others,
      (output) => sayLater("unit tests", output),
    ),
  );

/**
 * First the integration tests, then the browser tests, which would fill two cores by themselves: beside them the systems of integration tests did not
 * start within minutes (docs/adr/0035-cheap-tests.md). Their output is shown as it comes.
 * @returns {Promise<PromiseSettledResult<Kind>[]>} of both; they have ended before their database server is stopped
 */
async function runOnDatabase() {
  const given = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"];
  const embedded = given ? undefined : await startEphemeral();
  const serverUrl = given || (embedded?.url ?? "");
  try {
    const integration = runKind("integration", () =>
      runVitest(
        "integration",
        { TEST_DATABASE_URL: serverUrl, RECLAIM_TEST_SET: isAll ? "all" : "short" },
        signal,
        niceness.integration,
      ),
    );
    const ends = await Promise.allSettled([integration]);
    const browser = runKind("browser", () =>
      runAllBrowserTests(serverUrl, isAll, signal, (output) => sayLater("browser tests", output)),
    );
    return [...ends, ...(await Promise.allSettled([browser]))];
  } finally {
    await embedded?.stop();
  }
}

/**
 * Unit tests begin beside the build, which leaves a core idle for much of its time. Lint waits for the build, because that writes types.
 * @returns {Promise<string[]>} a line for each kind, beginning with ✓ or ✗
 */
async function testAll() {
  if (needsInstall()) await step("Installing packages", () => install(signal));
  if (needsGenerate()) await step("Generating the database client", () => generate(signal));
  const testing = Promise.allSettled([runUnit()]);
  if (needsBuild())
    await step("Building", () => runBuild(signal)).catch(async (error) => {
      interruption.abort(error);
      await testing;
    });
  signal.throwIfAborted();
  const linting = Promise.allSettled([lint()]);
  const onDatabase = await Promise.allSettled([runOnDatabase()]);
  const [[linted], unit] = [await linting, await testing];
  signal.throwIfAborted();
  const failure = [linted, ...onDatabase].find((end) => end?.status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
  const kinds = [...unit, ...onDatabase.flatMap((end) => (end.status === "fulfilled" ? end.value : []))].map(
    (end) => {
      if (end.status === "fulfilled") return end.value;
      const why = end.reason instanceof Error ? (end.reason.stack ?? end.reason.message) : String(end.reason);
      return { line: `✗ ended before its tests did: ${why}`, times: [], failures: [] };
    },
  );
  console.log(`\n${slowest(kinds.flatMap(({ times }) => times)).join("\n")}`);
  const lines = failed(kinds.flatMap(({ failures }) => failures));
  if (lines.length > 0) console.log(`\n${lines.join("\n")}`);
  return [
    linted?.status === "fulfilled" && linted.value ? "✓ lint" : "✗ lint",
    ...kinds.map(({ line }) => line),
  ];
}

try {
  const lines = await testAll();
  const left = isAll ? 0 : leftHere().length;
  if (left > 0)
    console.log(
      `\n${left} test files have their turn in the next two commits (scripts/testing/in-turns.mjs)`,
    );
  const hasFailed = lines.some((line) => line.startsWith("✗"));
  console.log(
    `\n${lines.join("\n")}\n${hasFailed ? "npm test has failed" : "npm test has passed"} after ${Math.round((Date.now() - started) / 1000)} s`,
  );
  process.exit(hasFailed ? 1 : 0);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
