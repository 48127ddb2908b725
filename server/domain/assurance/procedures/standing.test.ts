// When a procedure is due, and which record counts.
import { expect, it } from "vitest";
import { highestVersion, unversioned } from "@/server/domain/assurance/procedures/procedure";
import {
  dueReason,
  signedProcedure,
  standingsOf,
  type RecordFacts,
} from "@/server/domain/assurance/procedures/standing";
import {
  testFacts,
  testProcedure,
  testRecord,
  testWhen,
} from "@/server/domain/assurance/procedures/testing/procedures";

const facts = testFacts([], { tenants: ["acme"], repaired: true, failures: ["BootContested"] });

it.each([
  [{ always: true }, "every reclamation"],
  [{ skus: ["r750"] }, "SKU r750"],
  [{ skus: ["r760"] }, null],
  [{ tenants: ["vela", "acme"] }, "tenant acme"],
  [{ tenants: ["vela"] }, null],
  [{ afterRepair: true }, "after a repair tenant"],
  [{ afterFailures: ["BootContested"] }, "after BootContested"],
  [{ afterFailures: ["StepTimeout"] }, null],
  [{}, null],
] as const)("%j is due: %s", (when, reason) => {
  const given = Object.fromEntries(
    Object.entries(when).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  );
  expect(dueReason({ when: testWhen(given) }, facts, "r750")).toBe(reason);
});

it("is not due for a SKU where the host has none, nor after a repair that was none", () => {
  expect(dueReason({ when: testWhen({ skus: ["r750"] }) }, facts, null)).toBeNull();
  expect(dueReason({ when: testWhen({ afterRepair: true }) }, testFacts([]), "r750")).toBeNull();
});

it("counts the newest record, also where an older one was signed off", () => {
  const status = (...records: readonly ReturnType<typeof testRecord>[]) =>
    standingsOf([testProcedure()], testFacts(records), null, 1_000, false).map((standing) => standing.status);
  const newer = (decision: string | null) => testRecord({ recordedAtMs: 600, decision });
  expect(status()).toEqual(["due"]);
  expect(status(newer("rejected"), testRecord())).toEqual(["rejected"]);
  expect(status(testRecord(), newer(null))).toEqual(["awaitsSignOff"]);
  expect(status(testRecord({ decision: "rejected" }), newer("approved"))).toEqual(["signed"]);
  expect(status(testRecord({ procedure: "manual-tpm-clear" }))).toEqual(["due"]);
});

it("stands for what was done in this reclamation only", () => {
  const name = "manual-tpm-clear";
  const signed = (record: Partial<RecordFacts>) =>
    signedProcedure(
      [testProcedure({ name })],
      name,
      testFacts([testRecord({ procedure: name, ...record })]),
      1_000,
    );
  expect(signed({})).toMatchObject({ procedure: name });
  expect(signed({ own: false })).toBeUndefined();
  expect(signed({ own: false, reusableUntilMs: 2_000 })).toBeUndefined();
  expect(signed({ decision: null })).toBeUndefined();
  expect(signedProcedure([], name, testFacts([testRecord({ procedure: name })]), 1_000)).toBeUndefined();
});

it("rises in version with its text", () => {
  const [before, other] = [testProcedure(), testProcedure({ title: "Another" })];
  expect(unversioned([before], [before])).toBeUndefined();
  expect(unversioned([], [other])).toBeUndefined();
  expect(unversioned([before], [other])).toBe(other);
  expect(unversioned([before], [{ ...other, version: 2 }])).toBeUndefined();
  expect(unversioned([before, { ...other, version: 2 }], [before])).toBeUndefined();
  expect(unversioned([{ ...before, version: 2 }], [before])).toBe(before);
  expect(highestVersion([before, { ...other, version: 4 }], before.name)).toBe(4);
  expect(highestVersion([before], "check-fans")).toBe(0);
});

it("asks for a drain again that the memory needs and that came before the erase, and for nothing else", () => {
  const status = (afterErase: boolean, name = "full-ac-drain") =>
    standingsOf(
      [testProcedure({ name })],
      testFacts([testRecord({ afterErase, procedure: name })]),
      null,
      1_000,
      true,
    ).map((standing) => standing.status);
  expect(status(false)).toEqual(["due"]);
  expect(status(true)).toEqual(["signed"]);
  expect(status(false, "manual-tpm-clear")).toEqual(["signed"]);
});
