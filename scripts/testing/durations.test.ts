// How `npm test` reports slow tests, and the order in which it starts files.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "@/scripts/folders.mjs";
import { playwrightTimes, slowest, vitestTimes } from "@/scripts/testing/durations.mjs";
import { longFiles } from "@/scripts/testing/long-files.mjs";

it("reads vitest's report; a test without a duration took none", () => {
  const report = {
    testResults: [
      {
        name: "/checkout/a.test.ts",
        assertionResults: [
          { fullName: "a waits", duration: 1500 },
          { fullName: "a is left out", duration: null },
        ],
      },
    ],
  };
  expect(vitestTimes(report, "/checkout")).toEqual([
    { file: "a.test.ts", name: "a waits", ms: 1500 },
    { file: "a.test.ts", name: "a is left out", ms: 0 },
  ]);
});

it("reads Playwright's report with its nested suites, and adds up the results of a test", () => {
  const spec = (title: string, ...durations: number[]) => ({
    title,
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  const report = {
    suites: [
      {
        file: "b.spec.ts",
        specs: [spec("opens", 200)],
        suites: [{ file: "b.spec.ts", specs: [spec("closes", 100, 50)] }],
      },
    ],
  };
  expect(playwrightTimes(report, "e2e")).toEqual([
    { file: "e2e/b.spec.ts", name: "opens", ms: 200 },
    { file: "e2e/b.spec.ts", name: "closes", ms: 150 },
  ]);
});

it("names the slowest tests and the slowest files, a file by the sum of its tests", () => {
  const times = [
    { file: "a", name: "one", ms: 2000 },
    { file: "b", name: "two", ms: 1500 },
    { file: "b", name: "three", ms: 1000 },
  ];
  expect(slowest(times, 2)).toEqual([
    "The 2 slowest tests:",
    "    2.0 s  a: one",
    "    1.5 s  b: two",
    "The 2 slowest files:",
    "    2.5 s  b",
    "    2.0 s  a",
  ]);
});

it("begins with files that exist, each once", () => {
  expect(longFiles.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(longFiles).size).toBe(longFiles.length);
});
