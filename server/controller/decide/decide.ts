// Makes the decision about one host. Pure; repeats in memory until the host has to wait, so that states passed through cost no round trip.
import { isCleaning, isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { Decision } from "@/server/controller/host/decision";
import { decisionOf } from "@/server/controller/decide/decision-of";
import { fakeHandlerOf, switchedOff } from "@/server/controller/decide/fake-host";
import { handlerOf } from "@/server/controller/handlers";
import type { Handler } from "@/server/controller/handlers";
import type { HostView } from "@/server/domain/hosts/record/view";
import { failsUnderAbort, interrupted } from "@/server/controller/interruptions/interruptions";
import { ensurePower } from "@/server/controller/decide/power";
import { overdueRelease } from "@/server/controller/network/release";
import { stoppedByRestore } from "@/server/controller/decide/restored";
import { checkBootHint } from "@/server/controller/interruptions/boot-hint";
import { intruded, planAnew } from "@/server/controller/interruptions/voided";
import { decommissionBegun } from "@/server/controller/decommission/begin";
import { Draft } from "@/server/controller/host/draft";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** More states than any path passes through in one decision. Exceeding it is a bug, and the host stays where it is. */
const maxStates = 32;

export interface DecideOptions {
  readonly newId: () => string;
  /** Whether hosts of type `fake` are worked on; default: no. */
  readonly fakeHardware?: boolean;
  /** Why the certificate of a host that would become Ready cannot be written. Omitted: no fault is known. */
  readonly certificateFault?: string | undefined;
  /** Lets tests seed a bug into a handler. */
  readonly handlerOf?: (state: HostView["run"]["state"]) => Handler;
}

/** Everything that one wake-up of one host leads to. Throws only on a bug, or on stored data that this version does not understand. */
export function decide(view: HostView, options: DecideOptions): Decision {
  const draft = new Draft(view, options.newId, options.certificateFault ?? null);
  let outcome: HandlerResult = { kind: "wait", reason: "", untilMs: null };
  for (let round = 0; ; round += 1) {
    if (round > maxStates)
      throw new Error(
        `no end of states for host ${view.run.hostId}: ${draft.run.entered.map((row) => row.state).join(", ")}`,
      );
    outcome = failsUnderAbort(draft, always(draft, options) ?? handle(draft, options));
    if (outcome.kind === "wait") break;
    if (outcome.kind === "goto") draft.enter(outcome.state, outcome.reason);
    else draft.stop(outcome);
    // One decision writes the rows of one reclamation: intents received after its end are left to the next decision.
    // A reclamation that stopped here has rows to write, too: a manual cleaning that replaced it in this decision would leave its steps running for ever.
    const stopped = outcome.kind === "fail" && draft.inbox.leaveRest();
    if (stopped || (draft.reclaimed.outcome !== null && draft.inbox.leaveRest())) {
      outcome = { kind: "wait", reason: "", untilMs: draft.nowMs };
      break;
    }
  }
  draft.inbox.refuseRest(`not possible in ${draft.state}`);
  return decisionOf(draft, outcome.reason, outcome.untilMs);
}

/**
 * What comes before any handler: a restored database, deletion, fake hosts where they are switched off, the end of an erase wait, power, boots that nobody ordered, intruders,
 * a decommission, what people ask of a cleaning, a plan that must be made again, and an overdue release.
 */
function always(draft: Draft, { fakeHardware }: DecideOptions): HandlerResult | null {
  const stopped = stoppedByRestore(draft);
  if (stopped !== null) return stopped;
  if (draft.state !== "ForceDeletion") {
    const deletion = draft.takeIntent("forceDelete");
    if (deletion !== null) {
      const { personId, name } = deletion.by;
      draft.memory.keep({ deletedBy: { personId, name } });
      return { kind: "goto", state: "ForceDeletion", reason: "deletion requested" };
    }
    // safety: fake: not worked on unless it is switched on
    if (draft.fake && fakeHardware !== true) return switchedOff(draft);
  }
  if (draft.takeIntent("skipEraseWait") !== null) {
    draft.erase.over();
  }
  // A host that is being removed waits for nothing: a shutdown alone may take half an hour.
  const power = draft.state === "ForceDeletion" ? null : ensurePower(draft);
  if (power !== null) return power;
  const hint = checkBootHint(draft);
  if (hint !== null) return hint;
  const intrusion = intruded(draft);
  if (intrusion !== null) return intrusion;
  const leaving = decommissionBegun(draft);
  if (leaving !== null) return leaving;
  const asked = isCleaning(draft.state) ? interrupted(draft) : null;
  if (asked !== null) return asked;
  const anew = planAnew(draft);
  if (anew !== null || isCleaning(draft.state)) return anew;
  const held = topLevel(draft.state) === "Assigned" || isFailed(draft.state);
  // A fake host has no port to quarantine.
  return held && draft.reclamation !== null && !draft.fake ? overdueRelease(draft) : null;
}

/** The one place that picks the handlers for fake hardware; only the host's type decides. */
function handle(draft: Draft, options: DecideOptions): HandlerResult {
  const handler =
    (draft.fake ? fakeHandlerOf(draft.state) : null) ?? (options.handlerOf ?? handlerOf)(draft.state);
  return handler(draft);
}
