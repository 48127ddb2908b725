// Decides about one host: pure, repeated in memory until it waits, so that states passed through at once cost no round trip.
import { stateLimitMs } from "@/server/domain/lifecycle/state-table";
import { isCleaning, isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { Decision } from "@/server/controller/host/decision";
import { usableAgent } from "@/server/controller/boot/boot";
import { Draft, earliest } from "@/server/controller/host/draft";
import type { Step } from "@/server/controller/host/draft";
import { fakeHandlerOf, switchedOff } from "@/server/controller/decide/fake-host";
import { handlerOf } from "@/server/controller/handlers";
import type { Handler } from "@/server/controller/handlers";
import type { HostView } from "@/server/domain/host-record/view";
import { failsUnderAbort, interrupted } from "@/server/controller/interruptions/interruptions";
import { ensurePower, powerRead } from "@/server/controller/decide/power";
import { overdueRelease, releaseDeadlineMs } from "@/server/controller/network/release";
import { stoppedByRestore } from "@/server/controller/decide/restored";
import { intruded, isHeld, planAnew } from "@/server/controller/interruptions/voided";

/** More states in one decision than any path through them has: a loop is a bug, and the host stays where it is. */
const maxStates = 32;

const leastWaitMs = 50;

export interface DecideOptions {
  readonly newId: () => string;
  /** Whether hosts of type `fake` are worked on; left out: they are not. */
  readonly fakeHardware?: boolean;
  /** For tests that seed a bug into a handler. */
  readonly handlerOf?: (state: HostView["run"]["state"]) => Handler;
}

/** All that one wake-up of one host leads to. Throws only on a bug or on stored data that this version does not understand. */
export function decide(view: HostView, options: DecideOptions): Decision {
  const draft = new Draft(view, options.newId);
  let outcome: Step = { kind: "wait", reason: "", untilMs: null };
  for (let round = 0; ; round += 1) {
    if (round > maxStates)
      throw new Error(
        `no end of states for host ${view.run.hostId}: ${draft.entered.map((row) => row.state).join(", ")}`,
      );
    outcome = failsUnderAbort(draft, always(draft, options) ?? handle(draft, options));
    if (outcome.kind === "wait") break;
    if (outcome.kind === "goto") draft.enter(outcome.state, outcome.reason);
    else draft.stop(outcome.cause, outcome.message, outcome.stepRunning);
    // One decision writes the rows of one reclamation: what was asked for after its end is read by the next decision.
    // What stopped here has rows of its own to write, too: a cleaning by hand that takes its place would leave its steps running for ever.
    const stopped = outcome.kind === "fail" && draft.leaveRest();
    if (
      stopped ||
      /* safety: decide: one reclamation per decision */ (draft.outcome !== null && draft.leaveRest())
    ) {
      outcome = { kind: "wait", reason: "", untilMs: draft.nowMs };
      break;
    }
  }
  draft.refuseRest();
  return write(draft, outcome.reason, outcome.untilMs);
}

/** What comes before any handler: a restored database, deletion, hosts that are switched off, power, intruders, what people ask of a cleaning, and a release that is overdue. */
function always(draft: Draft, { fakeHardware }: DecideOptions): Step | null {
  const stopped = stoppedByRestore(draft);
  if (stopped !== null) return stopped;
  if (draft.state !== "ForceDeletion") {
    if (draft.takeIntent("forceDelete") !== null)
      return { kind: "goto", state: "ForceDeletion", reason: "deletion was asked for" };
    // safety: fake: not worked on unless it is switched on
    if (/* safety: fake: switching it off switches off nothing else */ draft.fake && fakeHardware !== true)
      return switchedOff(draft);
  }
  if (draft.takeIntent("skipEraseWait") !== null) {
    draft.erasing = false;
    draft.context.eraseUntil = null;
  }
  const power = ensurePower(draft);
  if (power !== null) return power;
  const intrusion = intruded(draft);
  if (intrusion !== null) return intrusion;
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
function handle(draft: Draft, options: DecideOptions): Step {
  const handler =
    /* safety: fake: only a fake host has its handlers (always) */ (draft.fake
      ? fakeHandlerOf(draft.state)
      : null) ?? (options.handlerOf ?? handlerOf)(draft.state);
  return handler(draft);
}

function write(draft: Draft, waitReason: string, untilMs: number | null): Decision {
  const view = draft.view.run;
  const limit = stateLimitMs(draft.state, draft.policy);
  const ended = draft.outcome !== null;
  const running = isCleaning(draft.state) ? draft.steps.find((step) => step.status === "running") : undefined;
  const releaseMs = releaseDeadlineMs(draft);
  // A time that has come already was not acted on by any handler: looking again at once would change nothing.
  const dueAtMs = earliest(
    untilMs === null ? null : Math.max(untilMs, draft.nowMs + leastWaitMs),
    releaseMs !== null && releaseMs > draft.nowMs ? releaseMs : null,
  );
  return {
    run: {
      state: draft.state,
      context: draft.context,
      waitReason: waitReason === "" ? null : waitReason.slice(0, 2000),
      lastError: draft.lastError?.slice(0, 8000) ?? null,
      dueAtMs: draft.deleteHost ? null : dueAtMs,
      limitAtMs: running?.deadlineAtMs ?? (limit === null ? null : draft.enteredMs + limit),
      bootEpoch: draft.bootEpoch,
      allocatable:
        draft.state === "Ready" &&
        draft.allocatable &&
        !draft.maintenance &&
        /* safety: recheck: a host that was touched is not allocatable */ !draft.touched,
      touched: draft.touched,
      maintenance: draft.maintenance,
      maintenanceBy: draft.maintenanceBy,
      maintenanceReason: draft.maintenanceReason,
      reclamationId: draft.reclamation?.id ?? view.reclamationId,
      instanceId: draft.instance?.id ?? null,
      tenantId: draft.instance?.tenantId ?? null,
      cleanStep: running === undefined ? null : `${running.interface}.${running.step}`,
      cleanProgress: draft.cleanProgress,
      command: draft.command,
      commandEpoch: draft.command === null || draft.command === undefined ? null : draft.bootEpoch,
      erasing: draft.erasing,
      bootHeld: isHeld(draft),
    },
    entered: draft.entered,
    reclamation:
      draft.reclamation !== null && draft.reclamationDirty
        ? { row: draft.reclamation, isNew: draft.reclamationIsNew, outcome: ended ? draft.outcome : null }
        : null,
    endedBefore: draft.endedBefore,
    steps: [...draft.replacedSteps, ...draft.steps.filter((step) => draft.dirtySteps.has(step.id))],
    attempts: draft.attempts,
    deviceResults: draft.deviceResults,
    gates: draft.gates,
    newDebt: draft.newDebt,
    clearDebts: draft.clearDebts,
    endInstance: draft.endInstance,
    instanceReady: draft.instanceReady,
    instanceHistory: draft.instanceHistory,
    bootWindowMs: draft.bootWindowMs,
    bootProven: draft.bootProven,
    effects: draft.effects,
    readEffects: draft.view.effects.filter((effect) => !draft.isUnread(effect.id)).map((effect) => effect.id),
    consumed: draft.view.signals.filter((entry) => !draft.left.has(entry.id)).map((entry) => entry.id),
    host: draft.host,
    storage: draft.storage,
    power: powerRead(
      draft.view.effects.filter((effect) => !draft.isUnread(effect.id)),
      usableAgent(draft),
    ),
    deleteHost: draft.deleteHost,
    eraseLeftUntilMs: draft.eraseLeftUntilMs,
    expectEvidenceSeq: draft.expectEvidenceSeq,
    refused: draft.refused,
  };
}
