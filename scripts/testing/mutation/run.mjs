// The mutation run, in a process of the pinned Node started by `npm run test:mutation` (scripts/mutation.mjs).
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../folders.mjs";
import { changedOfLate, newestCommit } from "../changed-files.mjs";
import { elsewhere, integration, leftOut } from "./covering-tests.mjs";
import { databaseChecks } from "./database-checks.mjs";
import { safetyChecks } from "./list.mjs";
import { byFinder, drawn, further, inIntegration, nearest } from "./plan.mjs";
import { remember, remembered } from "./remembered.mjs";
import { readResults } from "./results.mjs";
import { startVitest } from "./vitest.mjs";

/** @typedef {import("./list.mjs").SafetyCheck} SafetyCheck */
/** @typedef {import("./plan.mjs").Assigned} Assigned */
/** @typedef {import("./results.mjs").Judged} Judged */

/** Timeout for judging one check; a worker that exceeds it is killed, which counts as a failed test. */
const longestMs = 90_000;
/** The number of test files that try a check before the rest of those that reach it. */
const few = 8;

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    changed: { type: "boolean", default: false },
    most: { type: "string" },
    new: { type: "boolean", default: false },
    remember: { type: "boolean", default: false },
    workers: { type: "string" },
  },
});
/** A worker spends half of its time waiting for databases and timers. */
const workers = Number(options.workers ?? Math.min(4, 2 * availableParallelism()));

const folder = mkdtempSync(join(tmpdir(), "reclaim-mutation-"));
const results = join(folder, "results.jsonl");
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Kills workers that are stuck: with its check disabled, a loop may never end. */
function endStuck() {
  for (const name of readdirSync(folder).filter((file) => file.startsWith("now-"))) {
    /** @type {{ name: string, file: string, at: number } | null} */
    const now = JSON.parse(readFileSync(join(folder, name), "utf8") || "null");
    if (now === null || Date.now() - now.at < longestMs) continue;
    const line = {
      killed: now.name,
      by: `no end within ${longestMs / 1000} s`,
      file: now.file,
      ms: longestMs,
    };
    writeFileSync(results, `${JSON.stringify(line)}\n`, { flag: "a" });
    rmSync(join(folder, name));
    process.kill(Number(name.slice("now-".length)), "SIGKILL");
  }
}

/** @param {readonly SafetyCheck[]} checks @returns {string[]} the unit tests in their folders, and those listed in covering-tests.mjs */
function unitTests(checks) {
  const folders = new Set(checks.filter(({ kind }) => kind === "code").map(({ file }) => dirname(file)));
  const beside = [...folders].flatMap((path) =>
    readdirSync(join(root, path))
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `${path}/${name}`),
  );
  return [...new Set([...beside, ...elsewhere])].filter((path) => !leftOut.includes(path));
}

/** @param {readonly import("./results.mjs").Covered[]} covered @returns {import("./results.mjs").Covered[]} test files whose last run failed */
const failing = (covered) =>
  [...new Map(covered.map((one) => [one.file, one])).values()].filter(({ failed }) => failed !== undefined);

/** The state after the rounds so far. @param {readonly SafetyCheck[]} checks */
function state(checks) {
  const { covered, judged } = readResults(results);
  const killed = new Set(judged.flatMap((one) => ("killed" in one ? [one.killed] : [])));
  const reached = new Map(
    covered.map(({ file, reached: names }) => [file, new Map(names.map(({ name, tests }) => [name, tests]))]),
  );
  const pairs = new Set(
    judged.map(
      (one) => `${"survived" in one ? one.survived : "broken" in one ? one.broken : one.killed}\t${one.file}`,
    ),
  );
  return { covered, judged, reached, pairs, left: checks.filter(({ name }) => !killed.has(name)) };
}

/**
 * What is wrong comes last, where it is seen.
 * @param {readonly SafetyCheck[]} checks @param {readonly Judged[]} judged @param {ReadonlyMap<string, ReadonlyMap<string, number>>} reached
 */
function print(checks, judged, reached) {
  const width = Math.max(...checks.map(({ name }) => name.length));
  /** @type {string[]} */
  const bad = [];
  for (const { name, file, line } of checks) {
    const killer = judged.find((one) => "killed" in one && one.killed === name);
    if (killer !== undefined && "killed" in killer) {
      console.log(
        `${name.padEnd(width)}  found  ${String(killer.ms).padStart(5)} ms  ${killer.file}: ${killer.by.replace(/\s+/g, " ").slice(0, 200)}`,
      );
      continue;
    }
    const broken = judged.find((one) => "broken" in one && one.broken === name);
    const tests = [...reached].filter(([, names]) => names.has(name)).map(([test]) => test);
    const why =
      broken !== undefined && "broken" in broken
        ? `BROKEN: ${broken.why}`
        : tests.length === 0
          ? "NOT REACHED by any test"
          : `SURVIVED: ${tests.join(", ")} pass without it`;
    bad.push(`${name.padEnd(width)}  ${why}  (${file}:${line})`);
  }
  for (const line of bad) console.log(line);
  return bad.length;
}

/** @typedef {{ only?: "remembered", assigned: () => Assigned }} Round `only`: run just the tests that noticed the absence of the checks last time */

/**
 * Which test files judge which checks; each round starts when the previous one is over.
 * @param {readonly SafetyCheck[]} checks @returns {readonly Round[]}
 */
function roundsOf(checks) {
  const exists = (/** @type {string} */ test) => existsSync(join(root, test));
  const first = () => byFinder(checks, remembered(), exists);
  const near = () => nearest(state(checks).left, unitTests(state(checks).left));
  const slow = () => {
    const { left, reached, pairs } = state(checks);
    const integrated = inIntegration(left, integration, databaseChecks, exists);
    const names = new Set(Object.values(integrated).flat());
    const others = left.filter(({ name }) => !names.has(name));
    return { ...integrated, ...further(others, reached, pairs, few) };
  };
  const everything = () => {
    const { left, reached, pairs } = state(checks);
    const others = unitTests(safetyChecks()).filter((test) => !reached.has(test));
    const names = left.map(({ name }) => name);
    return {
      ...(names.length > 0 ? Object.fromEntries(others.map((test) => [test, names])) : {}),
      ...further(left, reached, pairs, Infinity),
    };
  };
  // A test that depends on timing may miss its moment on a busy machine.
  const once = () => further(state(checks).left, state(checks).reached, new Set(), 1);
  return [
    { only: "remembered", assigned: first },
    ...[near, slow, everything, once, once].map((assigned) => ({ assigned })),
  ];
}

/**
 * Runs one round, and reruns what failed with every check in place: the second run tells chance from a fault.
 * @param {Awaited<ReturnType<typeof startVitest>>} vitest @param {readonly SafetyCheck[]} checks @param {Assigned} assigned @param {Round["only"]} only
 * @returns {Promise<number>} test files that failed again
 */
async function judgeRound(vitest, checks, assigned, only) {
  await vitest.run(assigned, only);
  const again = failing(state(checks).covered);
  for (const { file, failed } of again) console.log(`with every check in place ${file} fails: ${failed}`);
  if (again.length > 0)
    await vitest.run(Object.fromEntries(again.map(({ file }) => [file, assigned[file] ?? []])));
  const still = failing(state(checks).covered);
  for (const { file, failed } of still)
    console.log(`with every check in place ${file} fails again: ${failed}`);
  return still.length;
}

/** @param {readonly SafetyCheck[]} checks @returns {Promise<number>} of checks that no test needs */
async function judgeAll(checks) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  writeFileSync(results, "");
  const vitest = await startVitest(folder, workers);
  const watch = setInterval(endStuck, 1000);
  try {
    for (const { only, assigned: plan } of roundsOf(checks)) {
      const assigned = plan();
      const files = Object.keys(assigned).length;
      if (files === 0) continue;
      const failed = await judgeRound(vitest, checks, assigned, only);
      if (failed > 0) return failed;
      const found = checks.length - state(checks).left.length;
      console.log(`${files} test files run, ${found} of ${checks.length} checks found, after ${seconds()} s`);
    }
  } finally {
    clearInterval(watch);
    await vitest.close();
  }
  const { judged, reached } = state(checks);
  const bad = print(checks, judged, reached);
  if (options.remember) remember(judged, new Set(safetyChecks().map(({ name }) => name)));
  console.log(`\n${checks.length - bad} of ${checks.length} checks are needed by a test, in ${seconds()} s`);
  return bad;
}

const late = options.changed ? changedOfLate() : undefined;
/** The checks of the database itself count as changed with its migrations. @param {SafetyCheck} check */
const isLate = ({ file, kind }) =>
  late === undefined ||
  (kind === "database" ? late.some((path) => path.startsWith("prisma/migrations/")) : late.includes(file));
const finders = remembered();
const wanted = safetyChecks().filter(
  (check) =>
    words.every((word) => check.name.includes(word)) &&
    isLate(check) &&
    !(options.new && finders.has(check.name)),
);
const chosen = options.most === undefined ? wanted : drawn(wanted, Number(options.most), newestCommit());
if (chosen.length < wanted.length)
  console.log(
    `${chosen.length} of ${wanted.length} checks, drawn by the commit; without \`--most\` all of them are tried`,
  );
if (chosen.length === 0 && late !== undefined) console.log("no file with a safety check was changed of late");
else if (chosen.length === 0) {
  console.error("no safety check has such a name");
  process.exitCode = 1;
} else if (options.list) {
  for (const { name, file, line } of chosen)
    console.log(line === 0 ? `${name}  (${file})` : `${name}  (${file}:${line})`);
} else {
  process.exitCode = (await judgeAll(chosen)) === 0 ? 0 : 1;
}
