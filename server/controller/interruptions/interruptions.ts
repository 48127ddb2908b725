// Abort, hold and resume of a host that is being cleaned, carried out as the table says (domain/cleaning/interruptions.ts).
import { isLimited } from "@/server/domain/cleaning/queue/admission";
import { interrupt } from "@/server/domain/cleaning/interruptions";
import type { Interruption, InterruptionEffect } from "@/server/domain/cleaning/interruptions";
import type { CleaningContext } from "@/server/domain/lifecycle/context";
import { isCleaning, isFailed, isQueued, isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { eraseWait } from "@/server/controller/interruptions/erase-wait";
import { enqueue } from "@/server/controller/interruptions/queued";
import { planAnew } from "@/server/controller/interruptions/voided";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";
import type { PayloadOf } from "@/server/controller/host/inbox";

type Hold = NonNullable<CleaningContext["hold"]>;

const iso = (ms: number): string => new Date(ms).toISOString();
const ownerOf = ({ personId, name }: PayloadOf<"abort">["by"]): Hold["by"] => ({ personId, name });

/** Whether the open reclamation is a manual cleaning. */
export const isManual = (draft: Draft): boolean => draft.reclamation?.kind === "manualCleaning";

/** Reads abort, hold and resume requests in order. Returns a result if one of them moves the host; null: the state's own handler runs. */
export function interrupted(draft: Draft): HandlerResult | null {
  for (;;) {
    const asked = draft.inbox.takeFirst(["abort", "hold", "resume"]);
    if (asked === null) return null;
    const facts = draft.interruptionFacts;
    if (facts === null)
      throw new Error(`host ${draft.view.run.hostId} is not being cleaned in ${draft.state}`);
    const answer = interrupt(asked.kind, facts);
    if (!answer.ok) {
      draft.inbox.refuse({
        intent: asked.kind,
        reason: answer.reason,
        requestId: asked.payload.by.requestId,
      });
      continue;
    }
    const step = effects[answer.effect](draft, asked.payload, asked.kind);
    if (step !== null) return step;
  }
}

type InterruptionRequest = PayloadOf<"abort" | "hold" | "resume">;
type Effect = (draft: Draft, asked: InterruptionRequest, intent: Interruption) => HandlerResult | null;

const askAbort: Effect = (draft, { by }) => {
  draft.memory.keepCleaning({
    abort: { by: ownerOf(by), at: iso(draft.nowMs) },
    hold: null,
  });
  return null;
};

function requestedHold(draft: Draft, asked: InterruptionRequest): Hold {
  const forMs = ("forMs" in asked ? asked.forMs : null) ?? draft.policy.times.holdMs;
  return {
    by: ownerOf(asked.by),
    reason: "reason" in asked ? asked.reason : "",
    since: null,
    until: null,
    forMs,
  };
}

const effects = {
  stopNow: (draft, asked) => {
    askAbort(draft, asked, "abort");
    return aborted(draft);
  },
  stopStep: (draft, asked) => {
    askAbort(draft, asked, "abort");
    const running = draft.steps.running;
    if (running !== null)
      draft.run.setCommand({
        kind: "abort",
        id: `abort:${running.id}:${running.attempt}`,
        stepRunId: running.id,
        attempt: running.attempt,
      });
    return null;
  },
  stopAfterStep: askAbort,
  stopAfterEstimate: askAbort,
  holdBeforeNext: (draft, asked) => {
    draft.memory.keepCleaning({ hold: requestedHold(draft, asked) });
    return null;
  },
  // After the hold, a queued host keeps waiting for whatever it waited for.
  holdNow: (draft, asked) =>
    holdIn(draft, requestedHold(draft, asked), isQueued(draft.state) ? null : draft.state),
  prolongHold: (draft, asked) => {
    const since = draft.context.cleaning.hold?.since ?? iso(draft.nowMs);
    const hold = requestedHold(draft, asked);
    draft.memory.keepCleaning({
      hold: { ...hold, since, until: iso(draft.nowMs + hold.forMs) },
    });
    return null;
  },
  resume: (draft, { by }) => endHold(draft, `resumed by ${by.name}`),
  withdraw: (draft) => {
    draft.memory.keepCleaning({ hold: null, abort: null });
    return null;
  },
  /** Done by the failed state's own handler (handlers/failed.ts). */
  retryStep: () => null,
} satisfies Record<InterruptionEffect, Effect>;

/**
 * Applies an abort or hold that waited for a moment in which no step of ours runs: an abort ends the run, a hold stops it before `next`. While an
 * erase may run that no agent reports, an abort waits for its estimated end and a hold for the next such moment. Null: continue.
 */
export function beforeNext(draft: Draft, next: State): HandlerResult | null {
  const { abort, hold } = draft.context.cleaning;
  if (abort !== null) return eraseWait(draft, `aborted by ${abort.by.name}`) ?? aborted(draft);
  return hold === null || hold.since !== null || draft.erase.untilMs !== null
    ? planAnew(draft)
    : holdIn(draft, hold, next);
}

/**
 * The same while an agent boots. If a controller's step that asked for the restart is running, a hold waits for its end but an abort does not:
 * the step does nothing while the host boots, and a host that never comes back would delay the abort until its last restart.
 */
export function beforeBoot(draft: Draft): HandlerResult | null {
  const running = draft.steps.rows.some((step) => step.status === "running");
  return running && draft.context.cleaning.abort === null ? null : beforeNext(draft, draft.state);
}

/**
 * Judges the late result of an attempt whose agent was lost like any other, wherever the host waits now, in a plan or a manual cleaning: no other
 * attempt has replaced it. Null: there is none.
 */
export function broughtLate(draft: Draft): HandlerResult | null {
  const { attempt } = draft.steps;
  if (attempt === null || attempt.report === null || attempt.verdict !== "lost") return null;
  const row = draft.steps.rows.find(
    (step) =>
      step.id === attempt.stepRunId &&
      step.attempt === attempt.attempt &&
      (step.status === "failed" || step.status === "planned"),
  );
  if (
    row === undefined ||
    (isFailed(draft.state) && draft.failedCause !== "AgentLost" && draft.failedCause !== "StepTimeout")
  )
    return null;
  draft.inbox.take("stepReport");
  draft.steps.reopen(row);
  if (isFailed(draft.state)) draft.clearFailure();
  return goto(
    isManual(draft) ? "ManualCleaning/RunningStep" : "WaitingForCleanup/HostCleanup",
    "the agent reported the result of an attempt considered lost",
  );
}

/** Ends the run in Failed/CleanFailed without maintenance. An agent's step without a report is over only with a new boot. */
export function aborted(draft: Draft): HandlerResult {
  const message = `aborted by ${draft.context.cleaning.abort?.by.name ?? "nobody"}`;
  const failure = fail("CleanFailed", [{ key: "aborted", raw: message }]);
  const running = draft.steps.running;
  if (running !== null) {
    const bootEpoch = draft.steps.bootOf(running);
    draft.steps.giveUp(running, "aborted", failure);
    // safety: abort: an agent that did not report is not used again
    if (running.where === "agent") draft.memory.needBoot(bootEpoch + 1);
  }
  return failure;
}

/** If a step fails while an abort waits for it, the run ends as aborted and keeps the step's causes. */
export function failsUnderAbort(draft: Draft, step: HandlerResult): HandlerResult {
  const { abort } = draft.context.cleaning;
  if (step.kind !== "fail" || abort === null || !isCleaning(draft.state)) return step;
  const message = `aborted by ${abort.by.name}`;
  const [first] = step.causes;
  return fail(
    "CleanFailed",
    first.key === "aborted" ? step.causes : [{ key: "aborted", raw: message }, ...step.causes],
  );
}

/** Holds the host from now on and continues with `next` afterwards (null: already known). */
export function holdIn(draft: Draft, hold: Hold, next: State | null): HandlerResult {
  const until = iso(draft.nowMs + hold.forMs);
  const { afterQueue } = draft.context.cleaning;
  draft.memory.keepCleaning({
    hold: { ...hold, since: iso(draft.nowMs), until },
    afterQueue: next ?? afterQueue,
    waitsForPlace: false,
  });
  return goto(
    isManual(draft) ? "ManualCleaning/OnHold" : "WaitingForCleanup/OnHold",
    `held by ${hold.by.name} until ${until}${hold.reason === "" ? "" : `: ${hold.reason}`}`,
  );
}

/** Waits for resume, or for the hold's end. */
export function onHold(draft: Draft): HandlerResult {
  const { hold } = draft.context.cleaning;
  if (hold === null) return endHold(draft, "the hold ended");
  const untilMs = hold.until === null ? draft.nowMs : Date.parse(hold.until);
  if (untilMs <= draft.nowMs) return endHold(draft, `the hold of ${hold.by.name} expired`);
  return wait(`on hold by ${hold.by.name}${hold.reason === "" ? "" : `: ${hold.reason}`}`, untilMs);
}

/** Ends a hold, and with it a `hold` step of the plan. */
function endHold(draft: Draft, reason: string): HandlerResult {
  const { afterQueue } = draft.context.cleaning;
  const running = draft.steps.running;
  if (running !== null) {
    draft.steps.succeed(running, reason);
  }
  draft.memory.keepCleaning({ hold: null });
  const first: State = isManual(draft) ? "ManualCleaning/RunningStep" : "WaitingForCleanup/Init";
  return readmit(draft, afterQueue !== null && isState(afterQueue) ? afterQueue : first, reason);
}

/** Continues with `next`; through the queue if the site limits admission, because a host that was held or failed gave its place back. */
export function readmit(draft: Draft, next: State, reason: string): HandlerResult {
  if (isLimited(draft.view.site.policy.admission)) return enqueue(draft, next, reason);
  draft.memory.keepCleaning({ afterQueue: null });
  return goto(next, reason);
}
