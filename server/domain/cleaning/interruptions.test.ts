// Intent × situation: every cell of the table, and how a situation is determined.
import { describe, expect, it } from "vitest";
import { signLagMs } from "@/server/domain/agents/signs-of-life";
import {
  interrupt,
  interruptionFacts,
  interruptions,
  situations,
} from "@/server/domain/cleaning/interruptions";
import type {
  Interruption,
  InterruptionEffect,
  InterruptionFacts,
  Situation,
  SituationFacts,
} from "@/server/domain/cleaning/interruptions";
import { interruptionFactsOf as facts } from "@/server/domain/cleaning/testing/interruption-facts";
import { allStates, isCleaning, isFailed } from "@/server/domain/lifecycle/states";

const effectOf = (intent: Interruption, of: InterruptionFacts): InterruptionEffect | null => {
  const answer = interrupt(intent, of);
  if (!answer.ok) expect(answer.reason.length).toBeGreaterThan(10);
  return answer.ok ? answer.effect : null;
};

/** Without an earlier request; `null`: refused. In the order of `situations`. */
const expected: Record<Interruption, Record<Situation, InterruptionEffect | null>> = {
  abort: {
    agentRuns: "stopAfterStep",
    agentSilent: "stopNow",
    controllerJobRuns: "stopAfterStep",
    betweenSteps: "stopNow",
    onHold: "stopNow",
    failed: null,
  },
  hold: {
    agentRuns: "holdBeforeNext",
    agentSilent: "holdBeforeNext",
    controllerJobRuns: "holdBeforeNext",
    betweenSteps: "holdNow",
    onHold: "prolongHold",
    failed: null,
  },
  resume: {
    agentRuns: null,
    agentSilent: null,
    controllerJobRuns: null,
    betweenSteps: null,
    onHold: "resume",
    failed: null,
  },
  retry: {
    agentRuns: null,
    agentSilent: null,
    controllerJobRuns: null,
    betweenSteps: null,
    onHold: null,
    failed: "retryStep",
  },
};

describe.each(interruptions)("%s", (intent) => {
  it.each(situations)("when %s", (situation) =>
    expect(effectOf(intent, facts(situation))).toBe(expected[intent][situation]),
  );
});

describe("an abort", () => {
  it("tells a step to stop that can be stopped", () => {
    expect(effectOf("abort", facts("agentRuns", { abortable: true }))).toBe("stopStep");
    expect(effectOf("abort", facts("controllerJobRuns", { abortable: true }))).toBe("stopNow");
  });

  it("never cuts into an erase: one that nobody hears of is waited for", () => {
    expect(effectOf("abort", facts("agentRuns", { erasing: true }))).toBe("stopAfterStep");
    for (const abortable of [false, true])
      expect(effectOf("abort", facts("agentSilent", { erasing: true, abortable }))).toBe("stopAfterEstimate");
  });

  it("is asked for once, and no hold follows it", () => {
    for (const situation of ["agentRuns", "agentSilent", "controllerJobRuns"] as const) {
      for (const intent of ["abort", "hold"] as const)
        expect(effectOf(intent, facts(situation, { abortAsked: true }))).toBeNull();
    }
  });
});

describe("resume", () => {
  const working = ["agentRuns", "agentSilent", "controllerJobRuns", "betweenSteps"] as const;
  it.each(working)("withdraws a hold that waits, when %s", (situation) =>
    expect(effectOf("resume", facts(situation, { holdAsked: true }))).toBe("withdraw"),
  );
  it.each(working)(
    "withdraws an abort that waits, unless the step was told to stop, when %s",
    (situation) => {
      expect(effectOf("resume", facts(situation, { abortAsked: true }))).toBe("withdraw");
      expect(effectOf("resume", facts(situation, { abortAsked: true, abortable: true }))).toBeNull();
    },
  );
});

describe("the situation", () => {
  const nothing: SituationFacts = {
    state: "ManualCleaning/RunningStep",
    open: true,
    running: null,
    nowMs: 100_000,
    agentSeenMs: null,
    agentFreshMs: 60_000,
    erasing: false,
    cleaning: { hold: null, abort: null },
  };
  const of = (changes: Partial<SituationFacts>) => interruptionFacts({ ...nothing, ...changes });
  const agentStep = { interface: "deploy", step: "erase_nvme", where: "agent", abortable: false } as const;

  it.each<[Situation, Partial<SituationFacts>]>([
    ["agentRuns", { running: agentStep, agentSeenMs: 40_000 - signLagMs }],
    ["agentSilent", { running: agentStep, agentSeenMs: 39_999 - signLagMs }],
    ["agentSilent", { running: agentStep }],
    ["agentSilent", { erasing: true, agentSeenMs: 99_000 }],
    ["controllerJobRuns", { running: { ...agentStep, where: "controller" } }],
    ["betweenSteps", {}],
    ["betweenSteps", { state: "WaitingForCleanup/Queued" }],
    ["onHold", { state: "ManualCleaning/OnHold", running: { ...agentStep, where: "controller" } }],
    ["onHold", { state: "WaitingForCleanup/OnHold" }],
    ["failed", { state: "Failed/NVMECleanFailed", erasing: true }],
  ])("is %s in %o", (situation, changes) => expect(of(changes)).toMatchObject({ situation }));

  it("exists only while a host is being cleaned, or has failed at it", () => {
    expect(allStates().filter((state) => of({ state }) !== null)).toEqual(
      allStates().filter((state) => isCleaning(state) || isFailed(state)),
    );
    expect(of({ state: "Failed/CleanFailed", open: false })).toBeNull();
  });

  it("says which step runs, and what was asked for and waits", () => {
    const by = { personId: null, name: "ann" };
    const hold = { by, reason: "", since: null, until: null, forMs: 1 };
    expect(of({ running: agentStep, cleaning: { hold, abort: null } })).toMatchObject({
      step: "deploy.erase_nvme",
      abortable: false,
      holdAsked: true,
      abortAsked: false,
    });
    expect(
      of({
        running: { ...agentStep, abortable: true },
        cleaning: {
          hold: { ...hold, since: new Date(0).toISOString() },
          abort: { by, at: new Date(0).toISOString() },
        },
      }),
    ).toMatchObject({ abortable: true, holdAsked: false, abortAsked: true });
  });
});
