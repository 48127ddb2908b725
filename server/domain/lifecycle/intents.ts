// Which intent is accepted in which state: the one table for server, page, CLI and tests (docs/design/lifecycle.md#intents).
import { interrupt } from "@/server/domain/cleaning/interruptions";
import type { Interruption, InterruptionFacts } from "@/server/domain/cleaning/interruptions";
import type { IntentKind } from "@/server/domain/lifecycle/signals";
import { causeOf, cleanFailures, isCleaning, isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";

/** What else than the state decides. */
export interface IntentFacts {
  readonly state: State;
  readonly instanceOpen: boolean;
  readonly releaseRequested: boolean;
  readonly reclamationOpen: boolean;
  readonly allocatable: boolean;
  /** Of a host that is being cleaned or failed at it: `interruptionFacts` (cleaning/interruptions.ts) tells it. */
  readonly cleaning: InterruptionFacts | null;
  /** A technique that cannot be stopped may still run on the host's drives, whatever became of its cleaning. */
  readonly erasing: boolean;
  /** Until when at the latest; null: none may. */
  readonly eraseUntilMs: number | null;
  /** Somebody can say what the drives do: an agent that may be asked, or one that reports (`drivesAreHeard`). */
  readonly drivesHeard: boolean;
  /** Not to be allocated again. */
  readonly retired: boolean;
}

/** Of a host that nobody holds or cleans, and of whose drives nothing is heard. */
export const quietFacts = (state: State): IntentFacts => ({
  state,
  instanceOpen: false,
  releaseRequested: false,
  reclamationOpen: false,
  allocatable: false,
  cleaning: null,
  erasing: false,
  eraseUntilMs: null,
  drivesHeard: false,
  retired: false,
});

/** Null when accepted, else why not, in words that say what would help. */
type Rule = (facts: IntentFacts) => string | null;

const stopped: Rule = (facts) => {
  if (!isFailed(facts.state)) return "only a failed host can be retried; this one has not failed";
  return facts.reclamationOpen ? null : "no stopped reclamation belongs to this host";
};

/** Stands still until its SKU, or its inventory, is another. */
export const waitsForSku: ReadonlySet<State> = new Set([
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
]);

/** Where a host stands until a person does something about what is in it. */
export const isStopped = (state: State): boolean =>
  state === "Manageable" || isFailed(state) || waitsForSku.has(state);

const cleanCauses: ReadonlySet<FailureCause> = new Set<FailureCause>(cleanFailures);

/** Abort, hold, resume and retry have a table of their own. */
const interrupts =
  (intent: Interruption): Rule =>
  (facts) => {
    if (facts.cleaning === null) return `no cleaning is running; the host is in ${facts.state}`;
    const answer = interrupt(intent, facts.cleaning);
    return answer.ok ? null : answer.reason;
  };

/**
 * Why power, provision and release are refused while a host is cleaned, naming the step; null when it is not. A failed host is not locked.
 * (docs/cleaning.md#locks). Pure.
 */
export function cleaningLock({ state, cleaning }: Pick<IntentFacts, "state" | "cleaning">): string | null {
  if (!isCleaning(state)) return null;
  const step = cleaning?.step ?? null;
  return step === null
    ? `the host is being cleaned; it is in ${state}`
    : `the host is being cleaned: ${step} runs`;
}

/** Where nothing of ours switches or boots the host. On hold it is between two steps. */
const powered: ReadonlySet<State> = new Set<State>([
  "Enroll",
  "Manageable",
  "Ready",
  "Assigned/Ready",
  "ManualCleaning/OnHold",
  "WaitingForCleanup/OnHold",
]);

/** Power is a person's while the controller does not need it, and never while an erase may run (docs/cleaning.md#locks). */
const power: Rule = (facts) => {
  // safety: intents: no power where the controller needs it
  if (!powered.has(facts.state) && !isFailed(facts.state))
    return cleaningLock(facts) ?? `the power of a host in ${facts.state} is the controller's`;
  // safety: intents: no power while an erase may run
  if (facts.erasing)
    return `an erase that cannot be stopped may still be running${facts.eraseUntilMs === null ? "" : `, until ${new Date(facts.eraseUntilMs).toISOString()} at the latest`}`;
  return facts.state === "Assigned/Ready" && facts.releaseRequested ? "the host is being released" : null;
};

export const intentRules = {
  manage: (facts) => {
    if (facts.state === "Enroll" || facts.state === "Ready") return null;
    if (!isFailed(facts.state))
      return (
        cleaningLock(facts) ??
        `a host in ${facts.state} cannot be taken to Manageable; from Enroll, Ready or Failed it can`
      );
    // safety: intents: manage with an instance on the host (never)
    return facts.instanceOpen ? "an instance is still on the host" : null;
  },
  provide: (facts) => {
    if (facts.state === "Manageable")
      /* safety: intents: a retired host is not provided (never) */ return facts.retired
        ? "the host is retired; it is not to be allocated again"
        : null;
    return cleaningLock(facts) ?? `only a Manageable host can be provided; this one is in ${facts.state}`;
  },
  clean: (facts) => {
    if (facts.state === "Manageable") return null;
    const cause = causeOf(facts.state);
    if (cause === null || !cleanCauses.has(cause))
      return (
        cleaningLock(facts) ??
        `only a Manageable host, or one whose cleaning failed, can be cleaned manually; this one is in ${facts.state}`
      );
    // safety: intents: cleaning by hand with an instance on the host (never)
    return facts.instanceOpen ? "an instance is still on the host" : null;
  },
  abort: interrupts("abort"),
  hold: interrupts("hold"),
  resume: interrupts("resume"),
  powerOn: power,
  powerOff: power,
  reboot: power,
  skipEraseWait: (facts) => {
    if (!facts.erasing) return "no erase wait is in progress";
    // What a drive says counts for more than what a person thinks of it (docs/adr/0029-what-ends-the-wait-for-an-erase.md).
    // safety: intents: no skipped wait where a drive can be asked (never)
    return facts.drivesHeard
      ? "the host's agent answers and says what the drives do; the wait ends by itself when none of them erases"
      : null;
  },
  assign: (facts) => {
    if (facts.state !== "Ready")
      return cleaningLock(facts) ?? `only a Ready host can be claimed; this one is in ${facts.state}`;
    // safety: intents: a host kept out of allocation (always)
    return facts.allocatable ? null : "the host is Ready but kept out of allocation";
  },
  release: (facts) => {
    if (!facts.instanceOpen) return cleaningLock(facts) ?? "no instance is on the host";
    if (facts.releaseRequested) return "the release was already accepted";
    return topLevel(facts.state) === "Assigned" || isFailed(facts.state)
      ? null
      : `an instance on a host in ${facts.state} cannot be released`;
  },
  retry: (facts) => {
    // safety: intents: no retry past a gate
    if (facts.state === "Failed/GateUnsatisfied")
      return "a gate is unsatisfied: restart the plan when the reason is gone";
    if (facts.state === "Failed/AgentVersionMismatch")
      return "the plan was made with other hardware managers: restart it";
    return isCleaning(facts.state) ? interrupts("retry")(facts) : stopped(facts);
  },
  // A host that differs from its SKU has not failed, and yet somebody may have to begin again after a repair.
  restart: (facts) =>
    waitsForSku.has(facts.state) && facts.reclamationOpen ? null : (cleaningLock(facts) ?? stopped(facts)),
  inspect: (facts) =>
    isStopped(facts.state)
      ? null
      : (cleaningLock(facts) ??
        `in ${facts.state} the inventory is read automatically; you can request it in Manageable, in Failed, or while the host waits for a SKU`),
  forceDelete: (facts) => (facts.state === "ForceDeletion" ? "the host is already being deleted" : null),
} satisfies Record<IntentKind, Rule>;

/** Why an intent is refused now, or null when it is accepted. Pure. */
export function refusal(intent: IntentKind, facts: IntentFacts): string | null {
  return intentRules[intent](facts);
}
