// What each state means to people: tone, words, what it waits for, what to check next. Page, CLI and API use this one table.
import type { Policy } from "@/server/domain/cleaning/policy";
import type { State } from "@/server/domain/lifecycle/states";

export const tones = ["neutral", "working", "waiting", "attention", "failed", "good"] as const;
export type Tone = (typeof tones)[number];

/** Which time limit a state has (docs/design/lifecycle.md#time-limits). */
export type LimitKind =
  | "none"
  | "always"
  | "state"
  | "boot"
  | "plan"
  | "inventory"
  | "validation"
  | "verifying"
  | "platform"
  | "day";

export interface StateRow {
  readonly tone: Tone;
  /** Short label for lists. */
  readonly label: string;
  readonly waitsFor: string;
  readonly checkNext: string;
  /** What a tenant reads. */
  readonly tenantWords: string;
  readonly limit: LimitKind;
}

/** Of a state that this version leads no host to; `nextTable` points to nothing there but what takes a host out of it. */
export const notEntered = "Nothing leads here in this version";

export const stateTable = {
  Enroll: {
    tone: "neutral",
    label: "Enrolled",
    waitsFor: "Nothing: the BMC has not been verified yet",
    checkNext: "Address and credentials of the BMC",
    tenantWords: "not available",
    limit: "none",
  },
  Verifying: {
    tone: "working",
    label: "Verifying BMC",
    waitsFor: "The BMC to answer with identity, power and inventory",
    checkNext: "BMC address, credentials, network",
    tenantWords: "not available",
    limit: "verifying",
  },
  Manageable: {
    tone: "neutral",
    label: "Manageable",
    waitsFor: "Nothing: the host is the provider's own and is never allocated",
    checkNext: "What the host is to do next",
    tenantWords: "not available",
    limit: "none",
  },
  "ManualCleaning/Queued": {
    tone: "waiting",
    label: "Manual cleaning, queued",
    waitsFor: "A place among the hosts at work",
    checkNext: "Limits and brakes of the site",
    tenantWords: "not available",
    limit: "none",
  },
  "ManualCleaning/BootingAgent": {
    tone: "working",
    label: "Manual cleaning, booting agent",
    waitsFor: "The agent to register",
    checkNext: "BMC power and boot override, boot network",
    tenantWords: "not available",
    limit: "plan",
  },
  "ManualCleaning/RunningStep": {
    tone: "working",
    label: "Manual cleaning",
    waitsFor: "The running step",
    checkNext: "Progress of the step",
    tenantWords: "not available",
    limit: "plan",
  },
  "ManualCleaning/OnHold": {
    tone: "waiting",
    label: "Manual cleaning, on hold",
    waitsFor: "The operator who holds it",
    checkNext: "Who holds it, why, and until when",
    tenantWords: "not available",
    limit: "none",
  },
  Ready: {
    tone: "neutral",
    label: "Ready",
    waitsFor: "Nothing: no gate holds it back",
    checkNext: "Nothing",
    tenantWords: "available",
    limit: "none",
  },
  "Assigned/WaitingForNetworkConfig": {
    tone: "working",
    label: "Assigning, network",
    waitsFor: "Every interface to acknowledge the tenant's network",
    checkNext: "DPUs and the network controller; a release ends the wait",
    tenantWords: "being prepared",
    limit: "state",
  },
  "Assigned/WaitingForRebootToReady": {
    tone: "working",
    label: "Assigning, restart",
    waitsFor: "The host to restart into the tenant's image",
    checkNext: "BMC power state; a release ends the wait",
    tenantWords: "being prepared",
    limit: "state",
  },
  "Assigned/Ready": {
    tone: "neutral",
    label: "In use",
    waitsFor: "Nothing: a tenant uses it",
    checkNext: "Nothing",
    tenantWords: "in use",
    limit: "none",
  },
  "Assigned/HostPlatformConfiguration/PowerCycle": {
    tone: "working",
    label: "Released, platform power cycle",
    waitsFor: "The BMC to apply the platform configuration",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "platform",
  },
  "Assigned/HostPlatformConfiguration/UnlockHost/DisableLockdown": {
    tone: "working",
    label: "Released, platform lockdown off",
    waitsFor: "The BMC to apply the platform configuration",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "platform",
  },
  "Assigned/HostPlatformConfiguration/UnlockHost/RebootHost": {
    tone: "working",
    label: "Released, platform restart",
    waitsFor: "The BMC to apply the platform configuration",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "platform",
  },
  "Assigned/HostPlatformConfiguration/UnlockHost/WaitForUefiBoot": {
    tone: "working",
    label: "Released, platform UEFI boot",
    waitsFor: "The BMC to apply the platform configuration",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "platform",
  },
  "Assigned/HostPlatformConfiguration/CheckHostConfig": {
    tone: "working",
    label: "Released, platform check",
    waitsFor: "The BMC to apply the platform configuration",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "platform",
  },
  "Assigned/HostPlatformConfiguration/SetBootOrder": {
    tone: "working",
    label: "Released, platform boot order",
    waitsFor: "The BMC to apply the platform configuration",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "platform",
  },
  "Assigned/HostPlatformConfiguration/LockHost": {
    tone: "working",
    label: "Released, platform lockdown on",
    waitsFor: "The BMC to apply the platform configuration",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "platform",
  },
  "Assigned/WaitingForDpusToUp": {
    tone: "working",
    label: "Released, DPUs starting",
    waitsFor: "Every DPU to be up",
    checkNext: notEntered,
    tenantWords: "being returned",
    limit: "state",
  },
  "Assigned/BootingWithDiscoveryImage": {
    tone: "working",
    label: "Released, booting agent",
    waitsFor: "The agent to register after the restart that was ordered",
    checkNext: "BMC reachability, power, boot override, boot network",
    tenantWords: "being returned",
    limit: "boot",
  },
  "Assigned/SwitchToAdminNetwork": {
    tone: "working",
    label: "Released, switching network",
    waitsFor: "The network controller to take the admin network",
    checkNext: "Network controller",
    tenantWords: "being returned",
    limit: "state",
  },
  "Assigned/WaitingForNetworkReconfig": {
    tone: "working",
    label: "Released, network coming back",
    waitsFor: "Every interface to acknowledge the admin network, and extension services to end",
    checkNext: "Interfaces that have not acknowledged; their DPU agents",
    tenantWords: "being returned",
    limit: "state",
  },
  "PostAssignedMeasuring/MeasuredBoot/WaitingForMeasurements": {
    tone: "working",
    label: "Measuring boot",
    waitsFor: "A quote from the agent",
    checkNext: notEntered,
    tenantWords: "being checked",
    limit: "state",
  },
  "PostAssignedMeasuring/MeasuredBoot/PendingBundle": {
    tone: "waiting",
    label: "Measurement pending",
    waitsFor: "A person to promote or reject the measurement",
    checkNext: notEntered,
    tenantWords: "being checked",
    limit: "none",
  },
  "PostAssignedMeasuring/SpdmAttestation/TriggerMeasurements": {
    tone: "working",
    label: "SPDM attestation",
    waitsFor: "The BMC to take the request",
    checkNext: notEntered,
    tenantWords: "being checked",
    limit: "state",
  },
  "PostAssignedMeasuring/SpdmAttestation/PollResult": {
    tone: "working",
    label: "SPDM attestation",
    waitsFor: "The BMC to give the measurements",
    checkNext: notEntered,
    tenantWords: "being checked",
    limit: "state",
  },
  "WaitingForCleanup/Queued": {
    tone: "waiting",
    label: "Queued for cleaning",
    waitsFor: "Admission to cleaning",
    checkNext: "Limits and brakes of the site",
    tenantWords: "being cleaned",
    limit: "none",
  },
  "WaitingForCleanup/Init": {
    tone: "working",
    label: "Planning",
    waitsFor: "The plan to be made",
    checkNext: "What BMC and agent say of its drives, and whether the network controller answers",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/OnHold": {
    tone: "waiting",
    label: "Cleaning, on hold",
    waitsFor: "The operator who holds it",
    checkNext: "Who holds it, why, and until when",
    tenantWords: "being cleaned",
    limit: "none",
  },
  "WaitingForCleanup/BootingAgent": {
    tone: "working",
    label: "Cleaning, booting agent",
    waitsFor: "The agent to register",
    checkNext: "BMC reachability, power, boot override, boot network",
    tenantWords: "being cleaned",
    limit: "boot",
  },
  "WaitingForCleanup/SecureEraseBoss/UnlockHost": {
    tone: "working",
    label: "BOSS erase",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss": {
    tone: "working",
    label: "BOSS erase",
    waitsFor: "The BMC's job",
    checkNext: "iDRAC jobs and lockdown",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/SecureEraseBoss/WaitForJobCompletion": {
    tone: "working",
    label: "BOSS erase",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/SecureEraseBoss/HandleJobFailure": {
    tone: "working",
    label: "BOSS erase",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/CreateBossVolume": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: "iDRAC jobs and lockdown",
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/WaitForJobScheduled": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/RebootHost": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/WaitForJobCompletion": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/LockHost": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/CreateBossVolume/HandleJobFailure": {
    tone: "working",
    label: "BOSS volume",
    waitsFor: "The BMC's job",
    checkNext: notEntered,
    tenantWords: "being cleaned",
    limit: "state",
  },
  "WaitingForCleanup/HostCleanup": {
    tone: "working",
    label: "Cleaning",
    waitsFor: "The agent's step",
    checkNext: "Progress of each device; an erase cannot be stopped",
    tenantWords: "being cleaned",
    limit: "plan",
  },
  "WaitingForCleanup/PlatformCleanup": {
    tone: "working",
    label: "Cleaning platform",
    waitsFor: "The BMC's step",
    checkNext: "BMC jobs",
    tenantWords: "being cleaned",
    limit: "plan",
  },
  "BomValidating/BootingAgent": {
    tone: "working",
    label: "Inventory, booting agent",
    waitsFor: "The agent to register after the last restart of cleaning",
    checkNext: "BMC reachability, power, boot override, boot network",
    tenantWords: "being checked",
    limit: "boot",
  },
  "BomValidating/UpdatingInventory": {
    tone: "working",
    label: "Taking inventory",
    waitsFor: "The agent's new inventory",
    checkNext: "The agent's log",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/MatchingSku": {
    tone: "working",
    label: "Matching SKU",
    waitsFor: "A SKU that matches the inventory",
    checkNext: notEntered,
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/VerifyingSku": {
    tone: "working",
    label: "Verifying inventory",
    waitsFor: "Nothing: compares at once",
    checkNext: "Nothing",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/WaitingForSkuAssignment": {
    tone: "waiting",
    label: "No SKU",
    waitsFor: "A person to assign a SKU, or a new inventory",
    checkNext: "Which SKU the host should have",
    tenantWords: "being checked",
    limit: "none",
  },
  "BomValidating/SkuMissing": {
    tone: "attention",
    label: "SKU missing",
    waitsFor: "The SKU that the host is assigned to, which is gone",
    checkNext: "Which SKU the host should have now",
    tenantWords: "being checked",
    limit: "inventory",
  },
  "BomValidating/SkuVerificationFailed": {
    tone: "attention",
    label: "Inventory differs",
    waitsFor: "A person to repair the host or assign another SKU, or a new inventory",
    checkNext: "The parts that differ: what is wanted, and what was found",
    tenantWords: "being checked",
    limit: "none",
  },
  "Validation/RebootHost": {
    tone: "working",
    label: "Validation, restart",
    waitsFor: "The agent to register after the restart",
    checkNext: "BMC reachability, power, boot network",
    tenantWords: "being checked",
    limit: "boot",
  },
  "Validation/MachineValidating": {
    tone: "working",
    label: "Validating",
    waitsFor: "The site's tests",
    checkNext: "The agent's log",
    tenantWords: "being checked",
    limit: "validation",
  },
  "HostInit/Discovered": {
    tone: "working",
    label: "Discovered",
    waitsFor: "Nothing: goes on at once",
    checkNext: "Nothing",
    tenantWords: "being checked",
    limit: "state",
  },
  "ReturnToAllocation/EvaluatingGates": {
    tone: "working",
    label: "Evaluating gates",
    waitsFor: "Nothing: evaluates at once",
    checkNext: "Nothing",
    tenantWords: "being checked",
    limit: "state",
  },
  "ReturnToAllocation/AwaitingProcedure": {
    tone: "waiting",
    label: "Awaiting procedure",
    waitsFor: "A person to record the procedures that policy asks for",
    checkNext: notEntered,
    tenantWords: "being checked",
    limit: "day",
  },
  "ReturnToAllocation/AwaitingSignOff": {
    tone: "waiting",
    label: "Awaiting sign-off",
    waitsFor: "Another person to approve the recorded procedures",
    checkNext: notEntered,
    tenantWords: "being checked",
    limit: "day",
  },
  "ReturnToAllocation/AwaitingHealth": {
    tone: "waiting",
    label: "Awaiting health",
    waitsFor: "The alert or maintenance that keeps it out to end",
    checkNext: "The maintenance and its reason",
    tenantWords: "being checked",
    limit: "none",
  },
  "ReturnToAllocation/AwaitingRepair": {
    tone: "waiting",
    label: "Awaiting repair",
    waitsFor: "A repair tenant to claim it, or the alert to end",
    checkNext: notEntered,
    tenantWords: "being repaired",
    limit: "none",
  },
  "Measuring/WaitingForMeasurements": {
    tone: "working",
    label: "Measuring again",
    waitsFor: "A quote from the agent",
    checkNext: notEntered,
    tenantWords: "not available",
    limit: "state",
  },
  "Measuring/PendingBundle": {
    tone: "waiting",
    label: "Measurement pending",
    waitsFor: "A person to promote or reject the measurement",
    checkNext: notEntered,
    tenantWords: "not available",
    limit: "none",
  },
  ForceDeletion: {
    tone: "working",
    label: "Deleting",
    waitsFor: "Nothing: the host is removed at once, not cleaned",
    checkNext: "Nothing",
    tenantWords: "removed",
    limit: "state",
  },
  "Failed/NVMECleanFailed": {
    tone: "failed",
    label: "Failed, NVMECleanFailed",
    waitsFor: "A person",
    checkNext:
      "What the device answered, in the step below. Replace a drive that cannot be erased, and record its disposition",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/HDDCleanFailed": {
    tone: "failed",
    label: "Failed, HDDCleanFailed",
    waitsFor: "A person",
    checkNext:
      "What the device answered, in the step below. Replace a drive that cannot be erased, and record its disposition",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/RaidCleanFailed": {
    tone: "failed",
    label: "Failed, RaidCleanFailed",
    waitsFor: "A person",
    checkNext: "RAID controller and its jobs",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/BossCleanFailed": {
    tone: "failed",
    label: "Failed, BossCleanFailed",
    waitsFor: "A person",
    checkNext: "iDRAC jobs and the BOSS card",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/MemOverwriteFailed": {
    tone: "failed",
    label: "Failed, MemOverwriteFailed",
    waitsFor: "A person",
    checkNext: "UEFI variable support of this firmware",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/IbCleanFailed": {
    tone: "failed",
    label: "Failed, IbCleanFailed",
    waitsFor: "A person",
    checkNext: "The InfiniBand device that the message names",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/PlatformCleanFailed": {
    tone: "failed",
    label: "Failed, PlatformCleanFailed",
    waitsFor: "A person",
    checkNext: "The setting that the message names",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/CleanFailed": {
    tone: "failed",
    label: "Failed, CleanFailed",
    waitsFor: "A person",
    checkNext: "The message of the step",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/DeviceMissing": {
    tone: "failed",
    label: "Failed, DeviceMissing",
    waitsFor: "A person",
    checkNext:
      "The drives that the message names: seated, powered, known under another serial? If a drive was removed, record its disposition",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/ContentChanged": {
    tone: "failed",
    label: "Failed, ContentChanged",
    waitsFor: "A person",
    checkNext:
      "Who started the host from where, or worked on it: a drive that the message names does not hold what it held after its erase. A retry erases every drive again",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/StepTimeout": {
    tone: "failed",
    label: "Failed, StepTimeout",
    waitsFor: "A person",
    checkNext: "The step and the agent's log; the host was left on",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/AgentLost": {
    tone: "failed",
    label: "Failed, AgentLost",
    waitsFor: "A person",
    checkNext: "The host's own console and the boot network",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/AgentVersionMismatch": {
    tone: "failed",
    label: "Failed, AgentVersionMismatch",
    waitsFor: "A person",
    checkNext: "The agent image that the host boots",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/AgentIdentityConflict": {
    tone: "failed",
    label: "Failed, AgentIdentityConflict",
    waitsFor: "A person",
    checkNext: "Two machines answered as this host: MAC addresses and system UUID",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/BootContested": {
    tone: "failed",
    label: "Failed, BootContested",
    waitsFor: "A person",
    checkNext:
      "What answers as this host in the provisioning network before it restarts: the system on its drives, or another machine with its MAC or UUID",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/EraseVoided": {
    tone: "failed",
    label: "Failed, EraseVoided",
    waitsFor: "A person",
    checkNext: "What restarts the host while it is cleaned: its power, its BMC, its boot order",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/GateUnsatisfied": {
    tone: "failed",
    label: "Failed, GateUnsatisfied",
    waitsFor: "A person",
    checkNext: "The gates and their evidence",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/MeasurementsFailedSignatureCheck": {
    tone: "failed",
    label: "Failed, MeasurementsFailedSignatureCheck",
    waitsFor: "A person",
    checkNext: notEntered,
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/MeasurementsRejected": {
    tone: "failed",
    label: "Failed, MeasurementsRejected",
    waitsFor: "A person",
    checkNext: notEntered,
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/EndorsementKeyChanged": {
    tone: "failed",
    label: "Failed, EndorsementKeyChanged",
    waitsFor: "A person",
    checkNext: notEntered,
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/MeasurementsRetired": {
    tone: "failed",
    label: "Failed, MeasurementsRetired",
    waitsFor: "A person",
    checkNext: notEntered,
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/MeasurementsRevoked": {
    tone: "failed",
    label: "Failed, MeasurementsRevoked",
    waitsFor: "A person",
    checkNext: notEntered,
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/MeasurementsCAValidationFailed": {
    tone: "failed",
    label: "Failed, MeasurementsCAValidationFailed",
    waitsFor: "A person",
    checkNext: notEntered,
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/SpdmAttestationFailed": {
    tone: "failed",
    label: "Failed, SpdmAttestationFailed",
    waitsFor: "A person",
    checkNext: notEntered,
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/MachineValidation": {
    tone: "failed",
    label: "Failed, MachineValidation",
    waitsFor: "A person",
    checkNext: "The test that failed, and the agent's log",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/BiosSetupFailed": {
    tone: "failed",
    label: "Failed, BiosSetupFailed",
    waitsFor: "A person",
    checkNext: "BIOS settings of the host and of its SKU's baseline",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/BmcUnreachable": {
    tone: "failed",
    label: "Failed, BmcUnreachable",
    waitsFor: "A person",
    checkNext: "BMC power, cable, address and credentials; it goes on by itself when the BMC answers",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/BmcRefused": {
    tone: "failed",
    label: "Failed, BmcRefused",
    waitsFor: "A person",
    checkNext: "The BMC's answer below: its firmware, licence and account, and what it offers; then retry",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/BmcOfAnotherHost": {
    tone: "failed",
    label: "Failed, BmcOfAnotherHost",
    waitsFor: "A person",
    checkNext:
      "Which machine has this BMC address: nothing was changed on it. Correct the address, then retry",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/BmcInventoryFailed": {
    tone: "failed",
    label: "Failed, BmcInventoryFailed",
    waitsFor: "A person",
    checkNext: "What the BMC answered; correct or restart the BMC",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/ResetNotConfirmed": {
    tone: "failed",
    label: "Failed, ResetNotConfirmed",
    waitsFor: "A person",
    checkNext:
      "BMC log and the host's own console: the BMC takes restarts and does not carry them out, or does not say so",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/NetworkReconfigTimeout": {
    tone: "failed",
    label: "Failed, NetworkReconfigTimeout",
    waitsFor: "A person",
    checkNext: "Interfaces that did not acknowledge; the instance has ended and its ports are quarantined",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/NetworkRefused": {
    tone: "failed",
    label: "Failed, NetworkRefused",
    waitsFor: "A person",
    checkNext: "The network controller of the site: is one configured, and is its address right?",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/NetworkTimeout": {
    tone: "failed",
    label: "Failed, NetworkTimeout",
    waitsFor: "A person",
    checkNext: "The network controller, and the interfaces that the message names",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/DatabaseRestored": {
    tone: "failed",
    label: "Failed, DatabaseRestored",
    waitsFor: "A person",
    checkNext:
      "A backup of the database was restored: who has used the host since? With an instance: Release instance, or Restart when its release had begun. Without: Manage, then Provide, which erases every drive",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
  "Failed/ManualInterventionRequired": {
    tone: "failed",
    label: "Failed, ManualInterventionRequired",
    waitsFor: "A person",
    checkNext: "The host's own console: it was restarted as often as allowed and never registered",
    tenantWords: "being looked after by the provider",
    limit: "always",
  },
} satisfies Record<State, StateRow>;

/** The row of a state. */
export function describeState(state: State): StateRow {
  return stateTable[state];
}

const minute = 60_000;

/** The time limit of a state in ms under a policy; null: none; 0: always over its limit. Pure. */
export function stateLimitMs(state: State, policy: Policy): number | null {
  const times = policy.times;
  switch (stateTable[state].limit) {
    case "none":
      return null;
    case "always":
      return 0;
    case "state":
      return times.stateMs;
    case "boot":
      return Math.round(times.failureRetryMs * 1.1);
    case "plan":
      // Between steps; while one runs its own time limit is the state's.
      return Math.min(times.eraseStepMs, 240 * minute);
    case "inventory":
      return 5 * minute;
    case "validation":
      return times.validationMs;
    case "verifying":
      return times.verifyingMs;
    case "platform":
      return 90 * minute;
    case "day":
      return 24 * 60 * minute;
  }
}
