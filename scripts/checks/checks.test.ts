// Tests of the checks: each finds what it is meant to find.
import { describe, expect, it } from "vitest";
import { playwrightCounts, verdict, vitestCounts } from "@/scripts/testing/counts.mjs";
import { checkMigrations, contractionsIn } from "@/scripts/checks/migrations.mjs";
import { unexplained } from "@/scripts/checks/dependencies.mjs";
import { isLong, problemsOf } from "@/scripts/checks/files.mjs";
import { missingFromLock } from "@/scripts/checks/lock.mjs";
import { compareNames } from "@/scripts/checks/safety-checks.mjs";

describe("problemsOf", () => {
  it("finds nothing wrong with a good file", () => {
    expect(problemsOf("server/domain/host-name.ts", "// Names of hosts.\nexport const name = 1;\n")).toEqual(
      [],
    );
    expect(problemsOf("app/hosts/[host]/page.tsx", '"use client";\n// The host page.\n')).toEqual([]);
    expect(problemsOf("scripts/x.mjs", "#!/usr/bin/env node\n// X.\n")).toEqual([]);
  });

  it.each([
    ["server/hostName.ts", "// A\n", /kebab-case/],
    ["server/a.ts", "export const a = 1;\n", /first line/],
    ["server/a.ts", "// A\n// TODO: later\n", /a.ts:2/],
    ["server/a.test.ts", "// A\nit.skip('x', () => {});\n", /does not run/],
    ["server/a.ts", "// A\n// eslint-disable-next-line\n", /switches a check off/],
    ["server/a.ts", "// A\n// oxlint-disable-next-line\n", /switches a check off/],
  ])("finds what is wrong in %s %j", (path, text, problem) => {
    expect(problemsOf(path, text).join("\n")).toMatch(problem);
  });
});

it("a file of over 500 lines is worth a look, a list of test cases is not", () => {
  const text = (lines: number) => "x;\n".repeat(lines);
  expect(isLong("server/a.ts", text(500))).toBe(false);
  expect(isLong("server/a.ts", text(501))).toBe(true);
  expect(isLong("server/a.test.ts", text(501))).toBe(false);
});

describe("contractionsIn", () => {
  it.each([
    ['ALTER TABLE "a" ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "c" TEXT;'],
    [
      'CREATE TABLE "a" ("b" TEXT NOT NULL); DROP INDEX "x"; CREATE OR REPLACE FUNCTION f() AS $$ DROP TABLE t; $$;',
    ],
    ["-- DROP TABLE a\nCOMMENT ON TABLE a IS 'DROP TABLE a';"],
  ])("takes %s", (sql) => expect(contractionsIn("1", sql)).toEqual([]));

  it.each([
    ['DROP TABLE "a";', /drops/],
    ['ALTER TABLE "a" DROP COLUMN "b";', /drops/],
    ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', /renames/],
    ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', /narrows/],
    ['ALTER TABLE "a" ALTER COLUMN "b" TYPE TEXT;', /narrows/],
    ['ALTER TABLE "a" ALTER COLUMN "b" TYPE TIMESTAMPTZ(3);', /narrows/],
    ['ALTER TABLE "a" ALTER COLUMN "b" TYPE TIMESTAMPTZ(6);', /narrows/],
    [
      'ALTER TABLE "a" ADD COLUMN "c" TEXT, ADD COLUMN "b" INTEGER NOT NULL;',
      /give it a default \(ADD COLUMN "b"/,
    ],
  ])("finds %s", (sql, problem) => expect(contractionsIn("1", sql).join()).toMatch(problem));

  it("finds nothing in the migrations of this release", () => expect(checkMigrations().problems).toEqual([]));
});

describe("missingFromLock", () => {
  it("finds the platform's package that the registry did not give", () => {
    const packages = {
      "node_modules/next": { optionalDependencies: { "swc-linux": "1", "swc-darwin": "1" } },
      "node_modules/swc-linux": {},
    };
    expect(missingFromLock(packages)).toEqual([
      "node_modules/next wants swc-darwin, which package-lock.json does not have",
    ]);
  });
  it("looks where Node would look", () => {
    const wants = { optionalDependencies: { c: "1" } };
    expect(
      missingFromLock({ "node_modules/a/node_modules/b": wants, "node_modules/a/node_modules/c": {} }),
    ).toEqual([]);
    expect(missingFromLock({ "node_modules/a/node_modules/b": wants, "node_modules/c": {} })).toEqual([]);
    expect(missingFromLock({ "node_modules/@s/a": wants, "node_modules/x/node_modules/c": {} })).toHaveLength(
      1,
    );
  });
});

describe("unexplained", () => {
  it("wants one reason per package", () => {
    const page = "| `zod` | unknown data is parsed |\n| `gone` | was needed once |\n| `short` | yes |\n";
    expect(unexplained(["zod", "short", "new"], page)).toEqual([
      "new: no line in docs/contributing/dependencies.md",
      "short: no reason in docs/contributing/dependencies.md",
      "gone: in docs/contributing/dependencies.md, but not in package.json",
    ]);
  });
});

describe("verdict", () => {
  it("is good only when something ran and all of it passed", () => {
    expect(verdict({ passed: 3, failed: 0, skipped: 0 })).toBeUndefined();
    expect(verdict({ passed: 0, failed: 0, skipped: 0 })).toBe("there were no tests");
    expect(verdict({ passed: 3, failed: 1, skipped: 0 })).toBe("1 failed");
    expect(verdict({ passed: 3, failed: 0, skipped: 2 })).toBe("2 skipped");
    expect(verdict(undefined)).toBe("did not run");
  });
  it("counts a file that could not be loaded, and a flaky test, as failures", () => {
    expect(
      vitestCounts({
        numPassedTests: 2,
        numFailedTests: 0,
        numPendingTests: 0,
        numTodoTests: 0,
        success: false,
        testResults: [],
      }),
    ).toMatchObject({ failed: 1 });
    expect(playwrightCounts({ stats: { expected: 2, unexpected: 0, flaky: 1, skipped: 0 } })).toMatchObject({
      failed: 1,
    });
  });
});

describe("safety checks", () => {
  it("are marked and required", () => expect(compareNames(["a", "b"], ["b", "a"])).toEqual([]));
  it.each([
    ["required and not marked", ["a", "b"], ["a"]],
    ["marked and not required", ["a"], ["a", "b"]],
    ["required twice", ["a", "a"], ["a"]],
  ])("are a problem when one is %s", (_what, required, marked) =>
    expect(compareNames(required, marked)).toHaveLength(1),
  );
});
