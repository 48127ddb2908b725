// Vitest's runner in the mutation run: a test file runs once unchanged, which shows what it covers, and then once for each
// safety check that it has to judge, in the same process (docs/adr/0036-safety-checks-are-marked.md).
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject, TestRunner, vi } from "vitest";
import { startTests } from "vitest/internal/browser";
import { bundled, bundlePlugin } from "./bundle-plugin.mjs";
import { databaseChecks } from "./database-checks.mjs";
import { remembered } from "./remembered.mjs";
import { breakTemplate, takeRefused, watchStatements } from "./statements.mjs";
import { install, takeOut, takeReached } from "./switch.mjs";

/** @typedef {import("vitest").RunnerTestFile} File */
/** @typedef {import("vitest").RunnerTask} Task */
/** @typedef {{ load: boolean, hooks: boolean, tests: Set<string> }} Reach when a check is reached: on import, in hooks of the file, in tests */
/** @typedef {{ failed: string | undefined, refused: string | undefined }} Pass the first failed test */

/** Timeouts of one test and of one hook: with a check disabled, it may wait for something that never comes. */
const brokenTestMs = 15_000;
const brokenHookMs = 40_000;
const brokenPollMs = 4000;

const folder = process.env["RECLAIM_MUTATION"] ?? "";
/** @type {{ assigned: Record<string, string[]>, only?: "remembered" }} names of the checks that each test file judges, and by which tests */
const { assigned, only } = JSON.parse(readFileSync(join(folder, "assigned.json"), "utf8"));
const results = join(folder, "results.jsonl");
/** The test that noticed each check's absence last time is tried first. */
const last = remembered();

/** @param {import("./results.mjs").Line} line */
const tell = (line) => appendFileSync(results, `${JSON.stringify(line)}\n`);
/** @param {string} name */
const isKilled = (name) => readFileSync(results, "utf8").includes(`{"killed":${JSON.stringify(name)},`);

/** Whether a check is reached where we cannot see it: in another process, or in the database. @param {string} name */
const isBlind = (name) => bundled.has(name) || databaseChecks.some((check) => check.name === name);

/** @param {readonly Task[]} tasks @returns {import("vitest").RunnerTestCase[]} */
const testsOf = (tasks) => tasks.flatMap((task) => (task.type === "test" ? [task] : testsOf(task.tasks)));
/** @param {Task} task @returns {string} */
const nameOf = (task) =>
  task.suite === undefined || task.suite.name === "" ? task.name : `${nameOf(task.suite)} > ${task.name}`;

/** @param {Task} task @returns {boolean} whether any of its tests runs */
function keepOnly(task, /** @type {ReadonlySet<string>} */ chosen) {
  const runs =
    task.type === "test"
      ? chosen.has(nameOf(task)) && task.mode !== "skip"
      : task.tasks.map((inner) => keepOnly(inner, chosen)).some(Boolean);
  if (!runs) task.mode = "skip";
  return runs;
}

/** Runs a file's tests once without reporting, and stops at the first failure. */
class QuietRunner extends TestRunner {
  /** @type {ReadonlySet<string> | undefined} */ chosen;

  /** @param {File[]} files */
  onBeforeRunFiles(files) {
    if (this.chosen !== undefined)
      for (const file of files) for (const task of file.tasks) keepOnly(task, this.chosen);
  }

  /** @override @param {import("vitest").RunnerTestCase} test */
  onAfterRunTask(test) {
    if (test.result?.state === "fail") super.cancel("test-failure");
    super.onAfterRunTask(test);
  }
}

/** @param {readonly Task[]} tasks @returns {import("vitest").RunnerTestSuite[]} */
const suitesOf = (tasks) =>
  tasks.flatMap((task) => (task.type === "suite" ? [task, ...suitesOf(task.tasks)] : []));

/** @param {File} file @returns {string | undefined} */
function failureOf(file) {
  const failed = testsOf(file.tasks).find(({ result }) => result?.state === "fail");
  if (failed !== undefined) return nameOf(failed);
  const broken = [file, ...suitesOf(file.tasks)].find(({ result }) => result?.state === "fail");
  return broken === undefined
    ? undefined
    : `${broken.name}: ${(broken.result?.errors?.[0]?.message ?? "failed").slice(0, 400)}`;
}

export default class MutationRunner extends TestRunner {
  /** @type {Map<string, Reach>} */ #reached = new Map();
  /** @type {File | undefined} */ #file;
  /** @type {ReadonlySet<string>} names */ #tests = new Set();

  /** @param {import("vitest").SerializedConfig} config */
  constructor(config) {
    super(config);
    install();
    Object.assign(globalThis, { __safetyPlugins: [bundlePlugin] });
  }

  /** @param {"load" | "hooks" | import("vitest").RunnerTestCase} by */
  #note(by) {
    for (const name of takeReached()) {
      const reach = this.#reached.get(name) ?? { load: false, hooks: false, tests: new Set() };
      if (typeof by === "string") reach[by] = true;
      else reach.tests.add(nameOf(by));
      this.#reached.set(name, reach);
    }
  }

  /** @override @param {string} path @param {Parameters<TestRunner["importFile"]>[1]} source */
  async importFile(path, source) {
    if (path.endsWith(".itest.ts")) watchStatements();
    return super.importFile(path, source);
  }

  /** @param {File[]} files */
  onBeforeRunFiles([file]) {
    this.#file = file;
    this.#tests = new Set(testsOf(file?.tasks ?? []).map(nameOf));
    const names = assigned[file?.name ?? ""] ?? [];
    const finders = new Set(names.flatMap((name) => last.get(name)?.test ?? []));
    if (only === "remembered") for (const task of file?.tasks ?? []) keepOnly(task, finders);
    this.#note("load");
  }

  /** @override @param {import("vitest").RunnerTestCase} test */
  async onBeforeRunTask(test) {
    this.#note("hooks");
    return super.onBeforeRunTask(test);
  }

  /** @override @param {import("vitest").RunnerTestCase} test */
  onAfterRunTask(test) {
    this.#note(test);
    super.onAfterRunTask(test);
  }

  /** @override */
  async onAfterRunFiles() {
    this.#note("hooks");
    super.onAfterRunFiles();
    const file = this.#file;
    if (file === undefined) return;
    const path = file.filepath;
    const failed = failureOf(file);
    const reached = [...this.#reached].map(([name, { load, hooks, tests }]) => ({
      name,
      tests: load || hooks ? 0 : tests.size,
    }));
    for (const name of bundled) if (!this.#reached.has(name)) reached.push({ name, tests: -1 });
    // What a few of its tests reach is not what the file covers; and if they fail, later rounds will report it.
    if (only === undefined)
      tell({ file: file.name, failed, reached, ms: Math.round(file.result?.duration ?? 0) });
    if (failed !== undefined) return;
    for (const name of assigned[file.name] ?? []) {
      const reach =
        this.#reached.get(name) ??
        (isBlind(name) ? { load: false, hooks: true, tests: new Set() } : undefined);
      if (reach === undefined || isKilled(name)) continue;
      writeFileSync(
        join(folder, `now-${process.pid}`),
        JSON.stringify({ name, file: file.name, at: Date.now() }),
      );
      const began = Date.now();
      const verdict = await this.#judge(path, name, reach).catch((error) =>
        only === "remembered" ? undefined : { broken: name, why: String(error) },
      );
      if (verdict !== undefined) tell({ ...verdict, file: file.name, ms: Date.now() - began });
    }
    writeFileSync(join(folder, `now-${process.pid}`), "null");
  }

  /** @param {string} path @param {string} name @param {Reach} reach @returns {Promise<import("./results.mjs").Verdict | undefined>} none: other tests must judge it */
  async #judge(path, name, reach) {
    const all = reach.load || reach.hooks;
    /** @type {[chosen: ReadonlySet<string> | undefined, fresh: boolean][]} */
    const tries = [
      [all ? undefined : reach.tests, reach.load],
      [undefined, true],
    ];
    const isTest = (/** @type {string} */ failed) => this.#tests.has(failed);
    const hint = last.get(name)?.test;
    if (hint !== undefined && (reach.tests.has(hint) || (all && isTest(hint)))) {
      const chosen = new Set([hint]);
      const { failed, refused } = await this.#pass(path, name, chosen, reach.load);
      if (
        failed !== undefined &&
        refused === undefined &&
        (await this.#pass(path, undefined, chosen, reach.load)).failed === undefined
      )
        return { killed: name, by: failed };
    }
    if (only === "remembered") return undefined;
    for (const [chosen, fresh] of tries) {
      const { failed, refused } = await this.#pass(path, name, chosen, fresh);
      if (refused !== undefined) return { broken: name, why: refused };
      if (failed === undefined) return { survived: name };
      // Control run: leftovers of the run without the check, or left-out tests, must not be the reason for the failure.
      const control = await this.#pass(path, undefined, isTest(failed) ? new Set([failed]) : chosen, fresh);
      if (control.failed === undefined) return { killed: name, by: failed };
    }
    return { broken: name, why: "its tests fail with the check in place, too" };
  }

  /**
   * @param {string} path
   * @param {string | undefined} name the check that is disabled
   * @param {ReadonlySet<string> | undefined} chosen names of tests; all of them if not given
   * @param {boolean} fresh reload all modules
   * @returns {Promise<Pass>}
   */
  async #pass(path, name, chosen, fresh) {
    const runner = new QuietRunner({ ...this.config, testTimeout: brokenTestMs, hookTimeout: brokenHookMs });
    Object.defineProperty(runner, "moduleRunner", { value: Reflect.get(this, "moduleRunner") });
    Object.assign(runner, { chosen, _otel: Reflect.get(this, "_otel") });
    const { evaluatedModules, config } = Reflect.get(this, "workerState");
    const patience = config.expect.poll.timeout;
    if (name !== undefined) config.expect.poll.timeout = brokenPollMs;
    if (fresh) vi.resetModules();
    // Process state (server/process/process-state.ts) would carry one run's counts into the next.
    Object.assign(globalThis, { reclaimProcess: undefined });
    for (const loaded of evaluatedModules.fileToModulesMap.get(path) ?? [])
      evaluatedModules.invalidateModule(loaded);
    const mended =
      name === undefined || !path.endsWith(".itest.ts")
        ? undefined
        : await breakTemplate(name, inject("testServerUrl"), inject("testTemplate"));
    takeOut(name);
    try {
      const [file] = await startTests([path], runner);
      return { failed: file === undefined ? "no tests" : failureOf(file), refused: takeRefused()?.message };
    } finally {
      takeOut(undefined);
      config.expect.poll.timeout = patience;
      takeReached();
      await mended?.();
    }
  }
}
