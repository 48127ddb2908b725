// Procedures as text.
import { expect, it } from "vitest";
import { testProcedure, testWhen } from "@/server/domain/assurance/procedures/testing/procedures";
import { procedureChanges, formatValidity, formatWhen } from "@/server/domain/assurance/procedures/text";

it("says when a procedure is due", () => {
  expect(formatWhen(testWhen())).toBe("");
  const all = { always: true, skus: ["A", "B"], tenants: ["acme"], afterRepair: true };
  expect(formatWhen(testWhen({ ...all, afterFailures: ["MachineValidation"] }))).toBe(
    "always; SKU A, B; tenant acme; after a repair tenant; after MachineValidation",
  );
});

it("says how long a record counts", () => {
  expect([null, 1, 30].map((reusableDays) => formatValidity({ reusableDays }))).toEqual([
    "its own reclamation",
    "1 day, for later reclamations too",
    "30 days, for later reclamations too",
  ]);
});

it("names what differs between two texts, and nothing else", () => {
  const before = testProcedure();
  expect(procedureChanges(before, { ...before, version: 2 })).toEqual([]);
  const after = testProcedure({
    checklist: [{ text: "Both cords out", answer: "text" }],
    evidence: ["photo"],
    when: testWhen({ skus: ["A"] }),
  });
  expect(procedureChanges(before, after)).toEqual([
    { what: "Checklist, point 1", before: "Both cords out", after: "Both cords out (a value)" },
    { what: "Evidence", before: "none", after: "photo" },
    { what: "Due", before: "always", after: "SKU A" },
    { what: "Checklist, point 2", before: "Minutes without AC (a value)", after: null },
  ]);
  expect(procedureChanges(null, before).every((change) => change.before === null)).toBe(true);
  expect(procedureChanges(before, null)).toHaveLength(procedureChanges(null, before).length);
});
