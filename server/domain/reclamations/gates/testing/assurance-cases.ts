// When the gates that depend on procedures are satisfied and when they are not.
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import type { GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import { noMemory } from "@/server/domain/reclamations/gates/testing/evidence";
import type { GateCase } from "@/server/domain/reclamations/gates/testing/evidence";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { RecordFacts } from "@/server/domain/assurance/procedures/standing";
import {
  testFacts,
  testProcedure,
  testRecord,
  testWhen,
} from "@/server/domain/assurance/procedures/testing/procedures";

/** A full AC drain that is always due, with one record; null: none. */
const assured = (
  record: Partial<RecordFacts> | null,
  changes: Partial<Procedure> = {},
): Pick<GateEvidenceInput, "procedures" | "assurance"> => ({
  procedures: [testProcedure(changes)],
  assurance: testFacts(record === null ? [] : [testRecord(record)]),
});

export const assuranceCases: readonly GateCase[] = [
  ["assuranceSigned", "not required", "the policy names no procedure", {}],
  [
    "assuranceSigned",
    "not required",
    "the site does without procedures, and names none",
    { requires: { ...allRequired, assuranceSigned: false } },
  ],
  [
    "assuranceSigned",
    "waived",
    "the site does without the procedures that apply",
    { ...assured(null), requires: { ...allRequired, assuranceSigned: false } },
  ],
  [
    "assuranceSigned",
    "waived",
    "the site does without its procedures, and the records were not read",
    { procedures: [testProcedure()], requires: { ...allRequired, assuranceSigned: false } },
  ],
  [
    "assuranceSigned",
    "not required",
    "the site does without its procedures, of which none applies",
    { ...assured({}, { when: testWhen() }), requires: { ...allRequired, assuranceSigned: false } },
  ],
  ["assuranceSigned", "unsatisfied", "the records were not read", { procedures: [testProcedure()] }],
  ["assuranceSigned", "not required", "no procedure applies", assured({}, { when: testWhen() })],
  [
    "assuranceSigned",
    "not required",
    "a recheck cleans nothing",
    { ...assured({}), kind: "recheck", planMade: false },
  ],
  ["assuranceSigned", "satisfied", "every procedure is signed off", assured({})],
  ["assuranceSigned", "unsatisfied", "nothing was recorded", assured(null)],
  ["assuranceSigned", "unsatisfied", "a record awaits sign-off", assured({ decision: null })],
  ["assuranceSigned", "unsatisfied", "a record was rejected", assured({ decision: "rejected" })],
  ["assuranceSigned", "unsatisfied", "a record is of another version", assured({ version: 2 })],
  ["assuranceSigned", "unsatisfied", "a record lost its ground", assured({ voided: true })],
  ["assuranceSigned", "unsatisfied", "a record is of another reclamation", assured({ own: false })],
  ["assuranceSigned", "satisfied", "it is reusable", assured({ own: false, reusableUntilMs: 2_000 })],
  [
    "assuranceSigned",
    "unsatisfied",
    "it is reusable no more",
    assured({ own: false, reusableUntilMs: 1_000 }),
  ],
  ["memoryOverwritten", "satisfied", "the host was drained in place of a step", { ...assured({}), plan: [] }],
  [
    "memoryOverwritten",
    "unsatisfied",
    "the drain came before the drives were erased",
    { ...assured({ afterErase: false }), plan: noMemory.plan },
  ],
  [
    "assuranceSigned",
    "unsatisfied",
    "the memory needs the drain once more, after the drives were erased",
    { ...assured({ afterErase: false }), plan: noMemory.plan },
  ],
  [
    "assuranceSigned",
    "satisfied",
    "a step overwrites the memory, whenever the drain was",
    assured({ afterErase: false }),
  ],
  [
    "memoryOverwritten",
    "unsatisfied",
    "the drain is not signed off",
    { ...assured({ decision: null }), plan: [] },
  ],
];
