// Why an action on a host is not possible now: intents according to the lifecycle's table, maintenance according to who set it.
import type { CleaningActionName, HostActionName } from "@/server/domain/hosts/host-actions";
import { cleaningLock, isStopped, refusal, unknownRefusal } from "@/server/domain/lifecycle/intents";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";

export interface MaintenanceFacts {
  readonly on: boolean;
  readonly by: string | null;
  /** The host may have been touched before or outside this maintenance. */
  readonly touchUncovered: boolean;
}

/** For actions that do not depend on maintenance. */
export const noMaintenance: MaintenanceFacts = { on: false, by: null, touchUncovered: true };

/** Only maintenance keeps it out of allocation. */
const isReadyButForMaintenance = ({ state }: IntentFacts): boolean =>
  state === "Ready" || state === "ReturnToAllocation/AwaitingHealth";

function recheckRefusal(
  { state, instanceOpen, leasedTo }: IntentFacts,
  { on }: MaintenanceFacts,
): string | null {
  if (state !== "Ready") return `only a Ready host is checked again, and this one is in ${state}`;
  if (instanceOpen) return "a tenant has claimed the host";
  if (leasedTo != null) return `the repair system ${leasedTo} has the host`;
  return on ? "it is in maintenance: end maintenance, and the host is checked again" : null;
}

/** Null if the action is possible; otherwise why not, and what would help. Pure. */
export function actionRefusal(
  action: HostActionName | CleaningActionName,
  facts: IntentFacts,
  maintenance: MaintenanceFacts,
): string | null {
  const unknown = unknownRefusal(facts.state);
  if (unknown !== null) return unknown;
  switch (action) {
    case "setMaintenance":
      return maintenance.on && maintenance.by === "person" ? "maintenance is already set" : null;
    case "clearMaintenance":
      if (!maintenance.on) return "no maintenance is set";
      return maintenance.by === "person"
        ? null
        : "it was set by a failure: retry, restart or manage clears it";
    case "setPlace":
    case "setLabels":
    // Whether there is a certificate to confirm depends on the host's record.
    case "confirmCertificate":
      return null;
    case "setBmc":
      return isStopped(facts.state) || facts.state === "Enroll"
        ? null
        : (cleaningLock(facts) ??
            `the BMC cannot be changed in ${facts.state}; it can in Enroll, Manageable, Failed, or while the host waits for a SKU`);
    case "disposeDrive":
      return isStopped(facts.state)
        ? null
        : (cleaningLock(facts) ??
            `a disposition cannot be recorded in ${facts.state}; it can in Manageable, in Failed, or while the host waits for a SKU`);
    case "assignSku":
      return isStopped(facts.state) || facts.state === "Enroll"
        ? null
        : (cleaningLock(facts) ??
            `the SKU cannot be changed in ${facts.state}; it can in Enroll, Manageable, Failed, or while the host waits for a SKU`);
    case "confirmUntouched":
      if (!maintenance.on || maintenance.by !== "person")
        return actionRefusal("clearMaintenance", facts, maintenance);
      if (!isReadyButForMaintenance(facts))
        return `a host in ${facts.state} is checked in any case: end maintenance`;
      return maintenance.touchUncovered
        ? "the statement covers only this maintenance, and the host may have been touched outside it: end maintenance, and the host is checked"
        : null;
    case "recheck":
      return recheckRefusal(facts, maintenance);
    default:
      return refusal(action, facts);
  }
}
