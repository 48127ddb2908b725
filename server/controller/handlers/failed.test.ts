// Failed/<cause>: where each way out leads, and that none of them clears anything.
import { describe, expect, it } from "vitest";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { readAgainFact } from "@/server/domain/reclamations/gates/platform";
import { driveEvidence } from "@/server/domain/reclamations/gates/exceptions";
import { emptyContext } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import { failureCauses } from "@/server/domain/lifecycle/states";
import { chassisSerial, nvme1, systemUuid } from "@/server/controller/testing/hardware";
import {
  by,
  decideOn,
  effectKindsOf,
  hostView,
  instanceId,
  minute,
  now,
  path,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  instance,
  inventory,
  networkContext,
  plan,
  planned,
  reclamation,
} from "@/server/controller/testing/view-parts";
import { effect, failedEffect, systemRead } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";

const network = networkContext("admin");
type Failed = Extract<State, `Failed/${string}`>;

function failedView(state: Failed, failedIn: State, changes: ViewChanges = {}) {
  return hostView(state, {
    reclamation: planned({
      stoppedAtMs: now - minute,
      stoppedCause: state.slice("Failed/".length),
      stoppedIn: failedIn,
    }),
    steps: plan({ erase_nvme: { status: "failed", attempt: 2, maxAttempts: 2 } }),
    acks: acksOf(network),
    agent: agent(),
    inventory: inventory(),
    debts: { count: 1, driveSerials: ["NVME1"] },
    ...changes,
    context: { network, minEpoch: 3, failedIn, ...changes.context },
    run: {
      maintenance: true,
      maintenanceBy: "failure",
      maintenanceReason: "failed",
      lastError: "failed",
      ...changes.run,
    },
  });
}
const ask = (kind: "retry" | "restart" | "manage") => ({ signals: [{ kind, payload: { by } }] });

describe("an inventory that is read again", () => {
  const asked = { askedAt: new Date(now - minute).toISOString(), readAt: null, message: null };
  const read = (changes: object = {}) =>
    effect("verify", "done", {
      value: {
        links: {},
        system: {
          power: "on",
          bootOverride: { source: "none", enabled: false },
          serial: chassisSerial,
          uuid: systemUuid,
          manufacturer: "Dell Inc.",
          model: "R760",
          ...changes,
        },
        storage: [nvme1],
        macs: [],
        firmware: [],
        leftOut: [],
      },
    });

  it("is asked of the BMC, and of an agent that boots after it; the host stays as it is", () => {
    const decision = decideOn(
      failedView("Failed/DeviceMissing", "WaitingForCleanup/Init", {
        signals: [{ kind: "inspect", payload: { by } }],
      }),
    );
    expect(effectKindsOf(decision)).toEqual(["verify"]);
    expect(path(decision)).toEqual([]);
    expect(decision.run).toMatchObject({
      lastError: "failed",
      context: {
        minEpoch: 4,
        inspection: { askedAt: new Date(now).toISOString(), readAt: null, message: null },
      },
    });
  });

  it("is kept, and what else is asked for sees it", () => {
    const decision = decideOn(
      failedView("Failed/DeviceMissing", "WaitingForCleanup/Init", {
        context: { inspection: asked },
        effects: [read()],
        ...ask("retry"),
      }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.host?.storage).toEqual([nvme1]);
    expect(decision.run).toMatchObject({
      dueAtMs: now + 50,
      context: { inspection: { readAt: new Date(now).toISOString() } },
    });
    expect(decision.consumed).toEqual([]);
  });

  it.each([
    ["the BMC fails", failedEffect("verify"), "503 Service Unavailable"],
    ["another machine answers", read({ serial: "OTHER" }), "OTHER"],
  ])("is not kept when %s, which is said", (_what, found, message) => {
    const decision = decideOn(
      failedView("Failed/DeviceMissing", "WaitingForCleanup/Init", {
        context: { inspection: asked },
        effects: [found],
      }),
    );
    expect(decision.host).toBeNull();
    expect(decision.run.lastError).toBe("failed");
    expect(decision.run.context.inspection).toMatchObject({
      readAt: null,
      message: expect.stringContaining(message),
    });
  });

  it("leaves the boot alone in which an erase may run", () => {
    const decision = decideOn(
      failedView("Failed/AgentLost", "WaitingForCleanup/HostCleanup", {
        signals: [{ kind: "inspect", payload: { by } }],
        run: { erasing: true },
      }),
    );
    expect(decision.run.context.minEpoch).toBe(3);
  });
});

describe("retry", () => {
  it.each<[Failed, State, State]>([
    ["Failed/NVMECleanFailed", "WaitingForCleanup/HostCleanup", "WaitingForCleanup/HostCleanup"],
    ["Failed/StepTimeout", "WaitingForCleanup/HostCleanup", "WaitingForCleanup/HostCleanup"],
    ["Failed/AgentLost", "WaitingForCleanup/BootingAgent", "WaitingForCleanup/HostCleanup"],
    ["Failed/DeviceMissing", "WaitingForCleanup/HostCleanup", "WaitingForCleanup/Init"],
    ["Failed/ContentChanged", "Validation/MachineValidating", "WaitingForCleanup/Init"],
    ["Failed/BmcUnreachable", "BomValidating/BootingAgent", "BomValidating/BootingAgent"],
    ["Failed/MachineValidation", "Validation/MachineValidating", "BomValidating/BootingAgent"],
    ["Failed/ManualInterventionRequired", "Validation/RebootHost", "BomValidating/BootingAgent"],
    [
      "Failed/AgentIdentityConflict",
      "Assigned/BootingWithDiscoveryImage",
      "Assigned/BootingWithDiscoveryImage",
    ],
  ])("from %s, which failed in %s, goes on in %s", (state, failedIn, target) => {
    const decision = decideOn(failedView(state, failedIn, ask("retry")));
    expect(path(decision)[0]).toBe(target);
    expect(decision.run).toMatchObject({ maintenance: false, maintenanceBy: null, maintenanceReason: null });
    expect(decision.reclamation?.row).toMatchObject({
      stoppedAtMs: null,
      stoppedCause: null,
      stoppedIn: null,
    });
    expect(decision.clearDebts).toBeNull();
  });

  it("gives the failed step a whole set of new attempts", () => {
    const decision = decideOn(
      failedView("Failed/NVMECleanFailed", "WaitingForCleanup/HostCleanup", ask("retry")),
    );
    expect(decision.steps).toMatchObject([
      { step: "erase_nvme", status: "planned", attempt: 2, maxAttempts: 4 },
    ]);
    expect(decision.run).toMatchObject({ state: "WaitingForCleanup/HostCleanup", dueAtMs: now + 50 });
  });

  it("leaves the maintenance of a person", () => {
    const decision = decideOn(
      failedView("Failed/NVMECleanFailed", "WaitingForCleanup/HostCleanup", {
        ...ask("retry"),
        run: { maintenanceBy: "person" },
      }),
    );
    expect(decision.run).toMatchObject({ maintenance: true, maintenanceBy: "person" });
  });

  it("begins with a new boot where the tests or a drive failed", () => {
    for (const [state, failedIn] of [
      ["Failed/MachineValidation", "Validation/MachineValidating"],
      ["Failed/DeviceMissing", "WaitingForCleanup/Init"],
      ["Failed/ContentChanged", "Validation/MachineValidating"],
    ] as const) {
      const decision = decideOn(failedView(state, failedIn, ask("retry")));
      expect(decision.run.context.minEpoch).toBe(4);
      expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    }
  });

  it("after failed tests rests on nothing that was found before it", () => {
    const proven = {
      ...emptyContext().proven,
      lastStepEpoch: 2,
      memoryStepEpoch: 2,
      sku: { epoch: 3, name: "R760", differences: 0, storage: null },
      tests: { epoch: 3, passed: 2, failed: ["memory-pattern"], skipped: [] },
    };
    const decision = decideOn(
      failedView("Failed/MachineValidation", "Validation/MachineValidating", {
        ...ask("retry"),
        context: { proven },
      }),
    );
    expect(decision.run.context.proven).toMatchObject({ ...proven, sku: null, tests: null });
  });

  it("is no way past unsatisfied gates", () => {
    const decision = decideOn(
      failedView("Failed/GateUnsatisfied", "ReturnToAllocation/EvaluatingGates", ask("retry")),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.refused).toMatchObject([
      {
        reason:
          "a gate is unsatisfied: restart the plan once the cause is fixed, or have an exception approved",
      },
    ]);
  });

  it("reads the host again before gates that an exception lets through", () => {
    const exception = {
      ...{ id: "x", gate: "memoryOverwritten" as const, device: null, evidence: "0".repeat(64) },
      ...{ validUntilMs: now + minute, reason: "no spare part", by: "Ada", askedAtMs: 1 },
      ...{ approvedBy: "Bea", approvedAtMs: 2 },
    };
    const decision = decideOn(
      failedView("Failed/GateUnsatisfied", "ReturnToAllocation/EvaluatingGates", {
        ...ask("retry"),
        exceptions: [exception],
      }),
    );
    expect(path(decision)).toEqual(["BomValidating/BootingAgent"]);
  });

  it("reads and tests the host again, and erases nothing, where that is all that is missing", () => {
    const cause = { key: "gateUnsatisfied", facts: { gates: "validationPassed", ...readAgainFact }, raw: "" };
    const decision = decideOn(
      failedView("Failed/GateUnsatisfied", "ReturnToAllocation/EvaluatingGates", {
        ...ask("retry"),
        context: { trouble: [{ ...cause, key: "gateUnsatisfied" }] },
      }),
    );
    expect(path(decision)).toEqual(["BomValidating/BootingAgent"]);
    expect(decision.run.context).toMatchObject({ minEpoch: 4, proven: { sku: null, tests: null } });
  });

  describe("where an exception lets through a drive that its step could not erase", () => {
    const view = (evidenceOf: number, changes: ViewChanges = {}) => {
      const at = failedView("Failed/NVMECleanFailed", "WaitingForCleanup/HostCleanup", {
        ...ask("retry"),
        ...changes,
      });
      const { id = "", planEpoch = 0, devices } = at.reclamation ?? {};
      const drives = (devices?.expected ?? []).filter(({ transport }) => transport === "nvme");
      const failedVerdict = { verdict: "failed" as const, reason: "the device refuses" };
      return {
        ...at,
        deviceVerdicts: drives.map(({ serial, model }) => ({ serial, model, ...failedVerdict })),
        exceptions: drives.slice(0, evidenceOf).map(({ serial, model }) => ({
          ...{ id: serial, gate: "storageSanitized" as const, device: { serial, model } },
          evidence: evidenceDigest(
            driveEvidence({ reclamationId: id, planEpoch }, { serial, model }, failedVerdict),
          ),
          ...{ validUntilMs: now + minute, reason: "no spare part", by: "Ada", askedAtMs: 1 },
          ...{ approvedBy: "Bea", approvedAtMs: 2 },
        })),
      };
    };
    const statusOf = (changed: ReturnType<typeof view>) =>
      decideOn(changed).steps.find(({ step }) => step === "erase_nvme")?.status;

    it("the step is left out", () => {
      expect(statusOf(view(9))).toBe("excepted");
    });
    it("the step is tried again where another drive has none", () => {
      const some = view(9);
      expect(statusOf({ ...some, exceptions: some.exceptions.slice(1) })).not.toBe("excepted");
    });
    it("the step is not left out while its erase may run on", () => {
      const runsOn = view(9, {
        run: { erasing: true },
        context: { eraseUntil: new Date(now + minute).toISOString() },
      });
      expect(statusOf(runsOn)).not.toBe("excepted");
    });
    it("the step is tried again after its end", () => {
      const over = view(9).exceptions.map((each) => ({ ...each, validUntilMs: now }));
      expect(statusOf({ ...view(9), exceptions: over })).not.toBe("excepted");
    });
  });

  it("needs a stopped reclamation", () => {
    expect(
      decideOn(
        failedView("Failed/NVMECleanFailed", "WaitingForCleanup/HostCleanup", {
          ...ask("retry"),
          reclamation: null,
        }),
      ).refused,
    ).toMatchObject([{ reason: "no stopped reclamation belongs to this host" }]);
  });

  it("of a host on another network goes back for the admin network", () => {
    const quarantine = networkContext("quarantine");
    for (const kind of ["retry", "restart"] as const) {
      const decision = decideOn(
        failedView("Failed/NetworkReconfigTimeout", "Assigned/WaitingForNetworkReconfig", {
          ...ask(kind),
          context: { network: quarantine },
          acks: acksOf(quarantine),
        }),
      );
      expect(path(decision)[0]).toBe("Assigned/BootingWithDiscoveryImage");
    }
  });
});

describe("restart", () => {
  it.each(["NVMECleanFailed", "GateUnsatisfied", "AgentLost", "DeviceMissing"] as const)(
    "from %s makes the whole plan again, with a new boot",
    (cause) => {
      const decision = decideOn(
        failedView(`Failed/${cause}`, "WaitingForCleanup/HostCleanup", ask("restart")),
      );
      expect(path(decision)).toEqual([
        "WaitingForCleanup/Queued",
        "WaitingForCleanup/Init",
        "WaitingForCleanup/BootingAgent",
      ]);
      expect(decision.run.context.minEpoch).toBe(4);
      expect(effectKindsOf(decision)).toEqual(["bootAgent"]);
    },
  );
});

describe("a credential that the BMC refused", () => {
  const unreachable = (changes: ViewChanges) =>
    decideOn(failedView("Failed/BmcUnreachable", "BomValidating/BootingAgent", changes));

  it.each(["retry", "restart"] as const)("is tried once more when a person asks for %s", (kind) => {
    const decision = unreachable(ask(kind));
    expect(decision.effects).toMatchObject([{ kind: "bootAgent", request: { retryCredential: true } }]);
    expect(decision.run.context.retryCredential).toBeUndefined();
  });

  it("is tried once more for a release, which nobody else could get done", () => {
    const decision = decideOn(
      hostView("Assigned/Ready", {
        instance: instance({ releaseRequestedMs: now }),
        signals: [{ kind: "release", payload: { by, instanceId } }],
      }),
    );
    expect(decision.effects).toMatchObject([{ kind: "bootAgent", request: { retryCredential: true } }]);
  });

  it("is not tried again by the host itself", () => {
    expect(unreachable({}).effects).toMatchObject([{ kind: "readSystem", request: {} }]);
    expect(unreachable({ effects: [effect("readSystem", "done", systemRead(false))] }).effects).toMatchObject(
      [{ kind: "bootAgent" }],
    );
    for (const decision of [
      unreachable({}),
      unreachable({ effects: [effect("readSystem", "done", systemRead(false))] }),
    ])
      expect(JSON.stringify(decision.effects)).not.toContain("retryCredential");
  });

  it("waits with its second chance for the next call of the BMC", () => {
    const managed = unreachable(ask("manage"));
    expect(managed.effects).toEqual([]);
    expect(managed.run.context.retryCredential).toBe(true);
  });
});

describe("manage", () => {
  it.each(failureCauses)("from %s ends the reclamation, and the debt stays", (cause) => {
    const decision = decideOn(failedView(`Failed/${cause}`, "WaitingForCleanup/HostCleanup", ask("manage")));
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision.reclamation).toMatchObject({
      outcome: "abandoned",
      row: { message: "an operator moved the host to Manageable" },
    });
    expect(decision.clearDebts).toBeNull();
    expect(decision.run).toMatchObject({ maintenance: false, command: null });
  });

  it("is refused while an instance is on the host", () => {
    const decision = decideOn(
      failedView("Failed/AgentIdentityConflict", "Assigned/BootingWithDiscoveryImage", {
        ...ask("manage"),
        instance: instance({ releaseRequestedMs: now - minute }),
      }),
    );
    expect(path(decision)).toEqual([]);
    expect(decision.refused).toMatchObject([{ intent: "manage" }]);
  });
});

describe("a release of a failed host", () => {
  it("begins its reclamation", () => {
    const decision = decideOn(
      failedView("Failed/ManualInterventionRequired", "Assigned/WaitingForRebootToReady", {
        reclamation: null,
        steps: [],
        instance: instance({ releaseRequestedMs: now - minute }),
      }),
    );
    expect(path(decision)[0]).toBe("Assigned/BootingWithDiscoveryImage");
    expect(decision.reclamation).toMatchObject({ isNew: true, row: { kind: "release" } });
  });

  it("under way already changes nothing", () => {
    const decision = decideOn(
      failedView("Failed/ManualInterventionRequired", "Assigned/BootingWithDiscoveryImage", {
        reclamation: reclamation(),
        instance: instance({ releaseRequestedMs: now - minute }),
      }),
    );
    expect(path(decision)).toEqual([]);
  });
});

describe("BmcUnreachable", () => {
  const unreachable = (changes: ViewChanges) =>
    decideOn(failedView("Failed/BmcUnreachable", "BomValidating/BootingAgent", changes));

  it("asks the BMC now and then, and goes on by itself when it answers", () => {
    expect(effectKindsOf(unreachable({}))).toEqual(["readSystem"]);
    expect(unreachable({ effects: [failedEffect("readSystem")] }).run.dueAtMs).toBe(now + 30_000);
    expect(
      unreachable({ effects: [{ ...effect("readSystem", "written"), generation: "7" }] }).effects,
    ).toEqual([]);
    const back = unreachable({ effects: [effect("readSystem", "done", systemRead(false))] });
    expect(path(back)[0]).toBe("BomValidating/BootingAgent");
    expect(back.run.maintenance).toBe(false);
  });
});

describe("any other cause", () => {
  it("waits for a person, and powers nothing off", () => {
    for (const cause of failureCauses.filter((known) => known !== "BmcUnreachable")) {
      const decision = decideOn(failedView(`Failed/${cause}`, "WaitingForCleanup/HostCleanup"));
      expect(path(decision)).toEqual([]);
      expect(decision.effects).toEqual([]);
      expect(decision.run).toMatchObject({ dueAtMs: null, allocatable: false, waitReason: "failed" });
    }
  });
});
