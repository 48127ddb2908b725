// The host's state in NICo's terms: pure functions of state and facts (docs/design/lifecycle.md#projections).
import { causeOf, isFailed, isState, topLevel } from "@/server/domain/lifecycle/states";
import type { State, StoredState } from "@/server/domain/lifecycle/states";

export const nicoMachineStatuses = [
  "Initializing",
  "Ready",
  "Reset",
  "Maintenance",
  "InUse",
  "Error",
  "Decommissioned",
  "Unknown",
] as const;
export type NicoMachineStatus = (typeof nicoMachineStatuses)[number];

export interface MachineFacts {
  readonly maintenance: boolean;
  /** False for a Ready host that is kept out of allocation. */
  readonly allocatable: boolean;
}

export interface NicoStatus<Status> {
  readonly status: Status;
  readonly message: string;
}

/** For a host in a state of another release (docs/adr/0024-rolling-upgrade.md). */
export const nicoUnknownMachine = {
  status: "Unknown",
  message: "Machine is in a state that this version does not know",
} as const satisfies NicoStatus<NicoMachineStatus>;

/** NICo's status of a machine. NICo reports `Decommissioned` for a host in cleanup; Reclaim reports `Reset`, which is accurate. */
export function nicoMachineStatus(state: State, facts: MachineFacts): NicoStatus<NicoMachineStatus> {
  if (facts.maintenance) return { status: "Maintenance", message: "Machine is in maintenance mode" };
  const cause = causeOf(state);
  if (cause !== null) return { status: "Error", message: `Machine has encountered a failure: ${cause}` };
  if (state === "ReturnToAllocation/AwaitingRepair")
    return { status: "Error", message: "Machine is waiting for repair" };
  switch (topLevel(state)) {
    case "Ready":
      return facts.allocatable
        ? { status: "Ready", message: "Machine is online and ready" }
        : { status: "Error", message: "Machine has one or more health alerts that prevent allocation" };
    case "Assigned":
      return { status: "InUse", message: "Machine is assigned to an Instance" };
    case "ManualCleaning":
      return { status: "Maintenance", message: "Machine is being cleaned by an operator" };
    case "WaitingForCleanup":
      return { status: "Reset", message: "Machine is waiting for cleanup" };
    case "Decommissioning":
    case "Decommissioned":
      return { status: "Decommissioned", message: "Machine is being decommissioned" };
    case "ForceDeletion":
      return { status: "Decommissioned", message: "Machine is being deleted" };
    default:
      return { status: "Initializing", message: `Machine is being initialized: ${state}` };
  }
}

export const nicoInstanceStatuses = [
  "Pending",
  "Provisioning",
  "Configuring",
  "Ready",
  "Updating",
  "Repairing",
  "Rebooting",
  "Terminating",
  "Error",
] as const;
export type NicoInstanceStatus = (typeof nicoInstanceStatuses)[number];

export interface InstanceFacts {
  readonly releaseRequested: boolean;
  readonly onlineRepair: boolean;
}

/**
 * NICo's status of an instance that has not ended; an ended one no longer exists. A failure after the release is the provider's to handle,
 * so the tenant sees `Terminating`. A failure before the release concerns the tenant too.
 */
export function nicoInstanceStatus(state: StoredState, facts: InstanceFacts): NicoInstanceStatus {
  if (facts.releaseRequested) return "Terminating";
  if (isFailed(state)) return "Error";
  // A state of another release: nobody has released the instance.
  if (!isState(state)) return "Updating";
  if (state === "Assigned/Ready") return facts.onlineRepair ? "Repairing" : "Ready";
  // A claim is in the instance table briefly before the controller reads it.
  if (
    state === "Ready" ||
    state === "ReturnToAllocation/AwaitingRepair" ||
    state === "Assigned/WaitingForNetworkConfig" ||
    state === "Assigned/WaitingForRebootToReady"
  )
    return "Provisioning";
  return "Terminating";
}
