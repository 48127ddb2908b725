// After a restore, every host with work in progress stops and relies on nothing that it had proven.
import { describe, expect, it } from "vitest";
import { emptyContext, emptyProven } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import { by, decideOn, hostView, minute, now, path } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  allSanitized,
  instance,
  inventory,
  networkContext,
  plan,
  planned,
  reclamation,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import { effect } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const restored = { kind: "databaseRestored", payload: { epoch: 4 } } as const;
const network = networkContext("admin");
const decided = (state: State, changes: ViewChanges = {}) =>
  decideOn(
    hostView(state, {
      acks: acksOf(network),
      signals: [restored],
      ...changes,
      context: { network, ...changes.context },
    }),
  );

describe("a restored database", () => {
  it("takes a Ready host out of allocation", () => {
    const decision = decided("Ready", { run: { allocatable: true } });
    expect(path(decision)).toEqual(["Failed/DatabaseRestored"]);
    expect(decision.run).toMatchObject({ allocatable: false, lastError: expect.stringContaining("epoch 4") });
  });

  it("ends a cleaning with all its verdicts, and its running step", () => {
    const decision = decided("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      steps: plan({ erase_nvme: { status: "running", attempt: 1 } }),
      deviceVerdicts: allSanitized,
      agent: agent(),
      inventory: inventory(),
      debts: { count: 1, driveSerials: ["NVME1"] },
      context: { proven: { ...emptyContext().proven, lastStepEpoch: 3 } },
    });
    expect(path(decision)).toEqual(["Failed/DatabaseRestored"]);
    expect(decision.reclamation).toMatchObject({ outcome: "abandoned" });
    expect(decision.steps).toMatchObject([{ step: "erase_nvme", status: "failed" }]);
    expect(decision.attempts).toMatchObject([{ verdict: "lost", ended: true }]);
    expect(decision.run).toMatchObject({ command: null, context: { proven: emptyProven() } });
  });

  it("lets no host pass its gates on what was proven before", () => {
    const decision = decided("ReturnToAllocation/EvaluatingGates", {
      reclamation: planned(),
      steps: succeededPlan(),
      deviceVerdicts: allSanitized,
      agent: agent(),
      inventory: inventory(),
    });
    expect(path(decision)).toEqual(["Failed/DatabaseRestored"]);
  });

  it("does not go on with a release or an allocation by itself, and reads no answer from before", () => {
    const releasing = decided("Assigned/BootingWithDiscoveryImage", {
      reclamation: reclamation(),
      instance: instance({ releaseRequestedMs: now - 600 * minute }),
      effects: [effect("bootAgent", "done")],
    });
    expect(path(releasing)).toEqual(["Failed/DatabaseRestored"]);
    expect(releasing).toMatchObject({
      reclamation: { outcome: null },
      readEffects: ["effect-bootAgent"],
      effects: [],
      endInstance: null,
    });
    const asked = decided("Assigned/Ready", { instance: instance({ releaseRequestedMs: now - minute }) });
    expect(path(asked)).toEqual(["Failed/DatabaseRestored"]);
    expect(asked.reclamation).toMatchObject({ isNew: true, row: { kind: "release" } });
    expect(path(decided("Ready", { instance: instance() }))).toEqual(["Failed/DatabaseRestored"]);
    expect(path(decided("Assigned/WaitingForNetworkConfig", { instance: instance() }))).toEqual([
      "Failed/DatabaseRestored",
    ]);
  });

  it("waits for a person then, however long the release is overdue", () => {
    const view = hostView("Failed/DatabaseRestored", {
      reclamation: reclamation({ stoppedCause: "DatabaseRestored" }),
      instance: instance({ releaseRequestedMs: now - 6_000 * minute }),
      context: { network },
    });
    expect(decideOn(view)).toMatchObject({ entered: [], effects: [], endInstance: null });
    expect(
      path(decideOn({ ...view, signals: [{ id: "1", signal: { kind: "restart", payload: { by } } }] }))[0],
    ).toBe("Assigned/BootingWithDiscoveryImage");
  });

  it.each<State>(["Enroll", "Manageable", "Assigned/Ready"])("leaves %s where it is", (state) => {
    expect(path(decided(state, state === "Assigned/Ready" ? { instance: instance() } : {}))).toEqual([]);
  });

  it("lets a stopped host begin anew from Manageable", () => {
    const view = hostView("Failed/DatabaseRestored", {
      context: { network },
      signals: [{ kind: "manage", payload: { by } }],
    });
    expect(path(decideOn(view))).toEqual(["Manageable"]);
  });
});
