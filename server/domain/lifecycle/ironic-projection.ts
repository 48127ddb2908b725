// The host's state in Ironic's words: a pure function of state and facts (design: lifecycle.md, Projections).
import { isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

export interface ProvisionFacts {
  /** An accepted intent that the controller has not read yet shows at once. */
  readonly managePending: boolean;
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

/** Ironic's `provision_state` and `target_provision_state`. Maintenance is a field of its own there, and changes nothing here. */
export function ironicProvision(state: State, facts: ProvisionFacts): ProvisionState {
  if (isFailed(state)) {
    if (facts.instanceOpen) return toward("error", null);
    return toward("clean failed", facts.reclamationOpen ? "available" : "manageable");
  }
  const cleaning = facts.agentWorking ? "clean wait" : "cleaning";
  switch (topLevel(state)) {
    case "Enroll":
      return facts.managePending ? toward("verifying", "manageable") : toward("enroll", null);
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
