// What a certificate with exceptions says, and what it must not leave out.
import { expect, it } from "vitest";
import { buildStatement } from "@/server/domain/assurance/certificates/build";
import { exceptionFault } from "@/server/domain/assurance/certificates/exceptions";
import { sampleRecords } from "@/server/domain/assurance/certificates/testing/sample-bundle";

const [result] = sampleRecords.results;
const serial = result?.serial ?? "";
const at = "2026-11-23T10:00:00.000Z";
const end = "2026-12-24T00:00:00.000Z";
const exception = {
  id: "x",
  serial,
  reason: "no spare part",
  by: "Ada",
  askedAt: at,
  approvedBy: "Bea",
  until: end,
};
const gates = (exceptions: readonly object[]) =>
  sampleRecords.gates.map((gate) =>
    gate.gate === "storageSanitized"
      ? { ...gate, status: "excepted" as const, evidence: { exceptions } }
      : gate,
  );
const build = (exceptions: readonly object[], verdict = "failed") =>
  buildStatement(
    {
      ...sampleRecords,
      gates: gates(exceptions),
      exceptions: [{ id: "x", measure: "locked row", risk: "readable data" }],
      results: sampleRecords.results.map((each) => ({ ...each, verdict })),
    },
    { id: sampleRecords.host.id, issuer: "log", atTheEnd: true, message: null, outcome: "ready" },
  ).predicate;

it("is of its own type, names who let what through until when, and calls the drive not sanitized", () => {
  expect(build([{ ...exception, approvedAt: at }])).toMatchObject({
    certificate: { type: "notSanitized" },
    exceptions: [
      {
        ...{ gate: "storageSanitized", serial, reason: "no spare part" },
        ...{ askedBy: { name: "Ada", at }, approvedBy: { name: "Bea", at } },
        ...{ until: end, measure: "locked row", risk: "readable data" },
      },
    ],
    devices: [{ serial, result: "not sanitized" }],
  });
});

it.each([
  ["by no exception", [], "by no exception"],
  ["for another drive", [{ ...exception, serial: "another", approvedAt: at }], "and no exception"],
])("there is none %s", (_what, exceptions, why) => {
  expect(() => build(exceptions)).toThrow(why);
});

it.each([
  ["a gate that has none", "healthy", "excepted", "which has no exceptions"],
  ["a gate that is satisfied", "memoryOverwritten", "satisfied", "which is not excepted"],
] as const)("who verifies is told of one for %s", (_what, gate, status, why) => {
  const said = { gate, serial: null };
  expect(
    exceptionFault({ exceptions: [said], gates: [{ gate, status, reason: "" }], devices: [] }),
  ).toContain(why);
});

it("a drive that is sanitized is not excepted", () => {
  expect(() => build([{ ...exception, approvedAt: at }], "sanitized")).toThrow("reads sanitized");
});
