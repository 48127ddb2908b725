// How a fake host is handled, and that no other host is handled like it.
import { describe, expect, it } from "vitest";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { fakeIdentity, fakeIsOff } from "@/server/domain/hosts/fake/fake-type";
import { foldHealth } from "@/server/domain/repair/health/fold";
import { healthTemplates } from "@/server/domain/repair/health/templates";
import { emptyCleaning } from "@/server/domain/lifecycle/context";
import { allStates } from "@/server/domain/lifecycle/states";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import type { StepView } from "@/server/domain/hosts/record/reclamation";
import { stepOf } from "@/server/domain/hosts/fake/fake-steps";
import {
  by,
  decideOn,
  effectKindsOf,
  hostId,
  hostView,
  instanceId,
  minute,
  now,
  path,
  stepId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  attempt,
  instance,
  networkContext,
  planned,
  reclamation,
} from "@/server/controller/testing/view-parts";
import type { ViewChanges } from "@/server/controller/testing/host-view";
import type { State } from "@/server/domain/lifecycle/states";
import { jobOf, stepRun } from "@/server/controller/testing/step-views";

const own = {
  ...fakeIdentity(hostId),
  hardwareType: "fake",
  sku: null,
  skuAssigned: false,
  networkInterfaces: ["fake"],
};
const nothing = { expected: [], excluded: [], missing: [] };

const fake = (state: State, changes: ViewChanges = {}) =>
  decideOn(hostView(state, { ...changes, host: { ...own, ...changes.host } }), { fakeHardware: true });

function run(step: string, position: number, changes: Partial<StepView> = {}): StepView {
  const declared = stepOf(own, "deploy", step, []);
  return stepRun(
    position,
    { interface: "deploy", step, where: "controller" },
    { abortable: declared?.abortable ?? false, ...changes },
  );
}
const begun: Partial<StepView> = {
  status: "running",
  attempt: 1,
  startedAtMs: now - 1_000,
  deadlineAtMs: now + minute,
};
const succeeded: Partial<StepView> = {
  status: "succeeded",
  attempt: 1,
  startedAtMs: now - 2_000,
  endedAtMs: now - 1_000,
};
const job = (position: number) => ({
  cleaning: {
    ...emptyCleaning(),
    admitted: true,
    job: jobOf({ stepRunId: stepId(position) }),
  },
});
const answered = (position: number, status: EffectView["status"] = "done"): EffectView => ({
  id: "effect-step",
  kind: "step",
  status,
  generation: "6",
  settledAtMs: null,
  request: { stepRunId: stepId(position), attempt: 1, phase: "begin" },
  result:
    status === "done"
      ? { value: { kind: "done", message: "fake hardware: nothing was done", devices: [] } }
      : null,
});
const plannedFake = (changes = {}) =>
  planned({ kind: "onboarding", instanceId: null, tenantId: null, devices: nothing, ...changes });
const last = {
  reclamation: plannedFake(),
  steps: [run("erase_devices_metadata", 1, succeeded), run("erase_devices", 2, begun)],
  attempt: attempt({ stepRunId: stepId(2) }),
  context: job(2),
  effects: [answered(2)],
} satisfies ViewChanges;

describe("a fake host", () => {
  it("is verified by its own identity", () => {
    const asked = fake("Enroll", { signals: [{ kind: "manage", payload: { by } }] });
    expect([path(asked), effectKindsOf(asked)]).toEqual([["Verifying"], ["verify"]]);
  });

  it("goes from provide to its first step in one decision, without an agent, a network or a device", () => {
    const decision = fake("Manageable", { signals: [{ kind: "provide", payload: { by } }] });
    expect(path(decision)).toEqual([
      "WaitingForCleanup/Queued",
      "WaitingForCleanup/Init",
      "WaitingForCleanup/PlatformCleanup",
    ]);
    expect(decision.effects).toMatchObject([
      { kind: "step", request: { interface: "deploy", step: "erase_devices_metadata", phase: "begin" } },
    ]);
    expect(decision.steps.map(({ step, status, where, proves }) => [step, status, where, proves])).toEqual([
      ["erase_devices_metadata", "running", "controller", []],
      ["erase_devices", "planned", "controller", []],
    ]);
    expect(decision.attempts).toMatchObject([{ ended: false }]);
    expect(decision.reclamation?.row).toMatchObject({ devices: nothing, planMade: true });
    expect(decision.run).toMatchObject({ erasing: false, bootEpoch: 3 });
    expect(decision.bootWindowMs).toBeNull();
  });

  it("goes on with the next step when one is done", () => {
    const decision = fake("WaitingForCleanup/PlatformCleanup", {
      reclamation: plannedFake(),
      steps: [run("erase_devices_metadata", 1, begun), run("erase_devices", 2)],
      attempt: attempt(),
      context: job(1),
      effects: [answered(1)],
    });
    expect(path(decision)).toEqual([]);
    expect(decision.effects).toMatchObject([{ kind: "step", request: { step: "erase_devices" } }]);
    expect(decision.attempts).toMatchObject([
      { attempt: 1, verdict: "succeeded" },
      { attempt: 1, ended: false },
    ]);
  });

  it("asks again for a step that a controller died with", () => {
    const decision = fake("WaitingForCleanup/PlatformCleanup", {
      ...last,
      effects: [answered(2, "written")],
    });
    expect(decision.effects).toMatchObject([
      { kind: "step", request: { step: "erase_devices", attempt: 1 } },
    ]);
    expect(decision.steps).toEqual([]);
  });

  it("is Ready after the last step, with every gate saying that there is no machine", () => {
    const decision = fake("WaitingForCleanup/PlatformCleanup", last);
    expect(path(decision)).toEqual(["ReturnToAllocation/EvaluatingGates", "Ready"]);
    expect(decision.gates.map(({ gate, status }) => [gate, status])).toEqual(
      gateNames.map((gate) => [gate, "not required: fake hardware"]),
    );
    expect(decision.deviceResults).toEqual([]);
    expect(decision.clearDebts).toBeNull();
    expect(decision.run).toMatchObject({ allocatable: true, command: undefined });
    expect(decision.entered.at(-1)?.reason).toBe("fake hardware: nothing was proven");
    expect(decision.expectEvidenceSeq).toBe("5");
  });

  it("is not Ready while a debt stands for it, and clears none", () => {
    const decision = fake("WaitingForCleanup/PlatformCleanup", {
      ...last,
      debts: { count: 1, driveSerials: ["NVME1"] },
    });
    expect(path(decision).at(-1)).toBe("Failed/GateUnsatisfied");
    expect(decision.clearDebts).toBeNull();
  });

  it("is not offered for repair while a debt stands for it", () => {
    const { source, alert } = healthTemplates["request-repair"];
    const { acting } = foldHealth([
      {
        ...{ source, mode: "merge", successes: [], observedAtMs: 0, silentSinceMs: null },
        alerts: [
          {
            ...{ id: alert.id, target: alert.target, message: "", tenantMessage: null },
            ...{ inAlertSince: new Date(0).toISOString(), classifications: ["PreventAllocations"] },
          },
        ],
      },
    ]);
    const broken = { ...last, run: { health: acting } };
    expect(path(fake("WaitingForCleanup/PlatformCleanup", broken)).at(-1)).toBe(
      "ReturnToAllocation/AwaitingRepair",
    );
    const owing = fake("WaitingForCleanup/PlatformCleanup", {
      ...broken,
      debts: { count: 1, driveSerials: ["NVME1"] },
    });
    expect(path(owing).at(-1)).toBe("Failed/GateUnsatisfied");
    expect(owing.clearDebts).toBeNull();
  });

  it("is not Ready in maintenance", () => {
    expect(
      path(
        fake("WaitingForCleanup/PlatformCleanup", {
          ...last,
          run: { maintenance: true, maintenanceBy: "person" },
        }),
      ).at(-1),
    ).toBe("ReturnToAllocation/AwaitingHealth");
  });

  it("is Ready when its maintenance ends: there is nothing to boot and to look at again", () => {
    expect(
      path(
        fake("ReturnToAllocation/AwaitingHealth", {
          ...last,
          steps: last.steps.map((step) => ({ ...step, status: "succeeded" as const })),
        }),
      ),
    ).toEqual(["ReturnToAllocation/EvaluatingGates", "Ready"]);
  });

  it("is given to a tenant and taken back without a network or a boot, and owes nothing", () => {
    const given = fake("Ready", { instance: instance() });
    expect([path(given), effectKindsOf(given)]).toEqual([
      ["Assigned/WaitingForNetworkConfig", "Assigned/WaitingForRebootToReady"],
      ["bootDisk"],
    ]);
    // A claim in this state reads neither overrides nor brakes, so the host leaves the queue with the next claim.
    const back = fake("Assigned/Ready", {
      overrides: null,
      brakes: null,
      instance: instance({ releaseRequestedMs: now - 1_000 }),
      resourcesHeld: 2,
      signals: [{ kind: "release", payload: { by, instanceId } }],
    });
    expect(path(back)).toEqual(["Assigned/BootingWithDiscoveryImage", "WaitingForCleanup/Queued"]);
    expect(back).toMatchObject({ endInstance: instanceId, newDebt: null, bootWindowMs: null });
    expect(back.reclamation).toMatchObject({ isNew: true, row: { kind: "release", instanceId } });
    expect(effectKindsOf(back)).toEqual([]);
  });

  it("is not quarantined when its release is overdue", () => {
    const decision = fake("Assigned/BootingWithDiscoveryImage", {
      instance: instance({ releaseRequestedMs: now - 31 * minute }),
      reclamation: reclamation(),
    });
    expect(effectKindsOf(decision)).not.toContain("network");
    expect(decision.endInstance).toBe(instanceId);
  });

  it("that is released uncleaned goes to Manageable", () => {
    const decision = fake("WaitingForCleanup/Queued", {
      reclamation: reclamation(),
      host: { automatedClean: false },
    });
    expect(path(decision)).toEqual(["WaitingForCleanup/Init", "Manageable"]);
  });

  it("that is provided with cleaning off runs no step", () => {
    const decision = fake("Manageable", {
      host: { automatedClean: false },
      signals: [{ kind: "provide", payload: { by } }],
    });
    expect(path(decision)).toEqual([
      "WaitingForCleanup/Queued",
      "WaitingForCleanup/Init",
      "ReturnToAllocation/EvaluatingGates",
      "Ready",
    ]);
    expect(decision.steps).toEqual([]);
  });

  it("that leaves the fleet runs its steps although cleaning is off", () => {
    const decision = fake("WaitingForCleanup/Init", {
      reclamation: plannedFake({ kind: "decommission", planMade: false, plan: null }),
      host: { automatedClean: false },
    });
    expect(path(decision)).toEqual(["WaitingForCleanup/PlatformCleanup"]);
  });

  it("is stopped by an abort between two steps, and held by a hold", () => {
    const between = {
      reclamation: plannedFake(),
      steps: [run("erase_devices_metadata", 1, succeeded), run("erase_devices", 2, begun)],
      attempt: attempt({ stepRunId: stepId(2) }),
      context: job(2),
    };
    const asked = fake("WaitingForCleanup/PlatformCleanup", {
      ...between,
      signals: [{ kind: "abort", payload: { by } }],
    });
    expect([path(asked), asked.run.context.cleaning.abort]).toMatchObject([[], { by: { name: "operator" } }]);
    const aborted = fake("WaitingForCleanup/PlatformCleanup", {
      ...between,
      effects: [answered(2)],
      run: {},
      context: { cleaning: asked.run.context.cleaning },
    });
    expect(path(aborted)).toEqual(["Failed/CleanFailed"]);
    const held = fake("WaitingForCleanup/PlatformCleanup", {
      ...between,
      effects: [answered(2)],
      signals: [{ kind: "hold", payload: { by, reason: "fans", forMs: minute } }],
    });
    expect(path(held)).toEqual(["WaitingForCleanup/OnHold"]);
  });

  it("cleans by hand, with its arguments checked", () => {
    const clean = (step: string, args: StepView["args"], more: { withoutAgent?: true } = {}) =>
      fake("Manageable", {
        signals: [
          {
            kind: "clean",
            payload: {
              by,
              steps: [{ interface: "deploy", step, args }],
              runbook: null,
              bulkId: null,
              ...more,
            },
          },
        ],
      });
    expect(path(clean("erase_devices", {}, { withoutAgent: true }))).toEqual([
      "ManualCleaning/Queued",
      "ManualCleaning/RunningStep",
    ]);
    expect(path(clean("burnin_cpu", { time: 5 }))).toEqual([
      "ManualCleaning/Queued",
      "ManualCleaning/RunningStep",
    ]);
    expect(clean("burnin_cpu", { time: 5 }).effects).toMatchObject([
      { kind: "step", request: { step: "burnin_cpu", args: { time: 5 } } },
    ]);
    const faulty = clean("burnin_cpu", {});
    expect([path(faulty), faulty.run.lastError, faulty.run.maintenance]).toEqual([
      ["Failed/CleanFailed"],
      "The plan cannot be made: deploy.burnin_cpu needs the argument time.",
      false,
    ]);
  });
});

describe("while fake hosts are switched off", () => {
  const off = (state: State, changes: ViewChanges = {}) =>
    decideOn(hostView(state, { ...changes, host: own }));

  it.each(allStates().filter((state) => state !== "ForceDeletion" && state !== "Ready"))(
    "one in %s stays there and says why",
    (state) => {
      const decision = off(state, {
        reclamation: plannedFake(),
        steps: last.steps,
        context: last.context,
        effects: last.effects,
        attempt: last.attempt,
        signals: [{ kind: "provide", payload: { by } }],
      });
      expect([
        path(decision),
        decision.run.waitReason,
        effectKindsOf(decision),
        decision.run.allocatable,
      ]).toEqual([[], fakeIsOff, [], false]);
      expect(decision.refused).toEqual([{ intent: "provide", reason: fakeIsOff, requestId: "req-1" }]);
    },
  );

  it("one that is Ready leaves allocation", () => {
    const decision = off("Ready");
    expect([path(decision), decision.run.allocatable, decision.run.waitReason]).toEqual([
      ["Manageable"],
      false,
      fakeIsOff,
    ]);
  });

  it("one can be deleted", () => {
    expect(off("Manageable", { signals: [{ kind: "forceDelete", payload: { by } }] }).deleteHost).toBe(true);
  });
});

describe("a machine", () => {
  it.each(["redfish", "idrac", "Fake", "fake ", "fake-hardware", ""])(
    "of type %j takes no step of that way",
    (hardwareType) => {
      const machine = (state: State, changes: ViewChanges = {}) =>
        decideOn(hostView(state, { ...changes, host: { hardwareType } }), { fakeHardware: true });
      const network = networkContext("admin");
      const onboarding = machine("Manageable", { signals: [{ kind: "provide", payload: { by } }] });
      expect([path(onboarding), effectKindsOf(onboarding)]).toEqual([
        ["WaitingForCleanup/Queued", "WaitingForCleanup/Init"],
        ["network"],
      ]);
      const booting = machine("WaitingForCleanup/Init", {
        reclamation: reclamation({ kind: "onboarding" }),
        context: { network },
        acks: acksOf(network),
      });
      expect([path(booting), effectKindsOf(booting)]).toEqual([
        ["WaitingForCleanup/BootingAgent"],
        ["bootAgent"],
      ]);
      const evaluated = machine("ReturnToAllocation/EvaluatingGates", {
        reclamation: plannedFake(),
        steps: [run("erase_devices", 1, succeeded)],
      });
      expect(path(evaluated)).toEqual(["Failed/GateUnsatisfied"]);
      expect(evaluated.gates.map(({ status }) => status)).not.toContain("not required: fake hardware");
      const released = machine("Assigned/BootingWithDiscoveryImage", {
        instance: instance({ releaseRequestedMs: now - 1_000 }),
        reclamation: reclamation(),
      });
      expect([path(released), released.endInstance]).toEqual([[], null]);
      const ended = machine("Assigned/WaitingForNetworkReconfig", {
        instance: instance({ releaseRequestedMs: now - 1_000 }),
        reclamation: reclamation(),
        context: { network },
        acks: acksOf(network),
      });
      expect(ended.newDebt).not.toBeNull();
    },
  );

  it("is worked on whether fake hosts are switched on or not", () => {
    const view = hostView("Manageable", { signals: [{ kind: "provide", payload: { by } }] });
    expect(decideOn(view, { fakeHardware: false })).toEqual(decideOn(view, { fakeHardware: true }));
  });
});
