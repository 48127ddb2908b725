// The validation tests of a reclamation by name: those that the site requires, and how each ended.
import type { ProvenContext } from "@/server/domain/lifecycle/context";

export const testResultKinds = ["passed", "failed", "skipped", "not run"] as const;
export type TestResultKind = (typeof testResultKinds)[number];

export interface TestResult {
  readonly name: string;
  readonly result: TestResultKind;
}

/** `tests`: the record of the last run; null: none. A required test that it does not list as failed or skipped has passed. Pure. */
export function testResults(
  wanted: readonly string[],
  tests: Pick<NonNullable<ProvenContext["tests"]>, "failed" | "skipped"> | null,
): readonly TestResult[] {
  const names = [...new Set([...wanted, ...(tests?.failed ?? []), ...(tests?.skipped ?? [])])];
  return names.map((name) => ({
    name,
    result:
      tests === null
        ? "not run"
        : tests.failed.includes(name)
          ? "failed"
          : tests.skipped.includes(name)
            ? "skipped"
            : "passed",
  }));
}
