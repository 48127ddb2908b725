// The handler of each state. A new state does not compile until it has one.
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
  matchingSku,
  verifyingSku,
  waitingForSku,
} from "@/server/controller/handlers/bom-validating";
import { bootingAgent, init, runPlan } from "@/server/controller/handlers/cleanup";
import { decommissioned, removingLeftovers } from "@/server/controller/decommission/removing-leftovers";
import { failed } from "@/server/controller/handlers/failed";
import { manualBootingAgent, runList } from "@/server/controller/handlers/manual-cleaning";
import { queuedMeasured } from "@/server/controller/boot/queued-measured";
import { enroll, forceDeletion, manageable, ready, verifying } from "@/server/controller/handlers/provider";
import { awaitingAssurance } from "@/server/controller/handlers/assurance/awaiting";
import {
  awaitingHealth,
  awaitingRepair,
  evaluatingGates,
} from "@/server/controller/handlers/return-to-allocation";
import { discovered, machineValidating, rebootHost } from "@/server/controller/handlers/validation";
import type { Draft } from "@/server/controller/host/draft";
import type { HandlerResult } from "@/server/controller/host/handler-result";

export type Handler = (draft: Draft) => HandlerResult;

const handlers = {
  Enroll: enroll,
  Verifying: verifying,
  Manageable: manageable,
  "ManualCleaning/Queued": queuedMeasured,
  "ManualCleaning/BootingAgent": manualBootingAgent,
  "ManualCleaning/RunningStep": runList,
  "ManualCleaning/OnHold": onHold,
  Ready: ready,
  "Assigned/WaitingForNetworkConfig": waitingForNetworkConfig,
  "Assigned/WaitingForRebootToReady": waitingForRebootToReady,
  "Assigned/Ready": assignedReady,
  "Assigned/BootingWithDiscoveryImage": bootingWithDiscoveryImage,
  "Assigned/SwitchToAdminNetwork": switchToAdminNetwork,
  "Assigned/WaitingForNetworkReconfig": waitingForNetworkReconfig,
  "WaitingForCleanup/Queued": queuedMeasured,
  "WaitingForCleanup/Init": init,
  "WaitingForCleanup/OnHold": onHold,
  "WaitingForCleanup/BootingAgent": bootingAgent,
  "WaitingForCleanup/SecureEraseBoss/SecureEraseBoss": runPlan,
  "WaitingForCleanup/HostCleanup": runPlan,
  "WaitingForCleanup/CreateBossVolume/CreateBossVolume": runPlan,
  "WaitingForCleanup/PlatformCleanup": runPlan,
  "BomValidating/BootingAgent": bomBootingAgent,
  "BomValidating/UpdatingInventory": updatingInventory,
  "BomValidating/MatchingSku": matchingSku,
  "BomValidating/VerifyingSku": verifyingSku,
  "BomValidating/WaitingForSkuAssignment": waitingForSku,
  "BomValidating/SkuMissing": waitingForSku,
  "BomValidating/SkuVerificationFailed": waitingForSku,
  "Validation/RebootHost": rebootHost,
  "Validation/MachineValidating": machineValidating,
  "HostInit/Discovered": discovered,
  "ReturnToAllocation/EvaluatingGates": evaluatingGates,
  "ReturnToAllocation/AwaitingHealth": awaitingHealth,
  "ReturnToAllocation/AwaitingRepair": awaitingRepair,
  "ReturnToAllocation/AwaitingProcedure": awaitingAssurance,
  "ReturnToAllocation/AwaitingSignOff": awaitingAssurance,
  "Decommissioning/RemovingLeftovers": removingLeftovers,
  Decommissioned: decommissioned,
  ForceDeletion: forceDeletion,
} satisfies Record<Exclude<State, `Failed/${string}`>, Handler>;

export function handlerOf(state: State): Handler {
  return isFailed(state) ? failed : handlers[state];
}
