// The validation tests of a reclamation by name: which the site wants, and how each ended.
import type { ProvenContext } from "@/server/domain/lifecycle/context";

export const testResultKinds = ["passed", "failed", "skipped", "not run"] as const;
export type TestResultKind = (typeof testResultKinds)[number];

export interface TestResult {
  readonly name: string;
  readonly result: TestResultKind;
}

/** `tests`: what was recorded of the last run; null: there was none. A wanted test that is not named there as failed or skipped has passed. Pure. */
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
