// Which intent is accepted in which state: the one table for server, page, CLI and tests (design: lifecycle.md, Intents).
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
}

/** Null when accepted, else why not, in words that say what would help. */
type Rule = (facts: IntentFacts) => string | null;

const stopped: Rule = (facts) => {
  if (!isFailed(facts.state)) return "only a failed host can go on; this one has not failed";
  return facts.reclamationOpen ? null : "no stopped reclamation belongs to this host";
};

const waitsForSku: ReadonlySet<State> = new Set(["BomValidating/WaitingForSkuAssignment", "BomValidating/SkuMissing", "BomValidating/SkuVerificationFailed"]);

const cleanCauses: ReadonlySet<FailureCause> = new Set<FailureCause>(cleanFailures);

const duringCleaning: Rule = (facts) => (isCleaning(facts.state) ? null : `nothing is being cleaned; the host is in ${facts.state}`);

export const intentRules = {
  manage: (facts) => {
    if (facts.state === "Enroll" || facts.state === "Ready") return null;
    if (!isFailed(facts.state)) return `a host in ${facts.state} cannot be taken to Manageable; from Enroll, Ready or Failed it can`;
    return facts.instanceOpen ? "an instance is still on the host" : null;
  },
  provide: (facts) => (facts.state === "Manageable" ? null : `only a Manageable host can be provided; this one is in ${facts.state}`),
  clean: (facts) => {
    if (facts.state === "Manageable") return null;
    const cause = causeOf(facts.state);
    if (cause === null || !cleanCauses.has(cause)) return `only a Manageable host, or one whose cleaning failed, can be cleaned by hand; this one is in ${facts.state}`;
    return facts.instanceOpen ? "an instance is still on the host" : null;
  },
  abort: duringCleaning,
  hold: duringCleaning,
  resume: duringCleaning,
  assign: (facts) => {
    if (facts.state !== "Ready") return `only a Ready host can be claimed; this one is in ${facts.state}`;
    return facts.allocatable ? null : "the host is Ready but kept out of allocation";
  },
  release: (facts) => {
    if (!facts.instanceOpen) return "no instance is on the host";
    if (facts.releaseRequested) return "the release has been accepted already";
    return topLevel(facts.state) === "Assigned" || isFailed(facts.state) ? null : `an instance on a host in ${facts.state} cannot be released`;
  },
  retry: (facts) => {
    if (facts.state === "Failed/GateUnsatisfied") return "a gate is unsatisfied: restart the plan, or ask for an exception";
    return stopped(facts);
  },
  // A host that differs from its SKU has not failed, and yet somebody may have to begin again after a repair.
  restart: (facts) => (waitsForSku.has(facts.state) && facts.reclamationOpen ? null : stopped(facts)),
  forceDelete: (facts) => (facts.state === "ForceDeletion" ? "the host is being deleted already" : null),
} satisfies Record<IntentKind, Rule>;

/** Why an intent is refused now, or null when it is accepted. Pure. */
export function refusal(intent: IntentKind, facts: IntentFacts): string | null {
  return intentRules[intent](facts);
}
