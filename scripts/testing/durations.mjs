// How long tests took, from the reports of vitest and Playwright, and which were the slowest.

/** @typedef {{ file: string, name: string, ms: number }} Timed one test */

/**
 * @param {{ testResults: readonly { name: string, assertionResults: readonly { fullName: string, duration?: number | null }[] }[] }} report vitest's JSON report
 * @param {string} root what the paths are to be relative to
 * @returns {Timed[]}
 */
export function vitestTimes({ testResults }, root) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name,
      name: fullName,
      ms: duration ?? 0,
    })),
  );
}

/**
 * @typedef {object} Suite of Playwright's JSON report, as far as it is read here
 * @property {string} file below the folder of the tests
 * @property {readonly { title: string, tests: readonly { results: readonly { duration: number }[] }[] }[]} specs
 * @property {readonly Suite[]} [suites]
 */

/**
 * @param {{ suites: readonly Suite[] }} report
 * @param {string} folder of the tests
 * @returns {Timed[]}
 */
export function playwrightTimes({ suites }, folder) {
  return suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs.map(({ title, tests }) => ({
      file: `${folder}/${file}`,
      name: title,
      ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    })),
    ...playwrightTimes({ suites: inner }, folder),
  ]);
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`;

/**
 * The slowest tests and files. A file counts the sum of its tests, including those that ran in parallel. Pure.
 * @param {readonly Timed[]} times
 * @param {number} [count]
 * @returns {string[]} lines
 */
export function slowest(times, count = 10) {
  /** @type {Map<string, number>} */
  const files = new Map();
  for (const { file, ms } of times) files.set(file, (files.get(file) ?? 0) + ms);
  return [
    `The ${count} slowest tests:`,
    ...[...times]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, count)
      .map(({ file, name, ms }) => `${seconds(ms)}  ${file}: ${name}`),
    `The ${count} slowest files:`,
    ...[...files]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([file, ms]) => `${seconds(ms)}  ${file}`),
  ];
}
