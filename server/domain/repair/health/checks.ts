// Reports of Reclaim's own checks that a host failed: its tests, and the comparison with its SKU. Ids are NICo's (docs/repair.md#failed-checks).
import type { z } from "zod";
import { bmcText } from "@/server/domain/repair/health/bmc/component";
import type { alertInput } from "@/server/domain/repair/health/report";
import { skuCheckSource, testCheckSource } from "@/server/domain/repair/health/templates";

/** What is known of a host that failed a check. */
export interface FailedCheck {
  /** What the host stopped for, in words; null: not told. */
  readonly message: string | null;
  /** Of its last tests. */
  readonly failedTests: readonly string[];
}

type AlertInput = z.input<typeof alertInput>;

interface Check {
  readonly source: string;
  /** The state in which a host has failed it. */
  readonly failedIn: string;
  /** Patterns (LIKE) of the states that a host reaches only when it has passed it. */
  readonly passedIn: readonly string[];
  /** Whether the tests that the alerts name must have run and passed besides: a site or SKU may no longer require them. */
  readonly byTest: boolean;
  readonly alertsOf: (failed: FailedCheck) => readonly AlertInput[];
}

/** The state keeps the host out of allocation until it passes, so no alert has a classification for that. */
const alert = (id: string, target: string | null, message: string): AlertInput => ({
  ...{ id, target },
  message: bmcText(message, 1_000),
});

const mostTests = 64;
const behindTests = ["HostInit/%", "ReturnToAllocation/%", "Ready", "Assigned/%"] as const;

export const checks: readonly Check[] = [
  {
    source: skuCheckSource,
    failedIn: "BomValidating/SkuVerificationFailed",
    passedIn: ["Validation/%", ...behindTests],
    byTest: false,
    alertsOf: ({ message }) => [alert("SkuValidation", null, message ?? "the host differs from its SKU")],
  },
  {
    source: testCheckSource,
    failedIn: "Failed/MachineValidation",
    passedIn: behindTests,
    byTest: true,
    alertsOf: ({ message, failedTests }) =>
      failedTests.length === 0
        ? [alert("FailedValidationTestCompletion", null, message ?? "the tests did not run to their end")]
        : [...new Set(failedTests)]
            .slice(0, mostTests)
            .map((test) => alert("FailedValidationTest", test, message ?? `the test ${test} failed`)),
  },
];
