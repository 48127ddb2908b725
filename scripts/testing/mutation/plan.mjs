// Which test files judge which safety checks, in rounds, nearest first. Pure.
import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";

/** @typedef {import("./list.mjs").SafetyCheck} SafetyCheck */
/** @typedef {Record<string, string[]>} Assigned names of checks by test file */

/** @param {string} path */
const stem = (path) => basename(path).replace(/\..*$/, "");

/** @param {string} test @param {string} file @returns {number} 0: the file's own test */
function distance(test, file) {
  const from = dirname(test).split("/");
  const to = dirname(file).split("/");
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared += 1;
  return 2 * (from.length + to.length - 2 * shared) + (stem(test) === stem(file) ? 0 : 1);
}

/**
 * @template {{ readonly name: string }} Check
 * @param {readonly Check[]} checks @param {number} most @param {string} seed the same seed draws the same checks
 * @returns {Check[]} in their order
 */
export function drawn(checks, most, seed) {
  const lot = (/** @type {Check} */ { name }) => createHash("sha256").update(`${seed} ${name}`).digest("hex");
  const taken = new Set(checks.toSorted((a, b) => (lot(a) < lot(b) ? -1 : 1)).slice(0, most));
  return checks.filter((check) => taken.has(check));
}

/**
 * @param {readonly SafetyCheck[]} checks
 * @param {ReadonlyMap<string, import("./remembered.mjs").Finder>} finders
 * @param {(test: string) => boolean} exists
 * @returns {Assigned} each check assigned to the file whose test noticed its absence last time
 */
export function byFinder(checks, finders, exists) {
  /** @type {Assigned} */
  const assigned = {};
  for (const { name } of checks) {
    const test = finders.get(name)?.file ?? "";
    if (test !== "" && exists(test)) (assigned[test] ??= []).push(name);
  }
  return assigned;
}

/** @param {readonly SafetyCheck[]} checks @param {readonly string[]} tests unit tests @returns {Assigned} each folder's checks assigned to its tests */
export function nearest(checks, tests) {
  return Object.fromEntries(
    tests.map((test) => [
      test,
      checks
        .filter(({ kind, file }) => kind === "code" && distance(test, file) <= 1)
        .sort((a, b) => distance(test, a.file) - distance(test, b.file))
        .map(({ name }) => name),
    ]),
  );
}

/**
 * @param {readonly SafetyCheck[]} checks whose absence no test has noticed yet
 * @param {ReadonlyMap<string, ReadonlyMap<string, number>>} reached by test file: the checks it reaches, and in how many tests
 * @param {ReadonlySet<string>} judged `check\ttest file` pairs that need no other try
 * @param {number} most test files for each check
 * @returns {Assigned}
 */
export function further(checks, reached, judged, most) {
  /** @type {Assigned} */
  const assigned = {};
  for (const { name, file } of checks) {
    const all = [...reached].filter(([test, names]) => names.has(name) && !judged.has(`${name}\t${test}`));
    // A test file that only bundles a check is a candidate only if no other reaches it.
    const seen = all.filter(([, names]) => names.get(name) !== -1);
    const tests = (seen.length > 0 ? seen : all).map(([test]) => test);
    tests.sort((a, b) => distance(a, file) - distance(b, file));
    for (const test of tests.slice(0, most)) (assigned[test] ??= []).push(name);
  }
  return assigned;
}

/**
 * @param {readonly SafetyCheck[]} checks
 * @param {Readonly<Record<string, readonly string[]>>} covered files by integration test
 * @param {readonly import("./database/database-check.mjs").DatabaseCheck[]} inDatabase
 * @param {(test: string) => boolean} exists
 * @returns {Assigned} each check assigned to the tests listed for it, and to its file's own integration test
 */
export function inIntegration(checks, covered, inDatabase, exists) {
  const own = new Map(inDatabase.map(({ name, tests }) => [name, tests]));
  /** @type {Assigned} */
  const assigned = {};
  for (const { name, file } of checks) {
    const listed = Object.keys(covered).filter((test) => covered[test]?.includes(file));
    const beside = file.replace(/\.tsx?$/, ".itest.ts");
    const tests = own.get(name) ?? (exists(beside) ? [...listed, beside] : listed);
    for (const test of new Set(tests)) (assigned[test] ??= []).push(name);
  }
  return assigned;
}
