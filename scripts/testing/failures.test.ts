// How `npm test` reports failed tests.
import { expect, it } from "vitest";
import { failed, playwrightFailures, vitestFailures } from "@/scripts/testing/failures.mjs";

it("reads vitest's report: failed tests, failed hooks, and files that could not be loaded", () => {
  const test = (fullName: string, status: string, ...failureMessages: string[]) => ({
    ...{ fullName, status, failureMessages },
  });
  const report = {
    testResults: [
      {
        name: "/checkout/a.test.ts",
        status: "failed",
        message: "",
        assertionResults: [test("passes", "passed"), test("waits", "failed", "too late\n  at a.test.ts:3")],
      },
      { name: "/checkout/b.test.ts", status: "failed", message: "cannot be loaded", assertionResults: [] },
      { name: "/checkout/c.test.ts", status: "passed", message: "", assertionResults: [] },
      { name: "/checkout/d.test.ts", status: "failed", message: "", assertionResults: [] },
    ],
    hookFailures: [{ file: "/checkout/d.test.ts", name: "a stack", words: "did not start" }],
  };
  expect(vitestFailures(report, "/checkout")).toEqual([
    { file: "d.test.ts", name: "a stack", words: "did not start" },
    { file: "a.test.ts", name: "waits", words: "too late\n  at a.test.ts:3" },
    { file: "b.test.ts", name: "the file itself", words: "cannot be loaded" },
  ]);
});

it("reads Playwright's report with its nested suites", () => {
  const spec = (title: string, message?: string) => ({
    title,
    ok: message === undefined,
    tests: [{ results: [message === undefined ? {} : { error: { message } }] }],
  });
  const file = "c.spec.ts";
  const report = {
    suites: [{ file, specs: [spec("opens")], suites: [{ file, specs: [spec("closes", "no button")] }] }],
  };
  expect(playwrightFailures(report, "e2e")).toEqual([
    { file: "e2e/c.spec.ts", name: "closes", words: "no button" },
  ]);
});

it("says the first lines of each error without colours, and nothing where nothing failed", () => {
  expect(failed([])).toEqual([]);
  expect(
    failed([{ file: "a", name: "one", words: "\u001B[31mexpected 1\u001B[39m\n\n  at a\n  at b" }], 2),
  ).toEqual(["What failed:", "  a: one", "      expected 1", "        at a"]);
});
