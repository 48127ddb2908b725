// Abort, hold, resume and retry while a host is cleaned: one table, for controller, pages, APIs and tests (design: cleaning.md, While it runs).

export const interruptions = ["abort", "hold", "resume", "retry"] as const;
export type Interruption = (typeof interruptions)[number];

/** What the host is at when the intent comes. */
export const situations = ["agentRuns", "agentSilent", "controllerJobRuns", "betweenSteps", "onHold", "failed"] as const;
export type Situation = (typeof situations)[number];

export const interruptionEffects = [
  /** The run ends now. */
  "stopNow",
  /** The step is told to stop, and the run ends with it. */
  "stopStep",
  /** The step cannot be stopped: it is waited for, and the run ends after it. */
  "stopAfterStep",
  /** Nobody hears of the erase any more: its own estimate is waited for, and the run ends after that. */
  "stopAfterEstimate",
  /** Before the next step. */
  "holdBeforeNext",
  "holdNow",
  /** A hold that is in force gets another expiry. */
  "prolongHold",
  "resume",
  /** A hold or an abort that has not taken effect yet is withdrawn. */
  "withdraw",
  "retryStep",
] as const;
export type InterruptionEffect = (typeof interruptionEffects)[number];

export interface InterruptionFacts {
  readonly situation: Situation;
  /** Of the step that runs. */
  readonly abortable: boolean;
  /** Of the step that runs: a technique that cannot be stopped may be under way. */
  readonly erasing: boolean;
  /** A hold or abort was asked for and waits for the end of the step. */
  readonly holdAsked: boolean;
  readonly abortAsked: boolean;
}

export type InterruptionAnswer = { readonly ok: true; readonly effect: InterruptionEffect } | { readonly ok: false; readonly reason: string };

type Rule = (facts: InterruptionFacts) => InterruptionAnswer;
const does = (effect: InterruptionEffect): Rule => () => ({ ok: true, effect });
const refuses = (reason: string): Rule => () => ({ ok: false, reason });

const unlessAborting = (rule: Rule): Rule => (facts) => (facts.abortAsked ? { ok: false, reason: "an abort waits for the step to end already" } : rule(facts));
const withdrawsWhat = (facts: InterruptionFacts): InterruptionAnswer => (facts.holdAsked ? { ok: true, effect: "withdraw" } : { ok: false, reason: "nothing is on hold" });
const running = refuses("the cleaning is running; only what stopped can be retried");

export const interruptionTable = {
  abort: {
    agentRuns: unlessAborting(({ abortable }) => ({ ok: true, effect: abortable ? "stopStep" : "stopAfterStep" })),
    agentSilent: unlessAborting(({ erasing }) => ({ ok: true, effect: erasing ? "stopAfterEstimate" : "stopNow" })),
    controllerJobRuns: unlessAborting(({ abortable }) => ({ ok: true, effect: abortable ? "stopNow" : "stopAfterStep" })),
    betweenSteps: does("stopNow"),
    onHold: does("stopNow"),
    failed: refuses("nothing runs any more; take the host to Manageable to end it"),
  },
  hold: {
    agentRuns: unlessAborting(does("holdBeforeNext")),
    agentSilent: unlessAborting(does("holdBeforeNext")),
    controllerJobRuns: unlessAborting(does("holdBeforeNext")),
    betweenSteps: does("holdNow"),
    onHold: does("prolongHold"),
    failed: refuses("the cleaning has stopped already; it waits for a retry"),
  },
  resume: {
    agentRuns: withdrawsWhat,
    agentSilent: withdrawsWhat,
    controllerJobRuns: withdrawsWhat,
    betweenSteps: withdrawsWhat,
    onHold: does("resume"),
    failed: refuses("nothing is on hold; a failed cleaning is retried"),
  },
  retry: { agentRuns: running, agentSilent: running, controllerJobRuns: running, betweenSteps: running, onHold: refuses("the cleaning is on hold; resume it"), failed: does("retryStep") },
} satisfies Record<Interruption, Record<Situation, Rule>>;

/** What an intent does to a host that is being cleaned, or why it is refused. Pure. */
export function interrupt(intent: Interruption, facts: InterruptionFacts): InterruptionAnswer {
  return interruptionTable[intent][facts.situation](facts);
}
