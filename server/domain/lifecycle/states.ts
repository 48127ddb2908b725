// Every state of a host, as a path (docs/lifecycle.md). Names are NICo's wherever it has one.
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

/** A state of another release, which serves beside this one or did before (docs/adr/0024-rolling-upgrade.md). Take one by `storedState`. */
export const unknownState = z.string().brand<"UnknownState">();
export type UnknownState = z.infer<typeof unknownState>;

/** What a server that only reads may find: it shows a state that it does not know by its text and decides nothing on it (ADR 74). */
export type StoredState = State | UnknownState;

/** A stored string as a state. What decides asks `isState` and refuses. */
export const storedState = (text: string): StoredState => (isState(text) ? text : unknownState.parse(text));

/** Every state, failed ones included, in the order of a host's life. */
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

/** The cause of a failed state; null for any other, and for a cause of another release. */
export function causeOf(state: StoredState): FailureCause | null {
  return failureCauses.find((cause) => state === `Failed/${cause}`) ?? null;
}

/** Stopped by what its BMC did or showed. */
export const isBmcFailure = (state: StoredState): boolean => causeOf(state)?.startsWith("Bmc") === true;

/** Cleaning is under way: power, provision and release are refused (docs/cleaning.md#locks). */
export function isCleaning(state: StoredState): boolean {
  return state.startsWith("WaitingForCleanup/") || state.startsWith("ManualCleaning/");
}

/** Stopped before its next step by a person, until it is resumed or the hold expires. */
export function isOnHold(state: StoredState): boolean {
  return state === "ManualCleaning/OnHold" || state === "WaitingForCleanup/OnHold";
}

/** Waits for its place on the Hosts page in progress. */
export function isQueued(state: StoredState): boolean {
  return state === "ManualCleaning/Queued" || state === "WaitingForCleanup/Queued";
}

/** Where a claim may find a host: with an open instance on it, the controller has not read the claim yet. */
export const isClaimable = (state: StoredState): boolean =>
  state === "Ready" || state === "ReturnToAllocation/AwaitingRepair";

/** Where the site's network controller must act before the host goes on. */
export const waitsForNetwork: ReadonlySet<StoredState> = new Set<State>([
  "Assigned/WaitingForNetworkConfig",
  "Assigned/WaitingForNetworkReconfig",
  "WaitingForCleanup/Init",
  "ManualCleaning/BootingAgent",
  "Decommissioning/RemovingLeftovers",
]);

/** A clean host that waits for people: a procedure to be carried out, or one to be signed off. */
export const waitsForAssurance: ReadonlySet<StoredState> = new Set<State>([
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
]);

/** Where a clean host waits. */
export const waitsClean: ReadonlySet<StoredState> = new Set<StoredState>([
  ...(["ReturnToAllocation/AwaitingHealth", "ReturnToAllocation/AwaitingRepair"] satisfies State[]),
  ...waitsForAssurance,
]);

/** Stands still until its SKU, or its inventory, is another. */
export const waitsForSku: ReadonlySet<StoredState> = new Set<State>([
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
]);
