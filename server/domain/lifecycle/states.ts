// Every state of a host, as a path (docs/lifecycle.md). Names are NICo's wherever it has one.

export const cleanupStates = [
  "WaitingForCleanup/Queued",
  "WaitingForCleanup/Init",
  "WaitingForCleanup/OnHold",
  "WaitingForCleanup/BootingAgent",
  "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss",
  "WaitingForCleanup/HostCleanup",
  "WaitingForCleanup/CreateBossVolume/CreateBossVolume",
  "WaitingForCleanup/PlatformCleanup",
] as const;

/** Causes of a failed cleaning: where repair by hand is needed, and what the brake counts. */
export const cleanFailures = [
  "NVMECleanFailed",
  "HDDCleanFailed",
  "RaidCleanFailed",
  "BossCleanFailed",
  "MemOverwriteFailed",
  "IbCleanFailed",
  "PlatformCleanFailed",
  "CleanFailed",
  "DeviceMissing",
  "StepTimeout",
  "AgentLost",
  "AgentVersionMismatch",
  "BiosSetupFailed",
] as const;

export const failureCauses = [
  ...cleanFailures,
  "ContentChanged",
  "AgentIdentityConflict",
  "BootContested",
  "EraseVoided",
  "GateUnsatisfied",
  "MachineValidation",
  "BmcUnreachable",
  "BmcRefused",
  "BmcOfAnotherHost",
  "BmcCertificateChanged",
  "BmcInventoryFailed",
  "ResetNotConfirmed",
  "NetworkReconfigTimeout",
  "NetworkRefused",
  "NetworkTimeout",
  "ManualInterventionRequired",
  "DatabaseRestored",
] as const;
export type FailureCause = (typeof failureCauses)[number];

const states = [
  "Enroll",
  "Verifying",
  "Manageable",
  "ManualCleaning/Queued",
  "ManualCleaning/BootingAgent",
  "ManualCleaning/RunningStep",
  "ManualCleaning/OnHold",
  "Ready",
  "Assigned/WaitingForNetworkConfig",
  "Assigned/WaitingForRebootToReady",
  "Assigned/Ready",
  "Assigned/BootingWithDiscoveryImage",
  "Assigned/SwitchToAdminNetwork",
  "Assigned/WaitingForNetworkReconfig",
  ...cleanupStates,
  "BomValidating/BootingAgent",
  "BomValidating/UpdatingInventory",
  "BomValidating/MatchingSku",
  "BomValidating/VerifyingSku",
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
  "Validation/RebootHost",
  "Validation/MachineValidating",
  "HostInit/Discovered",
  "ReturnToAllocation/EvaluatingGates",
  "ReturnToAllocation/AwaitingHealth",
  "ForceDeletion",
] as const;

export type State = (typeof states)[number] | `Failed/${FailureCause}`;

const all: ReadonlySet<string> = new Set([...states, ...failureCauses.map((cause) => `Failed/${cause}`)]);

/** Narrows a stored string. A state that this version does not know is an error, never a default. */
export function isState(value: string): value is State {
  return all.has(value);
}

/** Every state, failed ones included, in the order of a host's life. */
export function allStates(): readonly State[] {
  return [...states, ...failureCauses.map((cause): State => `Failed/${cause}`)];
}

/** `WaitingForCleanup` of `WaitingForCleanup/HostCleanup`. */
export function topLevel(state: State): string {
  return state.split("/", 1)[0] ?? state;
}

export function isFailed(state: State): state is `Failed/${FailureCause}` {
  return state.startsWith("Failed/");
}

/** The cause of a failed state, null for any other. */
export function causeOf(state: State): FailureCause | null {
  return failureCauses.find((cause) => state === `Failed/${cause}`) ?? null;
}

/** Stopped by what its BMC did or showed. */
export const isBmcFailure = (state: State): boolean => causeOf(state)?.startsWith("Bmc") === true;

/** Cleaning is under way: power, provision and release are refused (docs/cleaning.md#locks). */
export function isCleaning(state: State): boolean {
  return state.startsWith("WaitingForCleanup/") || state.startsWith("ManualCleaning/");
}

/** Stopped before its next step by a person, until it is resumed or the hold expires. */
export function isOnHold(state: State): boolean {
  return state === "ManualCleaning/OnHold" || state === "WaitingForCleanup/OnHold";
}

/** Waits for its place among the hosts in progress. */
export function isQueued(state: State): boolean {
  return state === "ManualCleaning/Queued" || state === "WaitingForCleanup/Queued";
}
