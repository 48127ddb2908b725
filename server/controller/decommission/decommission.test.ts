// Decommissioning a host: from which states, how strictly it is cleaned, what stops it, and that it never becomes Ready.
import { describe, expect, it } from "vitest";
import { leftoverKey } from "@/server/domain/hosts/decommission/leftovers";
import type { Leftover } from "@/server/domain/hosts/decommission/leftovers";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { allStates } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { emptyCleaning, emptyProven } from "@/server/domain/lifecycle/context";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { LeavingContext } from "@/server/domain/lifecycle/context";
import { allProven, by, decideOn, hostView, now, path } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  allSanitized,
  instance,
  inventory,
  networkContext,
  planned,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import { effect } from "@/server/controller/testing/effect-views";
import type { ViewChanges } from "@/server/controller/testing/host-view";

type EffectStatus = EffectView["status"];

const asked = { kind: "decommission", payload: { by, reason: "sold", keepAccount: false } } as const;
const leaving: LeavingContext = {
  by: { personId: by.personId, name: by.name },
  reason: "sold",
  at: "2026-11-22T08:00:00.000Z",
  keepAccount: false,
  leftovers: [],
  part: "look",
  sent: false,
  failures: 0,
  retryAt: null,
};
const decommission = { ...planned(), kind: "decommission" } as const;
const on = (network: "admin" | "quarantine") => {
  const context = networkContext(network);
  return { network: context, acks: acksOf(context) };
};

describe("when it is asked for", () => {
  it("a Ready host leaves allocation in the same decision and begins its last reclamation", () => {
    const decision = decideOn(hostView("Ready", { run: { allocatable: true }, signals: [asked] }));
    expect(decision.run.allocatable).toBe(false);
    expect(decision.reclamation).toMatchObject({
      isNew: true,
      row: { kind: "decommission", requestedBy: by.personId },
    });
    expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
    expect(decision.run.context.leaving).toMatchObject({ reason: "sold", by: { name: by.name } });
  });

  it("a stopped reclamation before it ends abandoned", () => {
    const decision = decideOn(
      hostView("Failed/NVMECleanFailed", { reclamation: planned(), signals: [asked] }),
    );
    expect(decision.endedBefore).toMatchObject({ outcome: "abandoned" });
    expect(decision.reclamation?.row.kind).toBe("decommission");
  });

  it.each([
    ["Manageable", ["Enroll"]],
    ["Ready", []],
    ["Failed/NVMECleanFailed", []],
    ["ReturnToAllocation/AwaitingHealth", []],
  ] as const)(
    "in %s a machine that an earlier release took for the expected one is not erased",
    (state, to) => {
      const decision = decideOn(
        hostView(state, {
          reclamation: state === "Manageable" || state === "Ready" ? null : planned(),
          run: { maintenance: state === "ReturnToAllocation/AwaitingHealth" },
          host: { expectedSerial: "OTHER" },
          signals: [asked],
        }),
      );
      expect(path(decision)).toEqual(to);
      expect(decision.refused).toMatchObject([
        { intent: "decommission", reason: expect.stringMatching(/serial OTHER was expected/) },
      ]);
      expect(decision.run.context.leaving).toBeUndefined();
    },
  );

  it("nor is it cleaned by hand after a failure", () => {
    const decision = decideOn(
      hostView("Failed/NVMECleanFailed", {
        reclamation: planned(),
        host: { expectedSerial: "OTHER" },
        signals: [{ kind: "clean", payload: { by, steps: [], bulkId: null, runbook: null } }],
      }),
    );
    expect([path(decision), decision.refused.length]).toEqual([[], 1]);
  });

  it("with an instance on the host it is refused, and nothing changes", () => {
    const decision = decideOn(hostView("Failed/AgentLost", { instance: instance(), signals: [asked] }));
    expect(decision.refused).toMatchObject([{ intent: "decommission" }]);
    expect(decision.reclamation).toBeNull();
  });
});

describe("the gates of a host that leaves", () => {
  const proven = {
    reclamation: decommission,
    steps: succeededPlan(),
    deviceVerdicts: allSanitized,
    agent: agent(),
    inventory: inventory(),
    acks: on("admin").acks,
    context: { network: on("admin").network, proven: allProven, leaving },
  } satisfies ViewChanges;
  const evaluate = (changes: ViewChanges = {}) =>
    decideOn(hostView("ReturnToAllocation/EvaluatingGates", { ...proven, ...changes }));

  it("lead to its leftovers and never to Ready", () => {
    const decision = evaluate();
    expect(path(decision)).toEqual(["Decommissioning/RemovingLeftovers"]);
    expect(decision.run.allocatable).toBe(false);
    expect(decision.reclamation?.outcome ?? null).toBeNull();
    expect(decision.expectEvidenceSeq).not.toBeNull();
  });

  it("ask nothing of its SKU, its tests or its health", () => {
    const decision = evaluate({
      site: { demo: false },
      context: {
        ...proven.context,
        proven: {
          ...allProven,
          tests: null,
          sku: { epoch: 9, name: "no SKU", differences: 4, storage: null },
        },
      },
    });
    expect(path(decision)).toEqual(["Decommissioning/RemovingLeftovers"]);
  });

  it.each([false, true])(
    "wait for the end of its maintenance, and then read it again; retired: %s",
    (retired) => {
      const touched = { touched: true, touchedReason: "maintenance ended" };
      const host = { retired };
      expect(path(evaluate({ host, run: { ...touched, maintenance: true } }))).toEqual([
        "ReturnToAllocation/AwaitingHealth",
      ]);
      expect(path(evaluate({ host, run: touched }))[0]).toBe("BomValidating/BootingAgent");
    },
  );

  it("lead to a new look at its BMC, whatever was removed before it was cleaned again", () => {
    const line = { message: null, accepted: null };
    const left: Leftover[] = [
      { ...line, kind: "account", what: "account a", outcome: "removed" },
      { ...line, kind: "ownAccount", what: "account that Reclaim signs in with", outcome: "removed" },
    ];
    const earlier = { part: "ownAccount", sent: true, failures: 2, leftovers: left } as const;
    const before = { ...leaving, ...earlier, leftovers: left };
    const decision = evaluate({
      context: { ...proven.context, leaving: before },
      effects: [{ ...effect("leftovers", "done"), result: { phase: "step", value: left } }],
    });
    expect(path(decision)).toEqual(["Decommissioning/RemovingLeftovers"]);
    expect(decision.run.context.leaving).toMatchObject({ part: "look", sent: false, failures: 0 });
    expect(decision.run.context.leaving?.leftovers.map(({ kind }) => kind)).not.toContain("ownAccount");
    expect(decision.run.context.leaving?.leftovers[0]).toMatchObject({ what: "account a" });
  });

  it("a disabled erase is not left out, though the host owes nothing", () => {
    const plan = {
      managers: [],
      sku: null,
      disabled: [
        {
          interface: "deploy",
          step: "verify_mem_overwrite",
          source: "site" as const,
          proves: ["memoryOverwritten" as const],
          devices: [],
        },
      ],
    };
    const decision = evaluate({
      reclamation: { ...decommission, plan },
      steps: succeededPlan().filter(({ step }) => step !== "verify_mem_overwrite"),
    });
    expect(path(decision)).toEqual(["Failed/GateUnsatisfied"]);
    expect(decision.run.lastError).toMatch(/and the host leaves the fleet/);
  });

  it("a drive without a result stops it", () => {
    expect(path(evaluate({ deviceVerdicts: [] }))).toEqual(["Failed/GateUnsatisfied"]);
  });

  it("a debt is cleared by the same gates as ever, or stops it", () => {
    const owes = { debts: { count: 1, driveSerials: [] } };
    expect(evaluate(owes).clearDebts).not.toBeNull();
    const policy = defaultPolicy();
    expect(path(evaluate({ ...owes, reclamation: { ...decommission, policy } }))).toEqual([
      "Failed/GateUnsatisfied",
    ]);
  });
});

it("is cleaned although automated cleaning is off for the host", () => {
  const decision = decideOn(
    hostView("WaitingForCleanup/Init", {
      reclamation: { ...decommission, planMade: false, plan: null, content: null, policy: defaultPolicy() },
      host: { automatedClean: false },
      acks: on("admin").acks,
      context: { network: on("admin").network, proven: emptyProven(), leaving },
    }),
  );
  expect(path(decision)).not.toContain("BomValidating/UpdatingInventory");
  expect(decision.run.context.proven.cleaningSkipped).toBe(false);
});

describe("with everything proven", () => {
  const leftovers = (changes: ViewChanges = {}) =>
    decideOn(
      hostView("Decommissioning/RemovingLeftovers", {
        reclamation: decommission,
        acks: on("quarantine").acks,
        context: { network: on("quarantine").network, proven: allProven, leaving },
        ...changes,
      }),
    );

  it("its ports are quarantined before anything else", () => {
    const decision = leftovers({
      acks: on("admin").acks,
      context: { network: on("admin").network, proven: allProven, leaving },
    });
    expect(path(decision)).toEqual([]);
    expect(decision.effects).toMatchObject([{ kind: "network", request: { network: "quarantine" } }]);
  });

  const line = (
    kind: Leftover["kind"],
    what: string,
    outcome: Leftover["outcome"],
    message: string | null = null,
  ): Leftover => ({ kind, what, outcome, message, accepted: null });
  const own = line("ownAccount", "account that Reclaim signs in with", "removed");
  /** A host at one part of removing leftovers, with the outcome of its call. */
  const at = (
    part: LeavingContext["part"],
    told: { value?: readonly Leftover[]; error?: { kind: string; message: string }; status?: EffectStatus },
    context: Partial<LeavingContext> = {},
  ) =>
    leftovers({
      effects: [
        {
          ...effect("leftovers", told.status ?? (told.error === undefined ? "done" : "failed")),
          request: { part, sent: false },
          result: { phase: "step", value: told.value ?? null, ...(told.error && { error: told.error }) },
        },
      ],
      context: {
        network: on("quarantine").network,
        proven: allProven,
        leaving: { ...leaving, part, ...context },
      },
    });
  const asked = (decision: ReturnType<typeof leftovers>) =>
    decision.effects.flatMap(({ kind, request }) => (kind === "leftovers" ? [request] : []));

  it("its BMC is looked at first, and what is found is written down before anything is removed", () => {
    expect(asked(leftovers())).toEqual([{ part: "look", sent: false }]);
    const seen = at("look", { value: [line("account", "account a", "found")] });
    expect(asked(seen)).toEqual([{ part: "remove", sent: false }]);
    expect(seen.run.context.leaving?.leftovers).toContainEqual(line("account", "account a", "found"));
  });

  it("what is not there any more was removed, and our own account comes last", () => {
    const decision = at("remove", { value: [] }, { leftovers: [line("account", "account a", "found")] });
    expect(decision.run.context.leaving?.leftovers).toContainEqual(line("account", "account a", "removed"));
    expect(asked(decision)).toEqual([{ part: "ownAccount", sent: false }]);
    expect(path(decision)).toEqual([]);
  });

  it.each([
    ["refused", "still there"],
    ["unreadable", "answered 403"],
  ] as const)("a leftover that is %s stops the host by name", (outcome, message) => {
    const decision = at("remove", { value: [line("account", "account a", outcome, message)] });
    expect(path(decision)).toEqual(["Failed/LeftoversRemain"]);
    expect(decision.run.lastError).toBe(`The host would leave data behind: account a (${message}).`);
    expect(asked(decision)).toEqual([]);
  });

  it("then it is removed with all that Reclaim stores of it, and its reclamation ends decommissioned", () => {
    const decision = at("ownAccount", { value: [own] });
    expect(path(decision)).toEqual(["Decommissioned"]);
    expect(decision.deleteHost).toBe(true);
    expect(decision.expectEvidenceSeq).toBe("5");
    expect(decision.reclamation?.outcome).toBe("decommissioned");
    expect(decision.run.context.leaving?.leftovers.map(({ kind }) => kind)).toContain("stored");
  });

  it("our own account stays where that was asked for, and that is on record", () => {
    const decision = at("remove", { value: [] }, { keepAccount: true });
    expect(asked(decision)).toEqual([]);
    expect(path(decision)).toEqual(["Decommissioned"]);
    expect(decision.run.context.leaving?.leftovers).toContainEqual(
      expect.objectContaining({ kind: "ownAccount", outcome: "kept" }),
    );
  });

  it("our own account that the BMC does not let go of stops the host", () => {
    const decision = at("ownAccount", { value: [{ ...own, outcome: "refused", message: "last admin" }] });
    expect(path(decision)).toEqual(["Failed/LeftoversRemain"]);
  });

  it("after a process died with it under way, the removal of our own account is asked for again, as one that may be done", () => {
    const decision = at("ownAccount", { status: "unknown" });
    expect(asked(decision)).toEqual([{ part: "ownAccount", sent: true }]);
  });

  it("a BMC that does not answer is called again after a pause, and then the host stops", () => {
    const error = { kind: "unreachable", message: "no answer" };
    const first = at("remove", { error });
    expect(path(first)).toEqual([]);
    expect(first.run.context.leaving?.failures).toBe(1);
    expect(first.run.dueAtMs).toBeGreaterThan(now);
    expect(path(at("remove", { error }, { failures: 2 }))).toEqual(["Failed/BmcUnreachable"]);
    expect(path(at("look", { error: { kind: "unsupported", message: "405" } }, { failures: 2 }))).toEqual([
      "Failed/BmcRefused",
    ]);
  });

  it("what a person accepted lets it go, and nothing else does", () => {
    const stands = line("account", "account a", "refused", "still there");
    const other = line("account", "account b", "refused", "still there");
    const accept = decideOn(
      hostView("Failed/LeftoversRemain", {
        reclamation: { ...decommission, stoppedIn: "Decommissioning/RemovingLeftovers" },
        acks: on("quarantine").acks,
        context: {
          network: on("quarantine").network,
          proven: allProven,
          failedIn: "Decommissioning/RemovingLeftovers",
          leaving: { ...leaving, part: "remove", leftovers: [stands, other] },
        },
        signals: [
          {
            kind: "acceptLeftovers",
            payload: { by, reason: "reset by the vendor", keys: [leftoverKey(stands)] },
          },
        ],
      }),
    );
    expect(path(accept)[0]).toBe("Decommissioning/RemovingLeftovers");
    const kept = accept.run.context.leaving?.leftovers ?? [];
    expect(kept.map(({ what, accepted }) => [what, accepted?.reason ?? null])).toContainEqual([
      "account a",
      "reset by the vendor",
    ]);
    const again = at("remove", { value: [stands, other] }, { leftovers: [...kept] });
    expect(path(again)).toEqual(["Failed/LeftoversRemain"]);
    expect(again.run.lastError).toBe("The host would leave data behind: account b (still there).");
    expect(asked(at("remove", { value: [stands] }, { leftovers: [...kept] }))).toEqual([
      { part: "ownAccount", sent: false },
    ]);
  });

  it("an erase that may still run outlives it", () => {
    const eraseUntil = "2026-11-02T12:00:00.000Z";
    const decision = leftovers({
      run: { erasing: true },
      context: {
        network: on("quarantine").network,
        proven: allProven,
        leaving: { ...leaving, part: "ownAccount", leftovers: [own] },
        eraseUntil,
      },
    });
    expect(path(decision)).toEqual(["Decommissioned"]);
    expect(decision.eraseLeftUntilMs).toBe(Date.parse(eraseUntil));
  });

  describe("and somebody or something at the host since its final boot", () => {
    const proves = {
      network: on("quarantine").network,
      proven: allProven,
      leaving: { ...leaving, part: "ownAccount" as const, leftovers: [own] },
    };
    const touched = { touched: true, touchedReason: "maintenance ended" };

    it("is cleaned again once its maintenance has ended", () => {
      const worked = leftovers({ context: proves, run: { ...touched, maintenance: true } });
      expect([path(worked), worked.effects]).toEqual([[], []]);
      const ended = leftovers({ context: proves, run: touched });
      expect(path(ended)[0]).toBe("WaitingForCleanup/Queued");
      expect(ended.run.context.minEpoch).toBe(4);
      expect(ended.deleteHost).toBe(false);
    });

    it("is cleaned again where its erase was voided while it stood failed, after a retry too", () => {
      const voided = { reason: "unorderedBoot", message: "it booted by itself", at: leaving.at } as const;
      const context = { ...proves, cleaning: { ...emptyCleaning(), voided } };
      expect(path(leftovers({ context }))[0]).toBe("WaitingForCleanup/Queued");
      const retried = decideOn(
        hostView("Failed/LeftoversRemain", {
          reclamation: { ...decommission, stoppedIn: "Decommissioning/RemovingLeftovers" },
          acks: on("quarantine").acks,
          context: { ...context, failedIn: "Decommissioning/RemovingLeftovers" },
          signals: [{ kind: "retry", payload: { by } }],
        }),
      );
      expect(path(retried).slice(0, 2)).toEqual([
        "Decommissioning/RemovingLeftovers",
        "WaitingForCleanup/Queued",
      ]);
    });

    it("is not cleaned while a call to its BMC is under way", () => {
      const pending = { ...effect("leftovers", "permitted"), generation: "7" };
      expect(path(leftovers({ context: proves, run: touched, effects: [pending] }))).toEqual([]);
    });
  });

  it("a debt that came since its gates passed is held against them, and it does not leave", () => {
    const decision = leftovers({
      debts: { count: 1, driveSerials: ["S1"] },
      steps: succeededPlan(),
      context: {
        network: on("quarantine").network,
        proven: allProven,
        leaving: { ...leaving, part: "ownAccount", leftovers: [own] },
      },
    });
    expect(path(decision)).toEqual(["ReturnToAllocation/EvaluatingGates", "Failed/GateUnsatisfied"]);
    expect(decision.deleteHost).toBe(false);
    expect(decision.clearDebts).toBeNull();
  });

  it("without a decommission that somebody asked for it stops", () => {
    expect(path(leftovers({ reclamation: planned() }))).toEqual(["Failed/ManualInterventionRequired"]);
  });
});

describe("a decommission that failed", () => {
  const failed = (intent: "manage" | "restart" | "retry", stoppedIn: State) =>
    decideOn(
      hostView("Failed/NetworkTimeout", {
        reclamation: { ...decommission, stoppedAtMs: 1, stoppedCause: "NetworkTimeout", stoppedIn },
        acks: on("quarantine").acks,
        context: {
          network: on("quarantine").network,
          proven: allProven,
          leaving,
          failedIn: stoppedIn,
        },
        signals: [{ kind: intent, payload: { by } }],
      }),
    );

  it("continues at its leftovers after a retry, on whatever network it is", () => {
    expect(path(failed("retry", "Decommissioning/RemovingLeftovers"))[0]).toBe(
      "Decommissioning/RemovingLeftovers",
    );
  });

  it("is cleaned again after a restart, and keeps its reason", () => {
    const decision = failed("restart", "Decommissioning/RemovingLeftovers");
    expect(path(decision)[0]).toBe("WaitingForCleanup/Queued");
    expect(decision.run.context.leaving?.reason).toBe("sold");
  });

  it("is given up by manage: the host stays, and nothing of the decommission does", () => {
    const decision = failed("manage", "Decommissioning/RemovingLeftovers");
    expect(path(decision)).toEqual(["Manageable"]);
    expect(decision.reclamation?.outcome).toBe("abandoned");
    expect(decision.run.context.leaving).toBeUndefined();
  });
});

it("no state but Failed leads out of a decommission: every other refuses manage and provide", () => {
  const states = allStates().filter((state) => state.startsWith("Decommission"));
  for (const state of states)
    for (const kind of ["manage", "provide"] as const) {
      const decision = decideOn(
        hostView(state, {
          reclamation: decommission,
          acks: on("admin").acks,
          context: { network: on("admin").network, proven: allProven, leaving },
          signals: [{ kind, payload: { by } }],
        }),
      );
      expect(decision.refused.map(({ intent }) => intent)).toEqual([kind]);
    }
});
