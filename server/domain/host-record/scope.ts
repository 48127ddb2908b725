// In which states a claim leaves out what no handler there reads.
import type { State } from "@/server/domain/lifecycle/states";

/** The idle states, and the busiest one, need no inventory: it is the largest part of a view. */
export const statesWithoutInventory = [
  "Ready",
  "Assigned/Ready",
  "WaitingForCleanup/HostCleanup",
  "Enroll",
  "Verifying",
] as const satisfies readonly State[];

/** Where a host without a SKU is held against those that there are. */
export const matchingStates = [
  "BomValidating/MatchingSku",
  "BomValidating/WaitingForSkuAssignment",
] as const satisfies readonly State[];

/** Where the records of procedures decide. */
export const assuranceStates = [
  "ReturnToAllocation/EvaluatingGates",
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
] as const satisfies readonly State[];

/** Where a plan may be made, or a place in the queue be given, in this very decision. From elsewhere a host comes to such a state first. */
export const planningStates = [
  "Manageable",
  "Assigned/WaitingForNetworkReconfig",
  "WaitingForCleanup/Queued",
  "WaitingForCleanup/Init",
  "WaitingForCleanup/BootingAgent",
  "ManualCleaning/Queued",
] as const satisfies readonly State[];

/** Where the gates may be evaluated in this very decision, or evaluating them again be asked for. */
export const exceptionStates = [
  "BomValidating/BootingAgent",
  "BomValidating/UpdatingInventory",
  "BomValidating/MatchingSku",
  "BomValidating/VerifyingSku",
  "Validation/RebootHost",
  "Validation/MachineValidating",
  "HostInit/Discovered",
  "ReturnToAllocation/EvaluatingGates",
  "ReturnToAllocation/AwaitingHealth",
  "ReturnToAllocation/AwaitingRepair",
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
  "Failed/GateUnsatisfied",
  // Where a step stopped at a drive.
  "Failed/NVMECleanFailed",
  "Failed/HDDCleanFailed",
  "Failed/RaidCleanFailed",
  "Failed/BossCleanFailed",
  "Failed/CleanFailed",
  "Failed/StepTimeout",
  "Failed/AgentLost",
] as const satisfies readonly State[];
