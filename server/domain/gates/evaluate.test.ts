// Each gate in each of its statuses, from the evidence and never from the absence of an error.
import { describe, expect, it } from "vitest";
import { evaluateGates } from "@/server/domain/gates/evaluate";
import type { DisabledStep } from "@/server/domain/cleaning/plan/plan";
import type { GateEvidenceInput } from "@/server/domain/gates/gate-rule";
import { gateMeaning, gateNames, gateStatuses, passes } from "@/server/domain/gates/gate-names";
import type { GateName, GateStatus } from "@/server/domain/gates/gate-names";
import { unresolved } from "@/server/domain/sanitization/known-devices";
import type { StorageDevice } from "@/server/domain/inventory/inventory";

const drive: StorageDevice = {
  serial: "A",
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1",
  removable: false,
};
const wanted = {
  host: "h",
  version: 4,
  network: "admin" as const,
  tenant: null,
  interfaces: ["dpu0"],
  extensionServices: false,
};
const ack = { interface: "dpu0", version: 4, sha256: "s", extensionServices: "terminated" as const };
const run = (step: string, proves: readonly GateName[], status = "succeeded") => ({
  position: 1,
  interface: "deploy",
  step,
  status,
  stepRunId: step,
  attempt: 1,
  proves,
});

const good: GateEvidenceInput = {
  fake: false,
  kind: "release",
  instanceOpen: false,
  resourcesHeld: 0,
  network: { wanted, sha256: "s", acks: [ack] },
  planMade: true,
  plan: [
    run("erase_nvme", ["storageSanitized"]),
    run("verify_mem_overwrite", ["memoryOverwritten"]),
    run("reset_infiniband", ["infinibandClean"]),
  ],
  disabled: [],
  expectedDevices: [drive],
  excludedDevices: [],
  unresolvedStorage: [],
  deviceVerdicts: [{ serial: "A", model: "M", verdict: "sanitized", reason: "" }],
  content: { drives: [drive], readEpoch: 2 },
  answered: [],
  standing: [],
  skuHasStorage: true,
  infinibandPresent: true,
  proven: {
    lastStepEpoch: 1,
    memoryStepEpoch: 1,
    cleaningSkipped: false,
    networkVersion: 4,
    sku: { epoch: 2, name: "S", differences: 0, storage: null },
    tests: { epoch: 2, passed: 1, failed: [], skipped: [] },
  },
  bootEpoch: 2,
  boot: { bootEpoch: 2, afterReset: true, contested: false },
  voided: null,
  testsWanted: ["t"],
  maintenance: false,
  maintenanceReason: null,
  debts: 1,
};
const proven = (changes: Partial<GateEvidenceInput["proven"]>): Partial<GateEvidenceInput> => ({
  proven: { ...good.proven, ...changes },
});
const skipped = {
  ...proven({ cleaningSkipped: true }),
  plan: [],
  planMade: false,
  expectedDevices: [],
  deviceVerdicts: [],
};

/** A step that the site disabled. */
const off = (
  step: string,
  proves: readonly GateName[],
  devices: readonly StorageDevice[] = [],
): DisabledStep => ({ interface: "deploy", step, source: "site", proves, devices });
const noErase = {
  disabled: [off("erase_nvme", ["storageSanitized"], [drive])],
  plan: good.plan.slice(1),
  deviceVerdicts: [],
};
const noMemory = {
  disabled: [off("verify_mem_overwrite", ["memoryOverwritten"])],
  plan: good.plan.filter((row) => row.step !== "verify_mem_overwrite"),
};
const noInfiniband = {
  disabled: [off("reset_infiniband", ["infinibandClean"])],
  plan: good.plan.slice(0, 2),
};
const withoutDrives = { expectedDevices: [], deviceVerdicts: [], skuHasStorage: false };
const answer = {
  serial: "Z",
  model: "",
  knownBy: "sanitization debt",
  disposition: {
    id: "d-1",
    key: "Z",
    model: "",
    slot: null,
    kind: "removed-destroyed" as const,
    reason: "shredded",
    by: "Ada",
    at: "2026-11-22T08:00:00.000Z",
  },
};
const recheck: Partial<GateEvidenceInput> = {
  kind: "recheck",
  planMade: false,
  plan: [],
  deviceVerdicts: [],
  debts: 0,
};
const second: StorageDevice = { ...drive, serial: "B" };

const unnamed = unresolved({
  source: "bmc",
  place: "bay 3",
  slot: "3",
  serial: null,
  model: null,
  reason: "Drive in bay 3 has no serial number.",
});

const cases: readonly (readonly [GateName, GateStatus, string, Partial<GateEvidenceInput>])[] = [
  ["instanceReleased", "satisfied", "the instance has ended", {}],
  ["instanceReleased", "unsatisfied", "an instance is open", { instanceOpen: true }],
  [
    "instanceReleased",
    "unsatisfied",
    "an instance is open in an onboarding",
    { instanceOpen: true, kind: "onboarding" },
  ],
  ["instanceReleased", "not required", "it comes from no tenant", { kind: "onboarding" }],
  ["tenantNetworkReleased", "satisfied", "nothing is held", {}],
  ["tenantNetworkReleased", "unsatisfied", "a prefix is held", { resourcesHeld: 1 }],
  [
    "tenantNetworkReleased",
    "unsatisfied",
    "a prefix is held in an onboarding",
    { resourcesHeld: 1, kind: "onboarding" },
  ],
  [
    "tenantNetworkReleased",
    "unsatisfied",
    "nothing is held and no interface acknowledged",
    { network: { wanted, sha256: "s", acks: [] } },
  ],
  ["tenantNetworkReleased", "not required", "it comes from no tenant", { kind: "recheck" }],
  ["adminNetworkSynced", "satisfied", "every interface acknowledged", {}],
  ["adminNetworkSynced", "unsatisfied", "none acknowledged", { network: { wanted, sha256: "s", acks: [] } }],
  [
    "adminNetworkSynced",
    "unsatisfied",
    "an old version was acknowledged",
    { network: { wanted, sha256: "s", acks: [{ ...ack, version: 3 }] } },
  ],
  [
    "adminNetworkSynced",
    "unsatisfied",
    "another configuration was acknowledged",
    { network: { wanted, sha256: "s", acks: [{ ...ack, sha256: "t" }] } },
  ],
  [
    "adminNetworkSynced",
    "unsatisfied",
    "another network is wanted",
    { network: { wanted: { ...wanted, network: "quarantine" }, sha256: "s", acks: [ack] } },
  ],
  [
    "adminNetworkSynced",
    "unsatisfied",
    "none was asked for, also in an onboarding",
    { kind: "onboarding", network: { wanted: null, sha256: null, acks: [] } },
  ],
  ["extensionServicesTerminated", "satisfied", "none runs", {}],
  [
    "extensionServicesTerminated",
    "unsatisfied",
    "one runs",
    { network: { wanted, sha256: "s", acks: [{ ...ack, extensionServices: "running" }] } },
  ],
  [
    "extensionServicesTerminated",
    "unsatisfied",
    "nothing was acknowledged",
    { network: { wanted, sha256: "s", acks: [] } },
  ],
  ["extensionServicesTerminated", "not required", "it comes from no tenant", { kind: "onboarding" }],
  ["cleanupCompleted", "satisfied", "every step succeeded", {}],
  ["cleanupCompleted", "unsatisfied", "a step failed", { plan: [...good.plan, run("x", [], "failed")] }],
  [
    "cleanupCompleted",
    "unsatisfied",
    "a step was never run",
    { plan: [...good.plan, run("x", [], "planned")] },
  ],
  ["cleanupCompleted", "unsatisfied", "the plan is empty", { plan: [] }],
  ["cleanupCompleted", "unsatisfied", "no plan was made", { planMade: false }],
  ["cleanupCompleted", "not required", "cleaning is off and nothing is owed", { ...skipped, debts: 0 }],
  ["cleanupCompleted", "unsatisfied", "cleaning is off and something is owed", skipped],
  ["storageSanitized", "satisfied", "every known device is", {}],
  ["storageSanitized", "unsatisfied", "a device has no result", { deviceVerdicts: [] }],
  ["storageSanitized", "unsatisfied", "nothing is known of what it held after its erase", { content: null }],
  [
    "storageSanitized",
    "unsatisfied",
    "no agent recorded what it held",
    { content: { drives: [], readEpoch: 2 } },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "it was never read again",
    { content: { drives: [drive], readEpoch: null } },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "it was read again in an earlier boot",
    { content: { drives: [drive], readEpoch: 1 } },
  ],
  [
    "storageSanitized",
    "satisfied",
    "it is visible to the BMC only",
    { expectedDevices: [{ ...drive, outOfBand: true }], content: { drives: [], readEpoch: null } },
  ],
  ["storageSanitized", "satisfied", "a recheck found it unchanged", recheck],
  [
    "storageSanitized",
    "unsatisfied",
    "a recheck did not read it",
    { ...recheck, content: { drives: [drive], readEpoch: null } },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "a recheck found another drive",
    {
      ...recheck,
      ...proven({ sku: { epoch: 2, name: "S", differences: 0, storage: "found and never treated: B" } }),
    },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "a recheck cannot compare a drive that only the BMC reaches",
    {
      ...recheck,
      expectedDevices: [drive, { ...second, outOfBand: true }],
      content: { drives: [drive, second], readEpoch: 2 },
    },
  ],
  ["storageSanitized", "unsatisfied", "a recheck of a host that owes", { ...recheck, debts: 1 }],
  ["cleanupCompleted", "not required", "a recheck cleans nothing", recheck],
  ["memoryOverwritten", "not required", "a recheck cleans nothing", recheck],
  ["infinibandClean", "not required", "a recheck cleans nothing", recheck],
  [
    "storageSanitized",
    "unsatisfied",
    "a recheck that had to clean has a failed device",
    {
      ...recheck,
      planMade: true,
      deviceVerdicts: [{ serial: "A", model: "M", verdict: "failed", reason: "kept" }],
    },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "a device failed",
    { deviceVerdicts: [{ serial: "A", model: "M", verdict: "failed", reason: "kept" }] },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "the result is of another model",
    { deviceVerdicts: [{ serial: "A", model: "N", verdict: "sanitized", reason: "" }] },
  ],
  ["storageSanitized", "unsatisfied", "no device is known where the SKU has some", { expectedDevices: [] }],
  ["storageSanitized", "satisfied", "the SKU has no storage and none was found", withoutDrives],
  [
    "storageSanitized",
    "unsatisfied",
    "the SKU has no storage and a drive was found after cleaning",
    {
      ...withoutDrives,
      ...proven({ sku: { epoch: 2, name: "S", differences: 0, storage: "found and never treated: B" } }),
    },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "the SKU has no storage and no inventory came after cleaning",
    { ...withoutDrives, ...proven({ sku: null }) },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "the SKU has no storage and no list was frozen",
    { ...withoutDrives, planMade: false },
  ],
  [
    "storageSanitized",
    "satisfied",
    "a drive that is gone was answered for",
    { answered: [answer], standing: ["d-1"] },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "the answer for a drive was withdrawn",
    { answered: [answer], standing: ["d-2"] },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "every drive is answered for, and the SKU has some",
    { answered: [answer], standing: ["d-1"], expectedDevices: [] },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "something in it cannot be named, whatever else was sanitized",
    { unresolvedStorage: [unnamed] },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "something in it cannot be named, and the SKU has no storage",
    { unresolvedStorage: [unnamed], expectedDevices: [], skuHasStorage: false },
  ],
  ["storageSanitized", "unsatisfied", "no inventory came after cleaning", proven({ sku: null })],
  [
    "storageSanitized",
    "unsatisfied",
    "other drives were found after cleaning",
    proven({ sku: { epoch: 2, name: "S", differences: 0, storage: "found and never treated: B" } }),
  ],
  ["storageSanitized", "not required", "cleaning is off and nothing is owed", { ...skipped, debts: 0 }],
  ["storageSanitized", "unsatisfied", "cleaning is off and something is owed", skipped],
  ["storageSanitized", "not required", "the erase is disabled and nothing is owed", { ...noErase, debts: 0 }],
  ["storageSanitized", "unsatisfied", "the erase is disabled and something is owed", noErase],
  [
    "storageSanitized",
    "satisfied",
    "another step than the disabled one sanitized the drive",
    { disabled: noErase.disabled },
  ],
  [
    "storageSanitized",
    "not required",
    "one drive was sanitized, and the other's erase is disabled",
    {
      disabled: [off("erase_disks", ["storageSanitized"], [second])],
      expectedDevices: [drive, second],
      debts: 0,
    },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "the same, and something is owed",
    { disabled: [off("erase_disks", ["storageSanitized"], [second])], expectedDevices: [drive, second] },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "a drive has no result that no disabled step would have treated",
    { ...noErase, expectedDevices: [drive, second], debts: 0 },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "a drive failed whose erase is disabled",
    {
      ...noErase,
      deviceVerdicts: [{ serial: "A", model: "M", verdict: "failed", reason: "kept" }],
      debts: 0,
    },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "the erase is disabled and other drives were found after cleaning",
    {
      ...noErase,
      ...proven({ sku: { epoch: 2, name: "S", differences: 0, storage: "found and never treated: B" } }),
      debts: 0,
    },
  ],
  [
    "storageSanitized",
    "unsatisfied",
    "an erase that names no drive is disabled, and something is owed",
    { disabled: [off("secure_erase_boss", ["storageSanitized"])] },
  ],
  [
    "storageSanitized",
    "not required",
    "an erase that names no drive is disabled, and nothing is owed",
    { disabled: [off("secure_erase_boss", ["storageSanitized"])], debts: 0 },
  ],
  [
    "cleanupCompleted",
    "not required",
    "every step is disabled and nothing is owed",
    { ...noErase, plan: [], debts: 0 },
  ],
  [
    "cleanupCompleted",
    "unsatisfied",
    "every step is disabled and something is owed",
    { ...noErase, plan: [] },
  ],
  [
    "memoryOverwritten",
    "not required",
    "the step is disabled and nothing is owed",
    { ...noMemory, debts: 0 },
  ],
  ["memoryOverwritten", "unsatisfied", "the step is disabled and something is owed", noMemory],
  [
    "infinibandClean",
    "not required",
    "the step is disabled and nothing is owed",
    { ...noInfiniband, debts: 0 },
  ],
  ["infinibandClean", "unsatisfied", "the step is disabled and something is owed", noInfiniband],
  [
    "infinibandClean",
    "unsatisfied",
    "the step is disabled, and another that would prove it failed",
    { ...noInfiniband, plan: [run("other", ["infinibandClean"], "failed")], debts: 0 },
  ],
  [
    "platformAtBaseline",
    "unsatisfied",
    "a step for it is disabled and something is owed",
    { disabled: [off("clear_tpm", ["platformAtBaseline"])] },
  ],
  [
    "platformAtBaseline",
    "not implemented",
    "a step for it is disabled and nothing is owed",
    { disabled: [off("clear_tpm", ["platformAtBaseline"])], debts: 0 },
  ],
  ["memoryOverwritten", "satisfied", "a restart followed the step", {}],
  ["memoryOverwritten", "unsatisfied", "no restart followed", { bootEpoch: 1 }],
  [
    "memoryOverwritten",
    "unsatisfied",
    "the boot of the step is not known",
    proven({ memoryStepEpoch: null }),
  ],
  [
    "memoryOverwritten",
    "unsatisfied",
    "the step failed",
    { plan: [run("verify_mem_overwrite", ["memoryOverwritten"], "failed")] },
  ],
  ["memoryOverwritten", "unsatisfied", "no step was planned", { plan: [] }],
  ["memoryOverwritten", "not required", "cleaning is off and nothing is owed", { ...skipped, debts: 0 }],
  ["infinibandClean", "satisfied", "the step succeeded", {}],
  [
    "infinibandClean",
    "unsatisfied",
    "the step did not run",
    { plan: [run("reset_infiniband", ["infinibandClean"], "planned")] },
  ],
  ["infinibandClean", "unsatisfied", "no step was planned, and a device is there", { plan: [] }],
  ["infinibandClean", "not required", "no device is there", { infinibandPresent: false, plan: [] }],
  ["platformAtBaseline", "not implemented", "nothing checks it", {}],
  ["attestationPassed", "not implemented", "nothing checks it", {}],
  ["inventoryMatches", "satisfied", "nothing differs", {}],
  [
    "inventoryMatches",
    "unsatisfied",
    "something differs",
    proven({ sku: { epoch: 2, name: "S", differences: 1, storage: null } }),
  ],
  ["inventoryMatches", "unsatisfied", "nothing was compared", proven({ sku: null })],
  ["validationPassed", "satisfied", "every test passed", {}],
  ["validationPassed", "not required", "the site has none", { testsWanted: [] }],
  ["validationPassed", "unsatisfied", "none was run", proven({ tests: null })],
  [
    "validationPassed",
    "unsatisfied",
    "one failed",
    proven({ tests: { epoch: 2, passed: 1, failed: ["t"], skipped: [] } }),
  ],
  [
    "validationPassed",
    "unsatisfied",
    "one was skipped",
    proven({ tests: { epoch: 2, passed: 1, failed: [], skipped: ["t"] } }),
  ],
  ["validationPassed", "unsatisfied", "too few ran", { testsWanted: ["t", "u"] }],
  ["healthy", "unsatisfied", "the host is in maintenance", { maintenance: true, maintenanceReason: "fan" }],
  ["healthy", "not implemented", "nothing reports health", {}],
  ["assuranceSigned", "not implemented", "nothing checks it", {}],
];

describe("the gate", () => {
  it.each(cases)("%s is %s when %s", (gate, status, _what, changes) => {
    const result = evaluateGates({ ...good, ...changes }).find((row) => row.gate === gate);
    expect(result?.status).toBe(status);
    expect(result?.reason).not.toBe("");
  });

  it.each(gateNames)("%s has a case, a meaning, and is always evaluated", (gate) => {
    expect(cases.some(([name]) => name === gate)).toBe(true);
    expect(gateMeaning[gate]).not.toBe("");
    expect(evaluateGates(good).filter((row) => row.gate === gate)).toHaveLength(1);
  });

  it("names the step that was disabled, and by whom", () => {
    const reasonOf = (changes: Partial<GateEvidenceInput>, gate: GateName) =>
      evaluateGates({ ...good, ...changes }).find((row) => row.gate === gate)?.reason;
    expect(reasonOf({ ...noErase, debts: 0 }, "storageSanitized")).toBe(
      "deploy.erase_nvme disabled by site override",
    );
    expect(
      reasonOf(
        { disabled: [{ ...off("clear_tpm", ["platformAtBaseline"]), source: "sku" }] },
        "platformAtBaseline",
      ),
    ).toBe("deploy.clear_tpm disabled by SKU override, and the host owes a sanitization");
  });

  it("says what of the storage cannot be named, what was left out, and what to do with a USB medium", () => {
    const storage = (changes: Partial<GateEvidenceInput>) =>
      evaluateGates({ ...good, ...changes }).find((row) => row.gate === "storageSanitized");
    const excludedDevices = [
      { serial: "SD", model: "IDSDM", reason: "excluded by the site's policy: hypervisor" },
    ];
    expect(storage({ unresolvedStorage: [unnamed], excludedDevices })).toMatchObject({
      reason: "Drive in bay 3 has no serial number.",
      evidence: { unresolved: [unnamed], excluded: excludedDevices },
    });
    expect(storage({ unresolvedStorage: [unnamed, unnamed] })?.reason).toBe(
      "Drive in bay 3 has no serial number. (and 1 more)",
    );
    expect(storage({ excludedDevices })).toMatchObject({
      status: "satisfied",
      evidence: { excluded: excludedDevices },
    });
    expect(storage({ expectedDevices: [drive, { ...second, transport: "usb" }] })?.reason).toBe(
      "B: no step erases a USB medium; take it out, or exclude it in the site's policy (sanitization.excludedMedia)",
    );
  });

  it("names what it rests on", () => {
    const evidence = Object.fromEntries(evaluateGates(good).map((row) => [row.gate, row.evidence]));
    expect(evidence["cleanupCompleted"]).toEqual({
      stepRuns: good.plan.map((row) => ({ id: row.stepRunId, attempt: 1, status: "succeeded" })),
    });
    expect(evidence["storageSanitized"]).toEqual({
      content: { readEpoch: 2, drives: ["A"], visibleToBmcOnly: [] },
      devices: [{ serial: "A", verdict: "sanitized" }],
    });
    expect(evidence["adminNetworkSynced"]).toEqual({ version: 4, acknowledgements: [ack] });
  });
});

describe("a host without a machine", () => {
  const of = (changes: Partial<GateEvidenceInput>) => evaluateGates({ ...good, fake: true, ...changes });

  it("has no gate proven, whatever was recorded of it", () => {
    expect(new Set(of({}).map(({ status }) => status))).toEqual(new Set(["not required: fake hardware"]));
    expect(
      new Set(
        of(skipped)
          .filter(({ gate }) => gate !== "cleanupCompleted")
          .map(({ status }) => status),
      ),
    ).toEqual(new Set(["not required: fake hardware"]));
  });

  it.each<[GateName, Partial<GateEvidenceInput>]>([
    ["instanceReleased", { instanceOpen: true }],
    ["tenantNetworkReleased", { resourcesHeld: 1 }],
    ["cleanupCompleted", { plan: [...good.plan, run("x", [], "failed")] }],
    ["healthy", { maintenance: true }],
  ])("is still held back by %s, which needs no machine", (gate, changes) => {
    expect(
      of(changes)
        .filter(({ status }) => status === "unsatisfied")
        .map((row) => row.gate),
    ).toEqual([gate]);
  });

  it("shows nothing of that on any other host", () => {
    expect(evaluateGates(good).map(({ status }) => status)).not.toContain("not required: fake hardware");
  });
});

describe("a status lets the host pass", () => {
  it.each(gateStatuses)("%s", (status) => {
    const always = ["satisfied", "not required", "excepted"].includes(status);
    expect(passes(status, { demo: false, fake: false })).toBe(always);
    expect(passes(status, { demo: true, fake: false })).toBe(always || status === "not implemented");
    expect(passes(status, { demo: false, fake: true })).toBe(
      always || status === "not required: fake hardware",
    );
  });
});
