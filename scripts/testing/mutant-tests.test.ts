// What the mutation test takes for a failed test, and what for a file that could not run.
import { describe, expect, it } from "vitest";
import { readReport } from "./mutant-tests.mjs";

const passed = { status: "passed", fullName: "adds", failureMessages: [] };
const failed = { status: "failed", fullName: "subtracts", failureMessages: ["expected 1 to be 2"] };
const skipped = { status: "skipped", fullName: "divides" };

describe("a report of vitest", () => {
  it("without a failure has none", () => {
    expect(readReport({ numTotalTests: 2, numPendingTests: 1, testResults: [{ name: "a.test.ts", status: "passed", assertionResults: [passed, skipped] }] })).toEqual({ ran: 1, failures: [], broken: [] });
  });

  it("names each failed test with its message", () => {
    expect(readReport({ numTotalTests: 2, numPendingTests: 0, testResults: [{ name: "a.test.ts", status: "failed", message: "", assertionResults: [passed, failed] }] })).toEqual({
      ran: 2,
      failures: [{ name: "subtracts", message: "expected 1 to be 2" }],
      broken: [],
    });
  });

  it("tells a file whose preparation failed from one whose tests passed", () => {
    const report = { numTotalTests: 2, numPendingTests: 1, testResults: [
      { name: "a.test.ts", status: "passed", assertionResults: [passed] },
      { name: "b.test.ts", status: "failed", message: "Hook timed out", assertionResults: [skipped] },
    ] };
    expect(readReport(report)).toEqual({ ran: 1, failures: [], broken: [{ name: "b.test.ts", message: "Hook timed out" }] });
  });
});
