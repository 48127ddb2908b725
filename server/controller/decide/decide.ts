// Decides about one host: pure, repeated in memory until it waits, so that states passed through at once cost no round trip.
import { isCleaning, isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { Decision } from "@/server/controller/host/decision";
import { decisionOf } from "@/server/controller/decide/decision-of";
import { fakeHandlerOf, switchedOff } from "@/server/controller/decide/fake-host";
import { handlerOf } from "@/server/controller/handlers";
import type { Handler } from "@/server/controller/handlers";
import type { HostView } from "@/server/domain/host-record/view";
import { failsUnderAbort, interrupted } from "@/server/controller/interruptions/interruptions";
import { ensurePower } from "@/server/controller/decide/power";
import { overdueRelease } from "@/server/controller/network/release";
import { stoppedByRestore } from "@/server/controller/decide/restored";
import { intruded, planAnew } from "@/server/controller/interruptions/voided";
import { decommissionBegun } from "@/server/controller/decommission/begin";
import { Draft } from "@/server/controller/host/draft";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** More states in one decision than any path through them has: a loop is a bug, and the host stays where it is. */
const maxStates = 32;

export interface DecideOptions {
  readonly newId: () => string;
  /** Whether hosts of type `fake` are worked on; left out: they are not. */
  readonly fakeHardware?: boolean;
  /** Why the certificate of a host that would become Ready cannot be written; left out: it can, as far as is known. */
  readonly certificateFault?: string | undefined;
  /** For tests that seed a bug into a handler. */
  readonly handlerOf?: (state: HostView["run"]["state"]) => Handler;
}

/** All that one wake-up of one host leads to. Throws only on a bug or on stored data that this version does not understand. */
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
    // One decision writes the rows of one reclamation: what was asked for after its end is read by the next decision.
    // What stopped here has rows of its own to write, too: a cleaning by hand that takes its place would leave its steps running for ever.
    const stopped = outcome.kind === "fail" && draft.inbox.leaveRest();
    if (
      stopped ||
      /* safety: decide: one reclamation per decision */ (draft.reclaimed.outcome !== null &&
        draft.inbox.leaveRest())
    ) {
      outcome = { kind: "wait", reason: "", untilMs: draft.nowMs };
      break;
    }
  }
  draft.inbox.refuseRest(`not possible in ${draft.state}`);
  return decisionOf(draft, outcome.reason, outcome.untilMs);
}

/** What comes before any handler: a restored database, deletion, hosts that are switched off, power, intruders, a decommission, what people ask of a cleaning, and a release that is overdue. */
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
    if (/* safety: fake: switching it off switches off nothing else */ draft.fake && fakeHardware !== true)
      return switchedOff(draft);
  }
  if (draft.takeIntent("skipEraseWait") !== null) {
    draft.erase.over();
  }
  // Nothing is followed up on a host that is being removed: a shutdown alone may take half an hour.
  const power = draft.state === "ForceDeletion" ? null : ensurePower(draft);
  if (power !== null) return power;
  const intrusion = intruded(draft);
  if (intrusion !== null) return intrusion;
  const leaving = decommissionBegun(draft);
  if (leaving !== null) return leaving;
  const asked = isCleaning(draft.state) ? interrupted(draft) : null;
  if (asked !== null) return asked;
  const anew = planAnew(draft);
  if (anew !== null || isCleaning(draft.state)) return anew;
  const held = topLevel(draft.state) === "Assigned" || isFailed(draft.state);
  // No network could quarantine what has no port.
  return held &&
    draft.reclamation !== null &&
    /* safety: fake: no network is asked to quarantine it */ !draft.fake
    ? overdueRelease(draft)
    : null;
}

/** The one place where a host takes the way without a machine: its type says so, and nothing else does. */
function handle(draft: Draft, options: DecideOptions): HandlerResult {
  const handler =
    /* safety: fake: only a fake host has its handlers (always) */ (draft.fake
      ? fakeHandlerOf(draft.state)
      : null) ?? (options.handlerOf ?? handlerOf)(draft.state);
  return handler(draft);
}
