// Runs the tests of the mutation test in one copy of the source, and reads what vitest reports of them.
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode } from "../folders.mjs";

/** @typedef {{ name: string, message: string }} Failure a test, or a whole file whose tests could not run */
/** @typedef {{ ran: number, failures: readonly Failure[], broken: readonly Failure[] }} TestRun `failures`: tests; `broken`: files that failed as a whole */

/**
 * @typedef {object} Report vitest's JSON report, as far as it is read here
 * @property {number} numTotalTests
 * @property {number} numPendingTests
 * @property {readonly { name: string, status: string, message?: string, assertionResults: readonly { status: string, fullName: string, failureMessages?: readonly string[] }[] }[]} testResults
 */

/**
 * What a report says. Vitest counts a file that cannot be loaded, or whose preparation fails, as no failed test; it is `broken` here. Pure.
 * @param {Report} report
 * @returns {TestRun}
 */
export function readReport({ numTotalTests, numPendingTests, testResults }) {
  const failures = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "failed").map(({ fullName, failureMessages }) => ({ name: fullName, message: (failureMessages ?? []).join("\n") })));
  const broken = testResults
    .filter(({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"))
    .map(({ name, message }) => ({ name, message: message ?? "" }));
  return { ran: numTotalTests - numPendingTests, failures, broken };
}

/**
 * @param {object} asked
 * @param {string} asked.copy the source with or without a check
 * @param {"unit" | "integration"} asked.project
 * @param {readonly string[]} asked.tests files
 * @param {string} [asked.only] a pattern of names
 * @param {string} asked.databaseUrl
 * @param {number} asked.limitMs then it is killed, which counts as a failed test: without its check a loop may never end
 * @param {AbortSignal} asked.signal
 * @returns {Promise<TestRun>}
 */
export function runTests({ copy, project, tests, only = "", databaseUrl, limitMs, signal }) {
  const report = join(copy, "mutation-report.json");
  rmSync(report, { force: true });
  const vitest = join(copy, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(pinnedNode, [vitest, "run", "--project", project, "--maxWorkers=1", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...(only === "" ? [] : ["--testNamePattern", only]), ...tests], {
    cwd: copy, env: { ...process.env, TEST_DATABASE_URL: databaseUrl }, stdio: ["ignore", "pipe", "pipe"], signal, timeout: limitMs,
  });
  const began = performance.now();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (_code, killedBy) => {
      const said = output.trim().slice(-2000);
      // Vitest ends by itself when it is told to, so the signal alone does not say that its time was up.
      if (killedBy !== null || performance.now() - began >= limitMs) return done({ ran: 1, failures: [{ name: `no end within ${limitMs / 1000} s`, message: said }], broken: [] });
      try {
        done(readReport(JSON.parse(readFileSync(report, "utf8"))));
      } catch {
        done({ ran: 0, failures: [], broken: [{ name: "vitest has left no report", message: said }] });
      }
    });
  });
}
