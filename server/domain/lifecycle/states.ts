// All states of a host, as paths (docs/lifecycle.md). Names are NICo's where NICo has one.
import { z } from "zod";

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

/** Causes of a failed cleaning. A manual cleaning may start from these states, and the brake counts them. */
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
  "MeasuringFailed",
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
  "NetworkNotConfigured",
  "NetworkRefused",
  "NetworkUnreachable",
  "NetworkTimeout",
  "ManualInterventionRequired",
  "DatabaseRestored",
  "LeftoversRemain",
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
  "ReturnToAllocation/AwaitingRepair",
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
  "Decommissioning/RemovingLeftovers",
  "Decommissioned",
  "ForceDeletion",
] as const;

export type State = (typeof states)[number] | `Failed/${FailureCause}`;

const all: ReadonlySet<string> = new Set([...states, ...failureCauses.map((cause) => `Failed/${cause}`)]);

/** Narrows a stored string. */
export function isState(value: string): value is State {
  return all.has(value);
}

/** A state of another release that runs at the same time or ran earlier (docs/adr/0024-rolling-upgrade.md). Create one with `storedState`. */
export const unknownState = z.string().brand<"UnknownState">();
export type UnknownState = z.infer<typeof unknownState>;

/** What a read-only server may find. A state it does not know is shown by its name, and nothing is decided on it (ADR 24). */
export type StoredState = State | UnknownState;

/** A stored string as a state. Code that decides checks `isState` and refuses otherwise. */
export const storedState = (text: string): StoredState => (isState(text) ? text : unknownState.parse(text));

/** All states, including failed ones, in the order of a host's life. */
export function allStates(): readonly State[] {
  return [...states, ...failureCauses.map((cause): State => `Failed/${cause}`)];
}

/** `WaitingForCleanup` of `WaitingForCleanup/HostCleanup`. */
export function topLevel(state: StoredState): string {
  return state.split("/", 1)[0] ?? state;
}

export function isFailed<Kind extends StoredState>(state: Kind): state is Kind & `Failed/${string}` {
  return state.startsWith("Failed/");
}

/** The cause of a failed state; null for any other state, and for a cause of another release. */
export function causeOf(state: StoredState): FailureCause | null {
  return failureCauses.find((cause) => state === `Failed/${cause}`) ?? null;
}

/** The host stopped because of what its BMC did or presented. */
export const isBmcFailure = (state: StoredState): boolean => causeOf(state)?.startsWith("Bmc") === true;

/** A cleaning is in progress, so power, provision and release are refused (docs/cleaning.md#locks). */
export function isCleaning(state: StoredState): boolean {
  return state.startsWith("WaitingForCleanup/") || state.startsWith("ManualCleaning/");
}

/** Held by a person before its next step, until it is resumed or the hold expires. */
export function isOnHold(state: StoredState): boolean {
  return state === "ManualCleaning/OnHold" || state === "WaitingForCleanup/OnHold";
}

/** Waits for a slot to begin its cleaning. */
export function isQueued(state: StoredState): boolean {
  return state === "ManualCleaning/Queued" || state === "WaitingForCleanup/Queued";
}

/** States in which a claim may find a host. If it has an open instance, the controller has not read the claim yet. */
export const isClaimable = (state: StoredState): boolean =>
  state === "Ready" || state === "ReturnToAllocation/AwaitingRepair";

/** The site's network controller must act before the host can continue. */
export const waitsForNetwork: ReadonlySet<StoredState> = new Set<State>([
  "Assigned/WaitingForNetworkConfig",
  "Assigned/WaitingForNetworkReconfig",
  "WaitingForCleanup/Init",
  "ManualCleaning/BootingAgent",
  "Decommissioning/RemovingLeftovers",
]);

/** A clean host that waits for people to carry out a procedure or to sign one off. */
export const waitsForAssurance: ReadonlySet<StoredState> = new Set<State>([
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
]);

/** States in which a clean host waits. */
export const waitsClean: ReadonlySet<StoredState> = new Set<StoredState>([
  ...(["ReturnToAllocation/AwaitingHealth", "ReturnToAllocation/AwaitingRepair"] satisfies State[]),
  ...waitsForAssurance,
]);

/** Blocked until its SKU or its inventory changes. */
export const waitsForSku: ReadonlySet<StoredState> = new Set<State>([
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
]);
