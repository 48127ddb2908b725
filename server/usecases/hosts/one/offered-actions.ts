// The actions that a page offers: those that the role can ever do, each with the reason if it is not allowed now.
import { reachOf } from "@/server/domain/access/access";
import type { Role } from "@/server/domain/access/roles";
import type { Interruption } from "@/server/domain/cleaning/interruptions";
import { formatInterruption } from "@/server/domain/cleaning/interruption-text";
import { actionRefusal } from "@/server/domain/hosts/action-refusal";
import type { MaintenanceFacts } from "@/server/domain/hosts/action-refusal";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { CleaningActionName, HostActionName } from "@/server/domain/hosts/host-actions";
import type { IntentFacts } from "@/server/domain/lifecycle/intents";
import { onlyAuthorities } from "@/server/domain/hardware/certificate";
import type { BmcTrust } from "@/server/domain/sites/authorities";
import type { HostAction, HostDetail } from "@/server/contract/hosts/hosts-answers";

type ActionName = HostActionName | CleaningActionName;

const isInterruption = (intent: ActionName): intent is Interruption & CleaningActionName =>
  intent === "abort" || intent === "hold" || intent === "resume";

/** Pure. */
export const offeredActions = (
  names: readonly ActionName[],
  role: Role,
  facts: IntentFacts,
  maintenance: MaintenanceFacts,
): readonly HostAction[] =>
  names
    .filter((intent) => reachOf(role, hostActions[intent].right) !== "none")
    .map((intent) => {
      const { words, consequence, danger } = hostActions[intent];
      const reason = actionRefusal(intent, facts, maintenance);
      // For an interruption, its effect on this host at this moment is known.
      const now = isInterruption(intent) ? formatInterruption(intent, facts.cleaning) : null;
      return { intent, words, consequence: now ?? consequence, danger, allowed: reason === null, reason };
    });

/** For a host where no drive is owed, or expected and missing, there is nothing to state. Pure. */
export const withoutDisposition = (actions: readonly HostAction[]): readonly HostAction[] =>
  actions.map((action) =>
    action.intent === "disposeDrive" && action.allowed
      ? { ...action, allowed: false, reason: "no expected drive is missing" }
      : action,
  );

/** Offers confirmation only if the certificate is not accepted, or differs from the confirmed one. Pure. */
export function withCertificate(
  actions: readonly HostAction[],
  certificate: HostDetail["certificate"],
  by: BmcTrust,
): readonly HostAction[] {
  const reason =
    certificate === null
      ? "the BMC has not presented a certificate yet, or its address is http"
      : certificate.pinned
        ? "the certificate is confirmed"
        : certificate.accepted
          ? "the certificate is issued by a trusted authority"
          : by === "authority" && !certificate.trusted
            ? onlyAuthorities
            : null;
  return actions.map((action) =>
    action.intent === "confirmCertificate" && action.allowed && reason !== null
      ? { ...action, allowed: false, reason }
      : action,
  );
}
