// Abort, hold, resume and retry during a cleaning: one table for controller, pages, APIs and tests (docs/cleaning.md#abort-hold-resume).
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleaningContext } from "@/server/domain/lifecycle/context";
import { isCleaning, isFailed, isOnHold } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";

export const interruptions = ["abort", "hold", "resume", "retry"] as const;
export type Interruption = (typeof interruptions)[number];

/** 30 days. Anything longer should not be a hold. */
export const maxHoldMs = 30 * 86_400_000;

/** What the host is doing when the intent arrives. */
export const situations = [
  "agentRuns",
  "agentSilent",
  "controllerJobRuns",
  "betweenSteps",
  "onHold",
  "failed",
] as const;
export type Situation = (typeof situations)[number];

export const interruptionEffects = [
  /** The cleaning ends now. */
  "stopNow",
  /** The step is stopped, and the cleaning ends with it. */
  "stopStep",
  /** The step cannot be stopped. The cleaning ends after it. */
  "stopAfterStep",
  /** There are no reports of the erase any more. The cleaning ends after the erase's own estimate. */
  "stopAfterEstimate",
  /** Before the next step. */
  "holdBeforeNext",
  "holdNow",
  /** The current hold gets a new expiry. */
  "prolongHold",
  "resume",
  /** Cancels a hold or an abort that has not taken effect yet. */
  "withdraw",
  "retryStep",
] as const;
export type InterruptionEffect = (typeof interruptionEffects)[number];

export interface InterruptionFacts {
  readonly situation: Situation;
  /** `interface.step` of the running step; null between steps. */
  readonly step: string | null;
  /** Of the running step. */
  readonly abortable: boolean;
  /** A technique that cannot be stopped may be in progress. */
  readonly erasing: boolean;
  /** A hold or abort was requested and is pending until the step ends. */
  readonly holdAsked: boolean;
  readonly abortAsked: boolean;
}

/** What determines the situation, from the host's row, its plan and its agent. */
export interface SituationFacts {
  readonly state: StoredState;
  /** A reclamation or manual cleaning is open. A failed host without one was not being cleaned. */
  readonly open: boolean;
  /** The step run whose status is `running`. */
  readonly running: {
    readonly interface: string;
    readonly step: string;
    readonly where: "agent" | "controller";
    readonly abortable: boolean;
  } | null;
  readonly nowMs: number;
  /** When the agent of the latest boot was last heard from; null: none has registered in it. */
  readonly agentSeenMs: number | null;
  /** Policy: an agent heard from within this time counts as present. */
  readonly agentFreshMs: number;
  readonly erasing: boolean;
  readonly cleaning: Pick<CleaningContext, "hold" | "abort">;
}

/** Null if no cleaning is in progress, and none has failed. Pure. */
export function interruptionFacts(facts: SituationFacts): InterruptionFacts | null {
  const { state, running, erasing, cleaning } = facts;
  if (!isCleaning(state) && !(isFailed(state) && facts.open)) return null;
  return {
    situation: situationOf(facts),
    step: running === null ? null : stepName(running),
    abortable: running?.abortable ?? false,
    erasing,
    holdAsked: cleaning.hold !== null && cleaning.hold.since === null,
    abortAsked: cleaning.abort !== null,
  };
}

/** The situation of a host whose cleaning is in progress or has failed. An erase may still be running after its attempt was given up. Pure. */
export function situationOf({
  state,
  running,
  nowMs,
  agentSeenMs,
  agentFreshMs,
  erasing,
}: SituationFacts): Situation {
  if (isFailed(state)) return "failed";
  if (isOnHold(state)) return "onHold";
  if (running === null) return erasing ? "agentSilent" : "betweenSteps";
  if (running.where === "controller") return "controllerJobRuns";
  return agentSeenMs !== null && nowMs <= heardUntilMs(agentSeenMs, agentFreshMs)
    ? "agentRuns"
    : "agentSilent";
}

export type InterruptionAnswer =
  | { readonly ok: true; readonly effect: InterruptionEffect }
  | { readonly ok: false; readonly reason: string };

type Rule = (facts: InterruptionFacts) => InterruptionAnswer;
const does =
  (effect: InterruptionEffect): Rule =>
  () => ({ ok: true, effect });
const refuses =
  (reason: string): Rule =>
  () => ({ ok: false, reason });

const unlessAborting =
  (rule: Rule): Rule =>
  (facts) =>
    facts.abortAsked ? { ok: false, reason: "an abort is already in progress" } : rule(facts);
/** A step that was told to stop cannot be told to continue. */
const withdrawsWhat = (facts: InterruptionFacts): InterruptionAnswer => {
  if (facts.abortAsked && facts.abortable) return { ok: false, reason: "the step was already told to stop" };
  return facts.holdAsked || facts.abortAsked
    ? { ok: true, effect: "withdraw" }
    : { ok: false, reason: "nothing is on hold" };
};
const unheard: Rule = ({ erasing }) => ({
  ok: true,
  effect: erasing ? "stopAfterEstimate" : "stopNow",
});
const running = refuses("the cleaning is running; only a stopped one can be retried");

export const interruptionTable = {
  abort: {
    agentRuns: unlessAborting(({ abortable }) => ({
      ok: true,
      effect: abortable ? "stopStep" : "stopAfterStep",
    })),
    agentSilent: unlessAborting(unheard),
    controllerJobRuns: unlessAborting(({ abortable }) => ({
      ok: true,
      effect: abortable ? "stopNow" : "stopAfterStep",
    })),
    betweenSteps: does("stopNow"),
    onHold: does("stopNow"),
    failed: refuses("nothing is running; move the host to Manageable to end it"),
  },
  hold: {
    agentRuns: unlessAborting(does("holdBeforeNext")),
    agentSilent: unlessAborting(does("holdBeforeNext")),
    controllerJobRuns: unlessAborting(does("holdBeforeNext")),
    betweenSteps: does("holdNow"),
    onHold: does("prolongHold"),
    failed: refuses("the cleaning has already stopped and is waiting for a retry"),
  },
  resume: {
    agentRuns: withdrawsWhat,
    agentSilent: withdrawsWhat,
    controllerJobRuns: withdrawsWhat,
    betweenSteps: withdrawsWhat,
    onHold: does("resume"),
    failed: refuses("nothing is on hold; retry a failed cleaning instead"),
  },
  retry: {
    agentRuns: running,
    agentSilent: running,
    controllerJobRuns: running,
    betweenSteps: running,
    onHold: refuses("the cleaning is on hold; resume it instead"),
    failed: does("retryStep"),
  },
} satisfies Record<Interruption, Record<Situation, Rule>>;

/** The effect of an intent on a host's cleaning, or why it is refused. Pure. */
export function interrupt(intent: Interruption, facts: InterruptionFacts): InterruptionAnswer {
  return interruptionTable[intent][facts.situation](facts);
}
