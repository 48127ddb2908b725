// Every required test with its result.
import { expect, it } from "vitest";
import { testResults } from "@/server/domain/reclamations/gates/test-results";

it("lists the wanted tests with their results, and those that the site wants no more", () =>
  expect(
    testResults(["memory", "gpu", "disk"], { failed: ["gpu", "old"], skipped: ["disk"] }).map(
      ({ name, result }) => `${name}: ${result}`,
    ),
  ).toEqual(["memory: passed", "gpu: failed", "disk: skipped", "old: failed"]));

it("lists those that only the SKU requires, and says of one that was not among them that it did not run", () =>
  expect(testResults(["memory"], { names: ["gpu"], failed: [], skipped: [] })).toEqual([
    { name: "memory", result: "not run" },
    { name: "gpu", result: "passed" },
  ]));

it("says of none that it passed before they ran", () =>
  expect(testResults(["memory"], null)).toEqual([{ name: "memory", result: "not run" }]));
