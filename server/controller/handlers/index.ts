// Which handler each state has. A new state does not compile until it is here.
import type { State } from "@/server/domain/lifecycle/states";
import { isFailed } from "@/server/domain/lifecycle/states";
import { onHold } from "@/server/controller/interruptions/interruptions";
import {
  assignedReady,
  bootingWithDiscoveryImage,
  switchToAdminNetwork,
  waitingForNetworkConfig,
  waitingForNetworkReconfig,
  waitingForRebootToReady,
} from "@/server/controller/handlers/assigned";
import {
  bomBootingAgent,
  updatingInventory,
  verifyingSku,
  waitingForSku,
} from "@/server/controller/handlers/bom-validating";
import { bootingAgent, init, noHandler, runPlan } from "@/server/controller/handlers/cleanup";
import { failed } from "@/server/controller/handlers/failed";
import { manualBootingAgent, runList } from "@/server/controller/handlers/manual-cleaning";
import { queued } from "@/server/controller/interruptions/queued";
import { enroll, forceDeletion, manageable, ready, verifying } from "@/server/controller/handlers/provider";
import { awaitingHealth, evaluatingGates } from "@/server/controller/handlers/return-to-allocation";
import { discovered, machineValidating, rebootHost } from "@/server/controller/handlers/validation";
import type { Draft } from "@/server/controller/host/draft";
import type { HandlerResult } from "@/server/controller/host/handler-result";

export type Handler = (draft: Draft) => HandlerResult;

const handlers = {
  Enroll: enroll,
  Verifying: verifying,
  Manageable: manageable,
  "ManualCleaning/Queued": queued,
  "ManualCleaning/BootingAgent": manualBootingAgent,
  "ManualCleaning/RunningStep": runList,
  "ManualCleaning/OnHold": onHold,
  Ready: ready,
  "Assigned/WaitingForNetworkConfig": waitingForNetworkConfig,
  "Assigned/WaitingForRebootToReady": waitingForRebootToReady,
  "Assigned/Ready": assignedReady,
  "Assigned/HostPlatformConfiguration/PowerCycle": noHandler,
  "Assigned/HostPlatformConfiguration/UnlockHost/DisableLockdown": noHandler,
  "Assigned/HostPlatformConfiguration/UnlockHost/RebootHost": noHandler,
  "Assigned/HostPlatformConfiguration/UnlockHost/WaitForUefiBoot": noHandler,
  "Assigned/HostPlatformConfiguration/CheckHostConfig": noHandler,
  "Assigned/HostPlatformConfiguration/SetBootOrder": noHandler,
  "Assigned/HostPlatformConfiguration/LockHost": noHandler,
  "Assigned/WaitingForDpusToUp": noHandler,
  "Assigned/BootingWithDiscoveryImage": bootingWithDiscoveryImage,
  "Assigned/SwitchToAdminNetwork": switchToAdminNetwork,
  "Assigned/WaitingForNetworkReconfig": waitingForNetworkReconfig,
  "PostAssignedMeasuring/MeasuredBoot/WaitingForMeasurements": noHandler,
  "PostAssignedMeasuring/MeasuredBoot/PendingBundle": noHandler,
  "PostAssignedMeasuring/SpdmAttestation/TriggerMeasurements": noHandler,
  "PostAssignedMeasuring/SpdmAttestation/PollResult": noHandler,
  "WaitingForCleanup/Queued": queued,
  "WaitingForCleanup/Init": init,
  "WaitingForCleanup/OnHold": onHold,
  "WaitingForCleanup/BootingAgent": bootingAgent,
  "WaitingForCleanup/SecureEraseBoss/UnlockHost": noHandler,
  "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss": runPlan,
  "WaitingForCleanup/SecureEraseBoss/WaitForJobCompletion": noHandler,
  "WaitingForCleanup/SecureEraseBoss/HandleJobFailure": noHandler,
  "WaitingForCleanup/HostCleanup": runPlan,
  "WaitingForCleanup/CreateBossVolume/CreateBossVolume": runPlan,
  "WaitingForCleanup/CreateBossVolume/WaitForJobScheduled": noHandler,
  "WaitingForCleanup/CreateBossVolume/RebootHost": noHandler,
  "WaitingForCleanup/CreateBossVolume/WaitForJobCompletion": noHandler,
  "WaitingForCleanup/CreateBossVolume/LockHost": noHandler,
  "WaitingForCleanup/CreateBossVolume/HandleJobFailure": noHandler,
  "WaitingForCleanup/PlatformCleanup": runPlan,
  "BomValidating/BootingAgent": bomBootingAgent,
  "BomValidating/UpdatingInventory": updatingInventory,
  "BomValidating/MatchingSku": noHandler,
  "BomValidating/VerifyingSku": verifyingSku,
  "BomValidating/WaitingForSkuAssignment": waitingForSku,
  "BomValidating/SkuMissing": waitingForSku,
  "BomValidating/SkuVerificationFailed": waitingForSku,
  "Validation/RebootHost": rebootHost,
  "Validation/MachineValidating": machineValidating,
  "HostInit/Discovered": discovered,
  "ReturnToAllocation/EvaluatingGates": evaluatingGates,
  "ReturnToAllocation/AwaitingProcedure": noHandler,
  "ReturnToAllocation/AwaitingSignOff": noHandler,
  "ReturnToAllocation/AwaitingHealth": awaitingHealth,
  "ReturnToAllocation/AwaitingRepair": noHandler,
  "Measuring/WaitingForMeasurements": noHandler,
  "Measuring/PendingBundle": noHandler,
  ForceDeletion: forceDeletion,
} satisfies Record<Exclude<State, `Failed/${string}`>, Handler>;

/** The handler of a state. */
export function handlerOf(state: State): Handler {
  return isFailed(state) ? failed : handlers[state];
}
