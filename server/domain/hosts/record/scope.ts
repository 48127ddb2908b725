// States in which a claim reads, or leaves out, the parts of a view that only some handlers need.
import type { State } from "@/server/domain/lifecycle/states";

/** The idle states and the busiest one do not need the inventory, which is the largest part of a view. */
export const statesWithoutInventory = [
  "Ready",
  "Assigned/Ready",
  "WaitingForCleanup/HostCleanup",
  "Enroll",
  "Verifying",
] as const satisfies readonly State[];

/** States in which a host without a SKU is compared with the existing SKUs. */
export const matchingStates = [
  "BomValidating/MatchingSku",
  "BomValidating/WaitingForSkuAssignment",
] as const satisfies readonly State[];

/** States in which the parts of a host are compared. A decision that comes from another state leaves that to the next claim. */
export const partStates = [
  "BomValidating/BootingAgent",
  "BomValidating/UpdatingInventory",
  "BomValidating/MatchingSku",
  "BomValidating/VerifyingSku",
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
] as const satisfies readonly State[];

/** States in which procedure records affect the decision. */
export const assuranceStates = [
  "ReturnToAllocation/EvaluatingGates",
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
  // A signed drain takes the place of the step, and a TPM cleared by hand of the one that could not clear it.
  "Failed/MemOverwriteFailed",
  "Failed/PlatformCleanFailed",
] as const satisfies readonly State[];

/** States in which this decision itself may make a plan or give a place in the queue. From any other state, a host first moves to one of these. */
export const planningStates = [
  "Manageable",
  "Assigned/WaitingForNetworkReconfig",
  "WaitingForCleanup/Queued",
  "WaitingForCleanup/Init",
  "WaitingForCleanup/BootingAgent",
  "ManualCleaning/Queued",
] as const satisfies readonly State[];

/**
 * The states from which most decisions come to the gates: their claims look up which drives belong elsewhere. A decision that comes from another state
 * leaves the gates to the next claim (docs/adr/0121-ready-lasts.md).
 */
export const gateStates = [
  "Validation/MachineValidating",
  "HostInit/Discovered",
  "ReturnToAllocation/EvaluatingGates",
  "ReturnToAllocation/AwaitingHealth",
  "ReturnToAllocation/AwaitingRepair",
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
] as const satisfies readonly State[];

/** States in which this decision itself may evaluate the gates or request another evaluation. */
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
  // A step failed that an exception for its gate leaves out.
  "Failed/MemOverwriteFailed",
  "Failed/IbCleanFailed",
  // A step stopped at a drive.
  "Failed/NVMECleanFailed",
  "Failed/HDDCleanFailed",
  "Failed/RaidCleanFailed",
  "Failed/BossCleanFailed",
  "Failed/CleanFailed",
  "Failed/StepTimeout",
  "Failed/AgentLost",
] as const satisfies readonly State[];
