// Reads the number of passed tests from the reports of vitest and Playwright; a skipped test counts as a failure.
import { tag } from "./only-in-all.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ counts: Counts, times: import("./durations.mjs").Timed[], failures: import("./failures.mjs").Failure[] }} Result of one kind of tests */

/**
 * Tests that are left to `npm run test:all` are not counted: vitest reports them as skipped, Playwright not at all.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, success: boolean, testResults: readonly { assertionResults: readonly { status: string, tags?: readonly string[] }[] }[] }} report vitest's JSON report
 * @returns {Counts}
 */
export function vitestCounts(report) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success, testResults } = report;
  const broken = !success && numFailedTests === 0 ? 1 : 0; // a file that could not even be loaded
  const left = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, tags = [] }) => status === "skipped" && tags.includes(tag));
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken,
    skipped: numPendingTests + numTodoTests - left.length,
  };
}

/**
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} report Playwright's JSON report
 * @returns {Counts}
 */
export function playwrightCounts({ stats }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

/** @param {readonly Counts[]} all */
export function sumOf(all) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/**
 * @param {Counts | undefined} counts undefined: there is no report
 * @returns {string | undefined} why this kind of tests did not pass
 */
export function verdict(counts) {
  if (counts === undefined) return "did not run";
  if (counts.failed > 0) return `${counts.failed} failed`;
  if (counts.skipped > 0) return `${counts.skipped} skipped`;
  if (counts.passed === 0) return "there were no tests";
  return undefined;
}
