// A clean host waits for procedures and their sign-off, and becomes Ready only through its gates.
import { describe, expect, it } from "vitest";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { plainPolicy } from "@/server/testing/test-policy";
import { exceptionEvidence } from "@/server/domain/reclamations/gates/exceptions";
import type { AssuranceFacts } from "@/server/domain/assurance/procedures/standing";
import type { State } from "@/server/domain/lifecycle/states";
import {
  testFacts,
  testProcedure,
  testRecord,
} from "@/server/domain/assurance/procedures/testing/procedures";
import {
  allProven,
  by,
  decideOn,
  hostView,
  now,
  path,
  reclamationId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  allSanitized,
  inventory,
  networkContext,
  planned,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const network = networkContext("admin");
const other = testProcedure({ name: "manual-tpm-clear" });
const policy = { ...plainPolicy(), procedures: [testProcedure(), other] };
const good = {
  reclamation: { ...planned(), policy },
  steps: succeededPlan(),
  deviceVerdicts: allSanitized,
  agent: agent(),
  inventory: inventory(),
  acks: acksOf(network),
  context: { network, proven: allProven },
  debts: { count: 1, driveSerials: ["NVME1"] },
} satisfies ViewChanges;

const evaluating = "ReturnToAllocation/EvaluatingGates";
const awaitingProcedure = "ReturnToAllocation/AwaitingProcedure";
const awaitingSignOff = "ReturnToAllocation/AwaitingSignOff";
const both = (decision: string | null = "approved"): AssuranceFacts =>
  testFacts([testRecord(), testRecord({ procedure: other.name, decision })]);
const from = (state: State, assurance: AssuranceFacts | null, changes: ViewChanges = {}) =>
  decideOn(hostView(state, { ...good, assurance, ...changes }));

describe("a host whose policy asks for procedures", () => {
  it("waits for them, and keeps its debt", () => {
    const decision = from(evaluating, testFacts([]));
    expect(path(decision)).toEqual([awaitingProcedure]);
    expect(decision.clearDebts).toBeNull();
    expect(decision.run.allocatable).toBe(false);
    expect(decision.run.waitReason).toContain("full-ac-drain is to be carried out");
  });
  it("waits for the sign-off once everything is recorded", () => {
    expect(path(from(evaluating, both(null)))).toEqual([awaitingSignOff]);
    expect(path(from(awaitingProcedure, both(null)))).toEqual([awaitingSignOff]);
    expect(path(from(awaitingProcedure, testFacts([testRecord()])))).toEqual([]);
  });
  it("goes back when a record is rejected", () =>
    expect(path(from(awaitingSignOff, both("rejected")))).toEqual([awaitingProcedure]));
  it.each([evaluating, awaitingProcedure, awaitingSignOff] as const)(
    "is Ready from %s when all are signed off, by its gates",
    (state) => {
      const decision = from(state, both());
      expect(path(decision).at(-1)).toBe("Ready");
      expect(decision.gates.find(({ gate }) => gate === "assuranceSigned")).toMatchObject({
        status: "satisfied",
      });
      expect(decision.clearDebts).not.toBeNull();
    },
  );
  it("is read again in a new boot first when somebody was at the machine", () => {
    const decision = from(awaitingSignOff, both(), { run: { touched: true } });
    expect(path(decision).slice(0, 2)).toEqual([evaluating, "BomValidating/BootingAgent"]);
    expect(path(decision)).not.toContain("Ready");
  });
  it.each([awaitingProcedure, awaitingSignOff] as const)(
    "is Ready from %s by an exception for them",
    (state) => {
      const facts = state === awaitingProcedure ? testFacts([]) : both(null);
      const found = from(evaluating, facts).gates.find(({ gate }) => gate === "assuranceSigned");
      if (found === undefined) throw new Error("it was not evaluated");
      const { planEpoch } = planned();
      const exception = {
        ...{
          id: reclamationId,
          gate: found.gate,
          device: null,
          validUntilMs: now + 60_000,
          reason: "urgent",
        },
        evidence: evidenceDigest(exceptionEvidence({ reclamationId, planEpoch }, found)),
        ...{ by: "Ada", askedAtMs: 1, approvedBy: "Bea", approvedAtMs: 2 },
      };
      expect(path(from(state, facts, { exceptions: [exception] }))).toEqual([evaluating, "Ready"]);
      const over = { ...exception, validUntilMs: now };
      expect(path(from(state, facts, { exceptions: [over] }))).toEqual([]);
    },
  );
  it("is verified again when it was restarted meanwhile", () => {
    const context = { network, proven: { ...allProven, sku: null } };
    expect(path(from(awaitingSignOff, both(), { context }))[0]).toBe("BomValidating/BootingAgent");
  });
  it("waits until its records were read", () => {
    for (const state of [evaluating, awaitingSignOff] as const) {
      const decision = from(state, null);
      expect(path(decision)).toEqual([]);
      expect(decision.run.dueAtMs).not.toBeNull();
    }
  });
  it("waits for a drain again where nothing else proves the memory and the drives were erased after it", () => {
    const steps = succeededPlan().filter(({ proves }) => !proves.includes("memoryOverwritten"));
    const records = (afterErase: boolean) =>
      testFacts([testRecord({ afterErase }), testRecord({ procedure: other.name })]);
    for (const state of [evaluating, awaitingSignOff] as const) {
      const decision = from(state, records(false), { steps });
      expect(path(decision)).toEqual([awaitingProcedure]);
      expect(decision.run.waitReason).toContain("full-ac-drain is to be carried out again");
    }
    expect(path(from(awaitingProcedure, records(false), { steps }))).toEqual([]);
    expect(path(from(awaitingProcedure, records(true), { steps })).at(-1)).toBe("Ready");
  });
  it("fails, and does not wait, when something else is missing", () =>
    expect(
      path(from(evaluating, testFacts([]), { context: { network, proven: { ...allProven, tests: null } } })),
    ).toEqual(["Failed/GateUnsatisfied"]));
  it("waits for its procedures before the end of a maintenance", () => {
    const run = { maintenance: true, maintenanceBy: "person", maintenanceReason: "drain" } as const;
    expect(path(from(evaluating, testFacts([]), { run }))).toEqual([awaitingProcedure]);
    expect(path(from(awaitingSignOff, both(), { run })).at(-1)).toBe("ReturnToAllocation/AwaitingHealth");
  });
});

describe("a person", () => {
  it.each([awaitingProcedure, awaitingSignOff] as const)("restarts the plan in %s", (state) => {
    const decision = from(state, testFacts([]), { signals: [{ kind: "restart", payload: { by } }] });
    expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
    expect(path(decision)).not.toContain("Ready");
  });
  it.each([awaitingProcedure, awaitingSignOff] as const)("takes the host to Manageable in %s", (state) => {
    const decision = from(state, testFacts([]), { signals: [{ kind: "manage", payload: { by } }] });
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision.reclamation).toMatchObject({ outcome: "abandoned" });
    expect(decision.clearDebts).toBeNull();
  });
});
