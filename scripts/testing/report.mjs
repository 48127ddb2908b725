// vitest's JSON report plus what it leaves out, the errors of hooks: if a `beforeAll` fails, that report only says that the file failed.
import { JsonReporter } from "vitest/node";

/** @typedef {{ file: string, name: string, words: string }} HookFailure of a `beforeAll` or `afterAll`; the file's path is absolute */

/**
 * The errors of hooks, by the group of tests that they belong to. Pure.
 * @param {readonly { moduleId: string, children: { allSuites(): Iterable<{ fullName: string, errors(): readonly { message: string, stack?: string }[] }> } }[]} modules
 * @returns {HookFailure[]}
 */
export function hookFailures(modules) {
  return modules.flatMap(({ moduleId, children }) =>
    [...children.allSuites()]
      .filter((suite) => suite.errors().length > 0)
      .map((suite) => ({
        file: moduleId,
        name: `${suite.fullName} (before or after its tests)`,
        words: suite
          .errors()
          .map(({ message, stack }) => stack ?? message)
          .join("\n"),
      })),
  );
}

export default class Report extends JsonReporter {
  /** @type {HookFailure[]} */
  #hooks = [];

  constructor() {
    super({});
  }

  /**
   * @override
   * @param {readonly import("vitest/node").TestModule[]} testModules
   */
  async onTestRunEnd(testModules) {
    this.#hooks = hookFailures(testModules);
    await super.onTestRunEnd(/** @type {import("vitest/node").TestModule[]} */ (testModules));
  }

  /**
   * @override
   * @param {string} report
   */
  async writeReport(report) {
    await super.writeReport(JSON.stringify({ ...JSON.parse(report), hookFailures: this.#hooks }));
  }
}
