// A procedure and its record for tests.
import { procedure } from "@/server/domain/assurance/procedures/procedure";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { AssuranceFacts, RecordFacts } from "@/server/domain/assurance/procedures/standing";

/** Never due, except as given. */
export const testWhen = (given: Partial<Procedure["when"]> = {}): Procedure["when"] => ({
  always: false,
  skus: [],
  tenants: [],
  afterRepair: false,
  afterFailures: [],
  ...given,
});

/** A full AC drain that is always due. */
export const testProcedure = (changes: Partial<Procedure> = {}): Procedure => ({
  ...procedure.parse({
    name: "full-ac-drain",
    title: "Full AC drain",
    checklist: [{ text: "Both cords out" }, { text: "Minutes without AC", answer: "text" }],
    when: { always: true },
  }),
  ...changes,
});

/** Signed off. */
export const testRecord = (changes: Partial<RecordFacts> = {}): RecordFacts => ({
  id: "0190aaaa-0000-7000-8000-0000000000f1",
  procedure: "full-ac-drain",
  version: 1,
  recordedAtMs: 500,
  operator: "Mercy",
  own: true,
  reusableUntilMs: null,
  afterErase: true,
  decision: "approved",
  decidedBy: "Jonas",
  decidedReason: "",
  voided: false,
  ...changes,
});

export const testFacts = (
  records: readonly RecordFacts[],
  changes: Partial<AssuranceFacts> = {},
): AssuranceFacts => ({ tenants: [], repaired: false, failures: [], records, ...changes });
