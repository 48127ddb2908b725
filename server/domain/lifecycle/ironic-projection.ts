// The host's state in Ironic's terms: a pure function of state and facts (docs/design/lifecycle.md#projections).
import { isFailed, isState, topLevel } from "@/server/domain/lifecycle/states";
import type { StoredState, UnknownState } from "@/server/domain/lifecycle/states";

export interface ProvisionFacts {
  /** Kinds of signals that the controller has not read yet, in order, so that an accepted intent shows at once. */
  readonly pending: readonly string[];
  /** The tenant or an operator released the instance. */
  readonly releaseRequested: boolean;
  readonly instanceOpen: boolean;
  /** A reclamation towards Ready is open. A failure without one comes from a manual cleaning, a cleaning without one from a decommission. */
  readonly reclamationOpen: boolean;
  /** The host waits for its agent and not for Reclaim. */
  readonly agentWorking: boolean;
  /** A reading of the inventory that a person requested: in progress, or failed with no request since. */
  readonly inspection?: Inspection | null;
}

export const inspections = ["running", "failed"] as const;
export type Inspection = (typeof inspections)[number];

export interface ProvisionState {
  readonly state: string;
  readonly target: string | null;
}

const toward = (state: string, target: string | null): ProvisionState => ({ state, target });

type After = (now: ProvisionState) => ProvisionState;

/** The same for BMC and agent, because clients wait for the same state. */
const inspecting = from({
  manageable: () => toward("inspecting", "manageable"),
  "inspect failed": () => toward("inspecting", "manageable"),
});

/** How each accepted intent changes the current state. An intent that does not fit the state changes nothing. */
const after: Readonly<Record<string, After | undefined>> = {
  manage: from({
    enroll: () => toward("verifying", "manageable"),
    available: () => toward("manageable", null),
    "clean failed": () => toward("manageable", null),
    "inspect failed": () => toward("manageable", null),
  }),
  inspect: inspecting,
  inspectByAgent: inspecting,
  provide: from({ manageable: () => toward("cleaning", "available") }),
  clean: from({
    manageable: () => toward("cleaning", "manageable"),
    "clean failed": () => toward("cleaning", "manageable"),
  }),
  retry: from({ "clean failed": ({ target }) => toward("cleaning", target) }),
  restart: from({ "clean failed": ({ target }) => toward("cleaning", target) }),
  resume: from({ "clean hold": ({ target }) => toward("clean wait", target) }),
  assign: from({ available: () => toward("deploying", "active") }),
  decommission: from({
    available: () => toward("cleaning", "manageable"),
    manageable: () => toward("cleaning", "manageable"),
    "clean failed": () => toward("cleaning", "manageable"),
  }),
  forceDelete: () => toward("deleting", null),
};

function from(table: Readonly<Record<string, After | undefined>>): After {
  return (now) => table[now.state]?.(now) ?? now;
}

/**
 * Ironic's `provision_state` and `target_provision_state`. Maintenance is a separate field in Ironic and has no effect here. A waiting client fails
 * if the target is null too early, so an accepted intent counts as begun.
 */
export function ironicProvision(state: StoredState, facts: ProvisionFacts): ProvisionState {
  return facts.pending.reduce((now, kind) => after[kind]?.(now) ?? now, present(state, facts));
}

/** For a state of another release: one that clients wait in, or `error` if the host failed. Never `available`, `manageable` or `active`, which end a wait. */
function ofAnotherRelease(state: UnknownState, facts: ProvisionFacts): ProvisionState {
  if (isFailed(state)) return toward("error", null);
  if (facts.instanceOpen)
    return facts.releaseRequested ? toward("deleting", "available") : toward("deploying", "active");
  return toward("cleaning", facts.reclamationOpen ? "available" : "manageable");
}

function present(state: StoredState, facts: ProvisionFacts): ProvisionState {
  // safety: ironic: a state of another release ends no wait
  if (!isState(state)) return ofAnotherRelease(state, facts);
  const { inspection = null } = facts;
  if (isFailed(state)) {
    if (facts.instanceOpen) return toward("error", null);
    if (inspection !== null) return toward("inspect failed", "manageable");
    return toward("clean failed", facts.reclamationOpen ? "available" : "manageable");
  }
  const cleaning = facts.agentWorking ? "clean wait" : "cleaning";
  switch (topLevel(state)) {
    case "Enroll":
      return toward("enroll", null);
    case "Verifying":
      return toward("verifying", "manageable");
    case "Manageable":
      if (inspection === "running") return toward("inspecting", "manageable");
      return inspection === "failed" ? toward("inspect failed", "manageable") : toward("manageable", null);
    case "Ready":
      return toward("available", null);
    case "Assigned":
      if (facts.releaseRequested) return toward("deleting", "available");
      if (state === "Assigned/Ready") return toward("active", null);
      return toward(state === "Assigned/WaitingForRebootToReady" ? "wait call-back" : "deploying", "active");
    case "ManualCleaning":
      if (inspection !== null && state !== "ManualCleaning/OnHold")
        return toward(facts.agentWorking ? "inspect wait" : "inspecting", "manageable");
      return toward(state === "ManualCleaning/OnHold" ? "clean hold" : cleaning, "manageable");
    case "Decommissioning":
      return toward("cleaning", "manageable");
    case "Decommissioned":
    case "ForceDeletion":
      return toward("deleting", null);
    default:
      return toward(
        state === "WaitingForCleanup/OnHold" ? "clean hold" : cleaning,
        facts.reclamationOpen ? "available" : "manageable",
      );
  }
}

const boots: ReadonlySet<StoredState> = new Set([
  "ManualCleaning/BootingAgent",
  "WaitingForCleanup/BootingAgent",
  "BomValidating/BootingAgent",
  "Validation/RebootHost",
]);

/** `ProvisionFacts.agentWorking`: the agent has a command, or is awaited. @param commanded the agent of the latest boot has not finished its last command */
export const waitsForAgent = (state: StoredState, commanded: boolean): boolean =>
  commanded || boots.has(state);
