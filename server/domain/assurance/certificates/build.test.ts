// What a statement must not claim: an erase that does not count, and a certificate when a gate is not implemented.
import { describe, expect, it } from "vitest";
import { canonicalDigest } from "@/server/domain/assurance/certificates/digest";
import { buildStatement } from "@/server/domain/assurance/certificates/build";
import { sampleBundle, sampleRecords } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Statement } from "@/server/domain/assurance/certificates/statement";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";

const facts = { id: sampleRecords.host.id, issuer: "log", atTheEnd: false, message: null };
const build = (outcome: string, changed: Partial<typeof sampleRecords> = {}) =>
  buildStatement({ ...sampleRecords, ...changed }, { ...facts, outcome }).predicate;
const gatesWith = (name: GateName, status: GateStatus) =>
  sampleRecords.gates.map((gate) => (gate.gate === name ? { ...gate, status } : gate));

describe("a drive whose erase is on record", () => {
  it.each([
    ["abandoned, with gates of before it was voided", "abandoned", sampleRecords.gates, "not sanitized"],
    ["deleted by force", "forceDeleted", sampleRecords.gates, "not sanitized"],
    ["without gates", "decommissioned", [], "not sanitized"],
    ["its gate open", "decommissioned", gatesWith("storageSanitized", "unsatisfied"), "not sanitized"],
    ["another gate open", "decommissioned", gatesWith("memoryOverwritten", "unsatisfied"), "not sanitized"],
    ["clean and not healthy", "handedToRepair", gatesWith("healthy", "unsatisfied"), "sanitized"],
    ["clean and retired", "cleaned", sampleRecords.gates, "sanitized"],
    ["Ready", "ready", sampleRecords.gates, "sanitized"],
  ])("%s", (_what, outcome, gates, result) => {
    expect(build(outcome, { gates: [...gates] }).devices).toMatchObject([
      result === "sanitized" ? { result, method: "purge" } : { result, method: null },
    ]);
  });
  it("by what never counts is not sanitized, and leads to no certificate", () => {
    const results = sampleRecords.results.map((result) => ({ ...result, technique: "blkdiscard" }));
    expect(build("cleaned", { results }).devices).toMatchObject([
      { result: "not sanitized", reason: "erased by blkdiscard, which never counts" },
    ]);
    expect(() => build("ready", { results })).toThrow("never counts");
  });
});

it("the policy that applied is named by its version, its digest and what it asks of drives", () => {
  const policy = defaultPolicy();
  const reclamation = { ...sampleRecords.reclamation, policyVersion: 7, policy };
  expect(build("ready", { reclamation }).policy).toEqual({
    version: 7,
    sha256: canonicalDigest(policy),
    standard: policy.sanitization.standard,
    level: expect.stringContaining('"nvme":"purge"'),
    demo: false,
  });
});

it("a drive's manufacturer is in the statement where the inventory had it, and null where it had none", () => {
  expect(build("ready").devices).toMatchObject([{ serial: "D1", manufacturer: "Samsung" }]);
  const devices = { expected: [{ serial: "D1", model: "PM9A3" }] };
  const reclamation = { ...sampleRecords.reclamation, devices };
  expect(build("ready", { reclamation }).devices).toMatchObject([{ serial: "D1", manufacturer: null }]);
  expect(build("abandoned", { results: [] }).devices).toMatchObject([
    { result: "not sanitized", manufacturer: "Samsung" },
  ]);
});

it("a gate that is not implemented never leads to a certificate, whatever its site is by now", () => {
  expect(build("ready", { gates: gatesWith("attestationPassed", "not implemented") })).toMatchObject({
    certificate: { type: "demo" },
    policy: { demo: true },
  });
});

it.each([
  ["everything is satisfied", {}, "certificate", "proven"],
  [
    "a gate is waived",
    { gates: gatesWith("attestationPassed", "waived") },
    "withExceptions",
    "provenWithExceptions",
  ],
  [
    "the erase was left out",
    { gates: gatesWith("storageSanitized", "waived"), results: [] },
    "notSanitized",
    "notSanitized",
  ],
  [
    "the cleaning was left out",
    { gates: gatesWith("cleanupCompleted", "waived") },
    "notSanitized",
    "notSanitized",
  ],
] as const)("the type is that of the standing: %s", (_what, changed, type, standing) => {
  expect(build("ready", Object(changed)).certificate).toMatchObject({ type, standing });
});

it("what was recorded at the end limits a statement that is written later", () => {
  const reclamation = { ...sampleRecords.reclamation, standing: "notSanitized" };
  expect(build("ready", { reclamation }).certificate.type).toBe("notSanitized");
  expect(build("abandoned").certificate).toMatchObject({ type: "nonConformance", standing: "notProven" });
});

it("no drives lead to a certificate only where the SKU says that there are none", () => {
  const reclamation = { ...sampleRecords.reclamation, devices: { expected: [] } };
  expect(build("ready", { reclamation, results: [] }).certificate.type).toBe("notSanitized");
});

it("a drive that is missing leads to no certificate, and neither does a gate that is not on record", () => {
  const { devices } = sampleRecords.reclamation;
  const missing = [{ serial: "D2", model: "PM9A3", knownBy: "the last reclamation" }];
  const reclamation = { ...sampleRecords.reclamation, devices: { ...Object(devices), missing } };
  expect(() => build("ready", { reclamation })).toThrow("drive D2 is missing");
  expect(build("abandoned", { reclamation }).missing).toEqual(missing);
  expect(() => build("ready", { gates: sampleRecords.gates.slice(1) })).toThrow(
    "not every gate is on record",
  );
});

const gated = (said: Statement, name: GateName, status: GateStatus): Statement => ({
  ...said,
  predicate: {
    ...said.predicate,
    gates: said.predicate.gates.map((gate) => (gate.gate === name ? { ...gate, status } : gate)),
  },
});

it.each<readonly [string, string, GateName, GateStatus, string]>([
  [
    "a gate that is not built",
    "ready",
    "attestationPassed",
    "not implemented",
    "attestationPassed is not implemented",
  ],
  [
    "a drive against its gate",
    "cleaned",
    "storageSanitized",
    "unsatisfied",
    "storageSanitized is not satisfied",
  ],
])("who verifies is told of %s", async (_what, outcome, gate, status, why) => {
  const { bundle } = sampleBundle({ outcome, change: (said) => gated(said, gate, status) });
  const { faults } = await verifyBundle(bundle, policyOfKeys([]), null);
  expect(faults).toContainEqual({ what: "statement", why: expect.stringContaining(why) });
});
