// Failed tests with their messages, from the reports of vitest and Playwright: `npm test` prints them last, where the reader of a long log looks.

/** @typedef {{ file: string, name: string, words: string }} Failure of one test, or of a file that could not be loaded */

/**
 * @param {{ testResults: readonly { name: string, status: string, message: string, assertionResults: readonly { fullName: string, status: string, failureMessages?: readonly string[] | null }[] }[], hookFailures: readonly Failure[] }} report of report.mjs
 * @param {string} root what the paths are to be relative to
 * @returns {Failure[]}
 */
export function vitestFailures({ testResults, hookFailures }, root) {
  const below = (/** @type {string} */ path) =>
    path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const hooks = hookFailures.map((failure) => ({ ...failure, file: below(failure.file) }));
  const others = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = below(name);
    const tests = assertionResults
      .filter((test) => test.status === "failed")
      .map(({ fullName, failureMessages }) => ({
        file,
        name: fullName,
        words: (failureMessages ?? []).join("\n"),
      }));
    const isExplained = tests.length > 0 || hooks.some((failure) => failure.file === file);
    return status === "failed" && !isExplained ? [{ file, name: "the file itself", words: message }] : tests;
  });
  return [...hooks, ...others];
}

/**
 * @typedef {object} Suite of Playwright's JSON report, as far as it is read here
 * @property {string} file below the folder of the tests
 * @property {readonly { title: string, ok: boolean, tests: readonly { results: readonly { error?: { message?: string } }[] }[] }[]} specs
 * @property {readonly Suite[]} [suites]
 */

/**
 * @param {{ suites: readonly Suite[] }} report
 * @param {string} folder of the tests
 * @returns {Failure[]}
 */
export function playwrightFailures({ suites }, folder) {
  return suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) => ({
        file: `${folder}/${file}`,
        name: title,
        words: tests
          .flatMap(({ results }) => results)
          .map(({ error }) => error?.message ?? "")
          .filter((words) => words !== "")
          .join("\n"),
      })),
    ...playwrightFailures({ suites: inner }, folder),
  ]);
}

/** Terminal colour codes, which the reports contain. */
const colours = /\u001B\[[\d;]*m/g;

/**
 * The failed tests, each with the first lines of its error. Pure.
 * @param {readonly Failure[]} failures
 * @param {number} [lines] of each error
 * @returns {string[]} lines; empty if nothing failed
 */
export function failed(failures, lines = 12) {
  if (failures.length === 0) return [];
  return [
    "What failed:",
    ...failures.flatMap(({ file, name, words }) => [
      `  ${file}: ${name}`,
      ...words
        .replaceAll(colours, "")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .slice(0, lines)
        .map((line) => `      ${line}`),
    ]),
  ];
}
