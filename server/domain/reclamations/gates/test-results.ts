// The validation tests of a reclamation by name: those that the site or the SKU requires, and how each ended.
import type { ProvenContext } from "@/server/domain/lifecycle/context";

export const testResultKinds = ["passed", "failed", "skipped", "not run"] as const;
export type TestResultKind = (typeof testResultKinds)[number];

export interface TestResult {
  readonly name: string;
  readonly result: TestResultKind;
}

type Ended = Pick<NonNullable<ProvenContext["tests"]>, "names" | "failed" | "skipped">;

function resultOf(name: string, tests: Ended | null): TestResultKind {
  if (tests === null) return "not run";
  if (tests.failed.includes(name)) return "failed";
  if (tests.skipped.includes(name)) return "skipped";
  return tests.names?.includes(name) === false ? "not run" : "passed";
}

/** `tests`: the record of the last run; null: none. One by an earlier release does not name those that passed: all others have. Pure. */
export function testResults(wanted: readonly string[], tests: Ended | null): readonly TestResult[] {
  const names = [
    ...new Set([...wanted, ...(tests?.names ?? []), ...(tests?.failed ?? []), ...(tests?.skipped ?? [])]),
  ];
  return names.map((name) => ({
    name,
    result: resultOf(name, tests),
  }));
}
