// Intents × states: the whole table, and the other facts that decide.
import { describe, expect, it } from "vitest";
import type { InterruptionFacts } from "@/server/domain/cleaning/interruptions";
import { interruptionFactsOf } from "@/server/domain/cleaning/testing/interruption-facts";
import { cleaningLock, quietFacts, refusal } from "@/server/domain/lifecycle/intents";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import { intentKinds, powerIntents } from "@/server/domain/lifecycle/signals";
import type { IntentKind } from "@/server/domain/lifecycle/signals";
import {
  allStates,
  isCleaning,
  isFailed,
  waitsForNetwork,
  isOnHold,
  storedState,
  topLevel,
} from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

const facts = (state: State, changes: Partial<IntentFacts> = {}): IntentFacts => ({
  ...quietFacts(state),
  ...changes,
});
const cleaning = (changes: Partial<InterruptionFacts> = {}): InterruptionFacts =>
  interruptionFactsOf("betweenSteps", changes);

const waitsForSku = [
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
];

const waitsForPeople = ["ReturnToAllocation/AwaitingProcedure", "ReturnToAllocation/AwaitingSignOff"];

const cleanFailures: readonly State[] = [
  "NVMECleanFailed",
  "HDDCleanFailed",
  "RaidCleanFailed",
  "BossCleanFailed",
  "MemOverwriteFailed",
  "IbCleanFailed",
  "PlatformCleanFailed",
  "CleanFailed",
  "DeviceMissing",
  "StepTimeout",
  "AgentLost",
  "AgentVersionMismatch",
  "BiosSetupFailed",
].map((cause) => allStates().find((state) => state === `Failed/${cause}`) ?? "Enroll");

const hasOwnPower = (state: State): boolean =>
  ["Enroll", "Manageable", "Ready", "Assigned/Ready"].includes(state) || isOnHold(state) || isFailed(state);

/** The states in which an intent is accepted if nothing else prevents it. */
const accepted: Record<IntentKind, (state: State) => boolean> = {
  manage: (state) =>
    state === "Enroll" || state === "Ready" || isFailed(state) || waitsForPeople.includes(state),
  provide: (state) => state === "Manageable",
  clean: (state) => state === "Manageable" || cleanFailures.includes(state),
  abort: (state) => isCleaning(state),
  hold: (state) => isCleaning(state),
  resume: (state) => isCleaning(state),
  assign: (state) => state === "Ready" || state === "ReturnToAllocation/AwaitingRepair",
  release: (state) =>
    topLevel(state) === "Assigned" ||
    isFailed(state) ||
    state === "Ready" ||
    state === "ReturnToAllocation/AwaitingRepair",
  retry: (state) =>
    isFailed(state) && state !== "Failed/GateUnsatisfied" && state !== "Failed/AgentVersionMismatch",
  restart: (state) => isFailed(state) || waitsForSku.includes(state) || waitsForPeople.includes(state),
  powerOn: (state) => hasOwnPower(state),
  powerOff: (state) => hasOwnPower(state),
  reboot: (state) => hasOwnPower(state),
  softPowerOff: (state) => hasOwnPower(state),
  softReboot: (state) => hasOwnPower(state),
  injectNmi: (state) => state === "Manageable" || state === "Assigned/Ready" || isFailed(state),
  setBoot: (state) => state === "Manageable" || state === "Assigned/Ready",
  skipEraseWait: () => true,
  askNetwork: (state) => waitsForNetwork.has(state),
  inspect: (state) => state === "Manageable" || isFailed(state) || waitsForSku.includes(state),
  inspectByAgent: (state) => state === "Manageable" || isFailed(state) || waitsForSku.includes(state),
  decommission: (state) =>
    state === "Ready" ||
    state === "Manageable" ||
    state === "ReturnToAllocation/AwaitingHealth" ||
    state === "ReturnToAllocation/AwaitingRepair" ||
    waitsForPeople.includes(state) ||
    isFailed(state) ||
    waitsForSku.includes(state),
  acceptLeftovers: (state) => state === "Failed/LeftoversRemain",
  forceDelete: (state) => state !== "ForceDeletion",
};
const asItShouldBe: Record<IntentKind, Partial<IntentFacts>> = {
  manage: {},
  provide: {},
  clean: {},
  abort: {},
  hold: {},
  resume: {},
  assign: { allocatable: true },
  release: { instanceOpen: true },
  retry: { reclamationOpen: true },
  restart: { reclamationOpen: true },
  inspect: {},
  inspectByAgent: {},
  powerOn: {},
  powerOff: {},
  reboot: {},
  softPowerOff: {},
  softReboot: {},
  injectNmi: {},
  setBoot: {},
  skipEraseWait: { erasing: true },
  askNetwork: {},
  decommission: {},
  acceptLeftovers: {},
  forceDelete: {},
};

describe.each(intentKinds)("%s", (intent) => {
  it.each(allStates())("in %s", (state) => {
    const reason = refusal(
      intent,
      facts(state, {
        cleaning: isCleaning(state)
          ? cleaning({ situation: isOnHold(state) ? "onHold" : "betweenSteps", holdAsked: true })
          : null,
        ...asItShouldBe[intent],
      }),
    );
    expect(reason === null).toBe(accepted[intent](state));
    if (reason !== null) expect(reason.length).toBeGreaterThan(10);
  });
});

describe("besides the state", () => {
  it("nothing is asked of a host that a repair system has, and who has it is said", () => {
    for (const intent of intentKinds)
      expect(refusal(intent, facts("Manageable", { leasedTo: "fixit" }))).toMatch(/repair system fixit has/);
    expect(refusal("provide", facts("Manageable", { leasedTo: null }))).toBeNull();
  });
  it("the wait for an erase is skipped only where there is one, and nobody who could be asked", () => {
    expect(refusal("skipEraseWait", facts("Ready"))).toBe("no erase wait is in progress");
    expect(
      refusal("skipEraseWait", facts("WaitingForCleanup/BootingAgent", { erasing: true, drivesHeard: true })),
    ).toMatch(/agent responds/);
  });

  it("an instance forbids cleaning by hand", () => {
    expect(refusal("clean", facts("Failed/AgentLost", { instanceOpen: true }))).toBe(
      "an instance is still on the host",
    );
  });

  it("an instance forbids a decommission", () => {
    expect(refusal("decommission", facts("Failed/AgentLost", { instanceOpen: true }))).toBe(
      "an instance is on the host; release it first",
    );
  });

  it("a protected host is not decommissioned", () => {
    expect(refusal("decommission", facts("Ready", { protected: true }))).toMatch(/is protected/);
  });

  it("a host whose BMC was not read is not decommissioned: nothing on it could be erased", () => {
    expect(refusal("decommission", facts("Enroll"))).toMatch(/manage the host first, or delete it/);
  });

  it("an instance forbids manage of a failed host", () => {
    expect(refusal("manage", facts("Failed/AgentLost", { instanceOpen: true }))).toBe(
      "an instance is still on the host",
    );
  });

  it("a host kept out of allocation cannot be claimed", () => {
    expect(refusal("assign", facts("Ready"))).toBe("the host is Ready but kept out of allocation");
  });

  it("only an open instance can be released, and once", () => {
    expect(refusal("release", facts("Assigned/Ready"))).toBe("no instance is on the host");
    expect(refusal("release", facts("Assigned/Ready", { instanceOpen: true, releaseRequested: true }))).toBe(
      "the release was already accepted",
    );
  });

  it("abort, hold, resume and retry are answered by their own table", () => {
    const running = facts("ManualCleaning/RunningStep", {
      cleaning: cleaning({ situation: "agentRuns", abortAsked: true }),
    });
    expect(refusal("abort", running)).toBe("an abort is already in progress");
    expect(refusal("resume", { ...running, cleaning: cleaning() })).toBe("nothing is on hold");
    expect(refusal("retry", running)).toMatch(/only a stopped one can be retried/);
    expect(refusal("hold", facts("Ready"))).toBe("no cleaning is running; the host is in Ready");
  });

  it("power, provision and release are locked while a host is cleaned, naming the step; not once it has failed", () => {
    const running = facts("WaitingForCleanup/HostCleanup", {
      cleaning: cleaning({ situation: "agentRuns", step: "deploy.erase_nvme" }),
    });
    expect(cleaningLock(running)).toBe("the host is being cleaned: deploy.erase_nvme runs");
    for (const intent of ["manage", "provide", "clean", "assign", "release", "restart"] as const)
      expect(refusal(intent, running)).toBe(cleaningLock(running));
    expect(cleaningLock(facts("ManualCleaning/BootingAgent", { cleaning: cleaning() }))).toContain(
      "ManualCleaning/BootingAgent",
    );
    expect(
      cleaningLock(facts("Failed/CleanFailed", { cleaning: cleaning({ situation: "failed" }) })),
    ).toBeNull();
  });

  it("power is refused while an erase may run, while the host is given back, and while it is cleaned, naming the step", () => {
    for (const intent of powerIntents) {
      for (const state of [
        "Manageable",
        "Failed/AgentLost",
        "ManualCleaning/OnHold",
        "WaitingForCleanup/OnHold",
      ] as const)
        expect(refusal(intent, facts(state, { erasing: true }))).toMatch(/erase/);
      expect(refusal(intent, facts("Assigned/Ready", { instanceOpen: true, releaseRequested: true }))).toBe(
        "the host is being released",
      );
      expect(
        refusal(
          intent,
          facts("WaitingForCleanup/HostCleanup", { cleaning: cleaning({ step: "deploy.erase_nvme" }) }),
        ),
      ).toBe("the host is being cleaned: deploy.erase_nvme runs");
    }
  });

  it("an NMI and a boot setting are refused while an erase may run, while the host is given back, and where a reclamation is to go on", () => {
    for (const intent of ["injectNmi", "setBoot"] as const) {
      expect(refusal(intent, facts("Manageable", { erasing: true }))).toMatch(/erase/);
      expect(refusal(intent, facts("Assigned/Ready", { instanceOpen: true, releaseRequested: true }))).toBe(
        "the host is being released",
      );
      expect(refusal(intent, facts("Failed/CleanFailed", { reclamationOpen: true }))).not.toBeNull();
      expect(refusal(intent, facts("WaitingForCleanup/OnHold"))).not.toBeNull();
    }
    expect(refusal("injectNmi", facts("Failed/AgentLost", { erasing: true }))).toMatch(/erase/);
  });

  it("a retired host is not provided", () =>
    expect(refusal("provide", facts("Manageable", { retired: true }))).toMatch(/retired/));

  it("retry and restart need a stopped reclamation", () => {
    for (const intent of ["retry", "restart"] as const)
      expect(refusal(intent, facts("Failed/NVMECleanFailed"))).toBe(
        "no stopped reclamation belongs to this host",
      );
    expect(refusal("restart", facts("BomValidating/SkuMissing"))).not.toBeNull();
  });
});

it.each(["Dreaming", "Ready/Twice", "Manageable/Still", "Failed/Dreaming", "WaitingForCleanup/Dreaming"])(
  "%s, a state of another release, accepts no intent",
  (text) => {
    for (const kind of intentKinds)
      expect(refusal(kind, { ...quietFacts(storedState(text)), allocatable: true }), kind).toBe(
        `the host is in ${text}, a state unknown to this server's release`,
      );
  },
);
