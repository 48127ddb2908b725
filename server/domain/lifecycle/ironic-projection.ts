// The host's state in Ironic's words: a pure function of state and facts (docs/design/lifecycle.md#projections).
import { isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

export interface ProvisionFacts {
  /** Kinds of the signals that the controller has not read yet, in order: an accepted intent shows at once. */
  readonly pending: readonly string[];
  /** The tenant or an operator gave the instance up. */
  readonly releaseRequested: boolean;
  readonly instanceOpen: boolean;
  /** A trip towards Ready is open; a failure without one belongs to manual cleaning. */
  readonly reclamationOpen: boolean;
  /** The host waits for its own agent, and not for us. */
  readonly agentWorking: boolean;
}

export interface ProvisionState {
  readonly state: string;
  readonly target: string | null;
}

const toward = (state: string, target: string | null): ProvisionState => ({ state, target });

type After = (now: ProvisionState) => ProvisionState;

/** What each accepted intent makes of the present state; one that does not fit it changes nothing. */
const after: Readonly<Record<string, After | undefined>> = {
  manage: from({
    enroll: () => toward("verifying", "manageable"),
    available: () => toward("manageable", null),
    "clean failed": () => toward("manageable", null),
  }),
  provide: from({ manageable: () => toward("cleaning", "available") }),
  clean: from({
    manageable: () => toward("cleaning", "manageable"),
    "clean failed": () => toward("cleaning", "manageable"),
  }),
  retry: from({ "clean failed": ({ target }) => toward("cleaning", target) }),
  restart: from({ "clean failed": ({ target }) => toward("cleaning", target) }),
  resume: from({ "clean hold": ({ target }) => toward("clean wait", target) }),
  assign: from({ available: () => toward("deploying", "active") }),
  forceDelete: () => toward("deleting", null),
};

function from(table: Readonly<Record<string, After | undefined>>): After {
  return (now) => table[now.state]?.(now) ?? now;
}

/**
 * Ironic's `provision_state` and `target_provision_state`. Maintenance is a field of its own there, and changes nothing here. A client that waits
 * fails on a target that is null too early, so what was accepted counts as begun.
 */
export function ironicProvision(state: State, facts: ProvisionFacts): ProvisionState {
  return facts.pending.reduce((now, kind) => after[kind]?.(now) ?? now, present(state, facts));
}

function present(state: State, facts: ProvisionFacts): ProvisionState {
  if (isFailed(state)) {
    if (facts.instanceOpen) return toward("error", null);
    return toward("clean failed", facts.reclamationOpen ? "available" : "manageable");
  }
  const cleaning = facts.agentWorking ? "clean wait" : "cleaning";
  switch (topLevel(state)) {
    case "Enroll":
      return toward("enroll", null);
    case "Verifying":
      return toward("verifying", "manageable");
    case "Manageable":
      return toward("manageable", null);
    case "Ready":
      return toward("available", null);
    case "Assigned":
      if (facts.releaseRequested) return toward("deleting", "available");
      if (state === "Assigned/Ready") return toward("active", null);
      return toward(state === "Assigned/WaitingForRebootToReady" ? "wait call-back" : "deploying", "active");
    case "ManualCleaning":
      return toward(state === "ManualCleaning/OnHold" ? "clean hold" : cleaning, "manageable");
    case "ForceDeletion":
      return toward("deleting", null);
    default:
      return toward(state === "WaitingForCleanup/OnHold" ? "clean hold" : cleaning, "available");
  }
}

const boots: ReadonlySet<State> = new Set([
  "ManualCleaning/BootingAgent",
  "WaitingForCleanup/BootingAgent",
  "BomValidating/BootingAgent",
  "Validation/RebootHost",
]);

/** `ProvisionFacts.agentWorking`: the agent has a command, or is waited for. @param commanded the agent of the newest boot has not done what it was last told */
export const waitsForAgent = (state: State, commanded: boolean): boolean => commanded || boots.has(state);
