// One clean step that the controller performs through the BMC: begins it, polls it, and restarts the host if the step asks for that.
import type { z } from "zod";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { usableAgent } from "@/server/controller/host/usable-agent";
import type { CleaningMode, StepOutcome, StepRow } from "@/server/controller/steps/cleaning-mode";
import { isOfAttempt, readOutcome, stepProgress } from "@/server/controller/host/effect-outcome";
import type { StepProgressValue } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { knownHardware, stepKnown } from "@/server/controller/inventory/known-hardware";
import {
  attemptFailed,
  done,
  giveUp,
  isLockedOut,
  jobCause,
  jobOf,
  openJob,
  lockedOut,
  newJob,
} from "@/server/controller/steps/bmc-job";
import type { Job } from "@/server/controller/steps/bmc-job";
import { recover } from "@/server/controller/steps/step-recovery";
import { bmcTrouble } from "@/server/controller/host/bmc-cause";
import type { BmcAnswer } from "@/server/controller/host/bmc-cause";
import type { Draft } from "@/server/controller/host/draft";
import { earliest, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const step = (value: HandlerResult): StepOutcome => ({ kind: "step", step: value });
const iso = (ms: number): string => new Date(ms).toISOString();

/** Runs the step whose run is `row`; `declared` is its entry in the catalogue. */
export function runControllerStep(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  mode: CleaningMode,
): StepOutcome {
  const effect = draft.inbox.takeEffect("step");
  const job = jobOf(draft, row);
  if (row.status !== "running") {
    const recovering = job?.recovery === undefined ? null : recover(draft, row, declared, job, effect, mode);
    return recovering ?? begin(draft, row, declared, jobOf(draft, row));
  }
  if (job !== null && effect !== null && isOfAttempt(effect, row.id, row.attempt)) {
    const read = followUp(draft, row, declared, job, effect, mode);
    if (read !== null) return read;
  }
  return follow(draft, row, declared, job, mode);
}

function setJob(draft: Draft, job: Job | null): void {
  draft.memory.keepCleaning({ job });
}

function begin(draft: Draft, row: StepRow, declared: CleanStep, before: Job | null): StepOutcome {
  // After a failed attempt the BMC is given time.
  if (before !== null && before.lookAt !== null && Date.parse(before.lookAt) > draft.nowMs)
    return step(wait(`${stepName(row)} is retried: ${row.message ?? ""}`, Date.parse(before.lookAt)));
  // While the agent works a claim reads nothing of the platform (claim.ts): the step begins with the next claim, which does.
  if (draft.view.run.state === "WaitingForCleanup/HostCleanup")
    return step(wait(`reading what the BMC offers for ${stepName(row)}`, draft.nowMs));
  // After a retry, attempts and their messages start over.
  const message = before === null || before.handle !== null ? null : row.message;
  draft.steps.begin(row, { deadlineAtMs: deadline(draft, row, declared), message });
  draft.erase.setByStep(declared.erases);
  draft.run.setCommand(null);
  setJob(draft, { ...newJob(row), ...reopened(declared, before) });
  return ask(draft, row);
}

/**
 * What a BMC was doing when it stopped the host is asked about before anything is ordered again. A job that waited for a restart is not: an abort may have
 * ended the boot, so the step begins anew, and so does one that erases.
 */
function reopened({ erases }: CleanStep, before: Job | null): Pick<Job, "handle" | "stops"> {
  // safety: controller step: no job goes on without the restart that it waits for
  if (before === null || before.restartEpoch !== null || erases) return { handle: null, stops: 0 };
  return { handle: before.handle, stops: before.stops };
}

const deadline = (draft: Draft, row: StepRow, declared: CleanStep): number =>
  draft.nowMs + (row.timeLimitMs ?? declared.timeLimitMs(draft.policy, row.args, knownHardware(draft)));

/** Asks the BMC to begin, or how a job that began is doing. Beginning looks first, and what cannot be looked at, a reset, does no harm twice. */
function ask(draft: Draft, row: StepRow): StepOutcome {
  const handle = jobOf(draft, row)?.handle ?? null;
  draft.request("step", {
    stepRunId: row.id,
    attempt: row.attempt,
    interface: row.interface,
    step: row.step,
    args: row.args,
    known: stepKnown(draft),
    phase: handle === null ? "begin" : "check",
    handle,
  });
  return step(wait(words(row, "waiting for the BMC"), null));
}

const words = (row: StepRow, what: string): string =>
  `${stepName(row)}, attempt ${row.attempt} of ${row.maxAttempts}: ${what}`;

/** The kinds of error with which a BMC answers that is not up yet. */
const startsAgain: ReadonlySet<string> = new Set(["failed", "unsupported"]);

/** Reads the outcome of the last request. Null: it decides nothing, so time does. */
function followUp(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  job: Job,
  effect: EffectView,
  mode: CleaningMode,
): StepOutcome | null {
  const outcome = readOutcome(effect, draft.view.run.generation);
  switch (outcome.kind) {
    case "pending":
      return step(wait(words(row, "waiting for the BMC"), null));
    case "neverSent":
      return null;
    case "unknown":
      // Nothing is resent blindly: the next request looks first.
      return outcome.message === null
        ? null
        : unanswered(
            draft,
            row,
            declared,
            job,
            {
              errorKind: outcome.errorKind ?? "unreachable",
              message: outcome.message,
              answer: outcome.answer,
            },
            causeOf(declared, outcome.errorKind),
          );
    case "failed":
      // A BMC that starts again answers with errors, and says of what it has not read yet that it is not there: neither tells what became of the job.
      // safety: controller step: an error is no end of a job that the BMC accepted
      if (job.handle !== null && outcome.answer != null && startsAgain.has(outcome.errorKind ?? ""))
        return unanswered(draft, row, declared, job, outcome, declared.failureCause);
      if (outcome.errorKind === "unsupported")
        return giveUp(draft, row, declared.failureCause, [{ ...bmcTrouble(outcome), step: stepName(row) }]);
      // safety: controller step: a BMC that does not let us in
      if (isLockedOut(outcome)) return lockedOut(draft, row, declared, job, outcome);
      if (outcome.errorKind === "unreachable")
        return unanswered(draft, row, declared, job, outcome, "BmcUnreachable");
      return attemptFailed(draft, row, declared, jobCause(row, outcome.message, outcome.answer), {
        mayErase: draft.erase.running,
      });
    case "done": {
      const progress = stepProgress.safeParse(outcome.value);
      if (!progress.success)
        return attemptFailed(
          draft,
          row,
          declared,
          jobCause(row, `the response of ${stepName(row)} cannot be read: ${progress.error.message}`),
          { mayErase: draft.erase.running },
        );
      return progressed(draft, row, declared, job, progress.data, mode);
    }
  }
}

/** A BMC that accepted a request, answered, and did not do it is not silent. */
const causeOf = ({ failureCause }: CleanStep, errorKind: string | null): FailureCause =>
  errorKind === null || errorKind === "unreachable" ? "BmcUnreachable" : failureCause;

/** A BMC that is silent for a while has not failed the step. If it stays silent, the host stops with a cause that is retried automatically. */
function unanswered(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  job: Job,
  answer: BmcAnswer,
  failure: FailureCause,
): StepOutcome | null {
  const failures = job.failures + 1;
  const cause = bmcTrouble(answer, failures);
  draft.trouble(cause, answer.message);
  if (failures >= draft.policy.times.bmcTries)
    return giveUp(draft, row, failure, [cause], {
      mayErase: draft.erase.running,
      // What is not there ten times will not be there after a retry either, so that one begins anew, and looks first.
      open: answer.errorKind === "unsupported" ? null : openJob(declared, job),
    });
  setJob(draft, { ...job, failures, lookAt: iso(draft.nowMs + draft.policy.times.bmcRetryMs) });
  return null;
}

function progressed(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  job: Job,
  progress: StepProgressValue,
  mode: CleaningMode,
): StepOutcome | null {
  draft.run.setError(null);
  switch (progress.kind) {
    case "done":
      return done(draft, row, declared, progress);
    case "running":
      draft.run.setProgress({ percent: progress.percent, message: progress.message });
      // A job that makes progress does not time out before its next progress is due.
      if (progress.percent !== null && progress.percent !== draft.view.run.cleanPercent) {
        draft.steps.patch(row, {
          deadlineAtMs: Math.max(
            row.deadlineAtMs ?? 0,
            draft.nowMs + draft.policy.sanitization.erase.noProgressTimeoutMs,
          ),
        });
      }
      setJob(draft, {
        ...job,
        handle: progress.handle,
        // A silence that is expected does not stop the step before its time, but a job that is silent then is asked about after a retry.
        failures: progress.silent === true ? 1 : 0,
        lookAt: iso(draft.nowMs + draft.policy.times.jobPollMs),
      });
      return null;
    case "restart":
      return restart(draft, row, declared, job, progress, mode);
    case "failed":
      if (progress.final === true)
        return giveUp(draft, row, declared.failureCause, jobCause(row, progress.message));
      return attemptFailed(
        draft,
        row,
        declared,
        jobCause(row, progress.message),
        progress.recovery === undefined ? {} : { recovery: mode },
      );
  }
}

/** Orders the restart like any other, in its own boot epoch; the permit knows it by `restartEpoch`. */
function restart(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  job: Job,
  { handle, message }: { handle: z.core.util.JSONType; message: string },
  mode: CleaningMode,
): StepOutcome {
  // safety: controller step: no restarts for ever
  if (job.restarts >= draft.policy.times.maxBoots)
    return attemptFailed(
      draft,
      row,
      declared,
      jobCause(row, `${stepName(row)} asked for ${job.restarts + 1} restarts: ${message}`),
    );
  const restartEpoch = draft.bootEpoch + 1;
  draft.erase.setByStep(false);
  draft.run.setProgress({ percent: null, message });
  // safety: controller step: the restart has an agent of its own
  draft.memory.needBoot(restartEpoch);
  setJob(draft, { ...job, handle, restartEpoch, restarts: job.restarts + 1, failures: 0, lookAt: null });
  return bootFor(draft, row, message, mode);
}

function bootFor(draft: Draft, row: StepRow, why: string, mode: CleaningMode): StepOutcome {
  draft.memory.keep({ returnTo: draft.state });
  return step(goto(mode.booting, `${stepName(row)} needs a restart: ${why}`));
}

/**
 * `BmcUnreachable` is retried automatically, so it is used only if the BMC was silent: a step of a BMC that answers would begin again for ever
 * (docs/adr/0064-the-next-way.md, 7).
 */
function timedOut(draft: Draft, job: Job | null): FailureCause {
  const silent =
    job !== null && job.failures > 0 && draft.troubles?.some(({ key }) => key === "bmcSilent") === true;
  return silent ? "BmcUnreachable" : "StepTimeout";
}

/** Nothing new is known: waits for the restart, checks the time limit, or polls again. */
function follow(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  job: Job | null,
  mode: CleaningMode,
): StepOutcome {
  const now = jobOf(draft, row) ?? job;
  if (now?.restartEpoch != null) {
    // safety: controller step: no look before the restart is over
    if (!usableAgent(draft)) return bootFor(draft, row, "no agent has registered since the restart", mode);
    // The reboot rule decides how long a boot may take, so the step's own time starts over.
    draft.steps.patch(row, { deadlineAtMs: deadline(draft, row, declared) });
    setJob(draft, { ...now, restartEpoch: null, lookAt: null });
    return ask(draft, row);
  }
  const limitMs = row.deadlineAtMs ?? draft.nowMs;
  // safety: controller step: the time limit
  if (limitMs <= draft.nowMs) {
    const cause = timedOut(draft, now);
    const why: Cause = {
      key: "stepTimeout",
      step: stepName(row),
      facts: { seconds: Math.round((draft.nowMs - (row.startedAtMs ?? draft.nowMs)) / 1000) },
      raw: draft.run.progress?.message ?? "",
    };
    // What a silent BMC did is asked after the retry. One that answered until the end has not done it, and is told again.
    const open = now !== null && now.failures > 0 ? openJob(declared, now) : null;
    return giveUp(draft, row, cause, [why], { open });
  }
  const lookMs = now?.lookAt == null ? draft.nowMs : Date.parse(now.lookAt);
  const { abort } = draft.context.cleaning;
  const aborts =
    abort === null ? "" : `; aborted by ${abort.by.name}; waiting until ${iso(limitMs)} at the latest`;
  if (lookMs > draft.nowMs)
    return step(
      wait(
        `${words(row, draft.run.progress?.message ?? draft.run.kept.lastError ?? "the BMC's job is running")}${aborts}`,
        earliest(lookMs, limitMs),
      ),
    );
  return ask(draft, row);
}
