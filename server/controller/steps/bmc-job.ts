// What is kept between two looks at a step that the BMC performs, and how its attempts end.
import type { Causes } from "@/server/domain/cleaning/failures/cause";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { CleaningContext } from "@/server/domain/lifecycle/context";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { bmcCauseOf, bmcTrouble } from "@/server/controller/host/bmc-cause";
import type { BmcAnswer } from "@/server/controller/host/bmc-cause";
import type { Draft } from "@/server/controller/host/draft";
import type { StepProgressValue } from "@/server/controller/host/effect-outcome";
import { fail, wait } from "@/server/controller/host/handler-result";
import type { CleaningMode, StepOutcome, StepRow } from "@/server/controller/steps/cleaning-mode";
import { beginRecovery, recover } from "@/server/controller/steps/step-recovery";
import { judged, whyFailed } from "@/server/controller/steps/step-verdict";

export type Job = NonNullable<CleaningContext["job"]>;

/** The job of an attempt of which nothing is known yet. */
export const newJob = ({ id, attempt }: StepRow): Job => ({
  stepRunId: id,
  attempt,
  handle: null,
  lookAt: null,
  restartEpoch: null,
  restarts: 0,
  failures: 0,
  stops: 0,
});

/** The job of this run's attempt; null if it has none, or nothing was kept of it. */
export function jobOf(draft: Draft, row: StepRow): Job | null {
  const { job } = draft.context.cleaning;
  return job !== null && job.stepRunId === row.id && job.attempt === row.attempt ? job : null;
}

/** Judges the result like any other; without a fault the step is over. */
export function done(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  { message, devices }: Extract<StepProgressValue, { kind: "done" }>,
): StepOutcome {
  const verdict = judged(
    draft,
    row,
    declared,
    { attempt: row.attempt, result: "OK", message, devices, journal: [] },
    "bmc",
  );
  // safety: controller step: its result is judged
  if (!verdict.ok) {
    const why = whyFailed(draft, row, declared, verdict, "bmc");
    return verdict.missing.length > 0
      ? giveUp(draft, row, "DeviceMissing", why)
      : attemptFailed(draft, row, declared, why);
  }
  draft.steps.succeed(row, verdict.message);
  draft.erase.setByStep(false);
  // The host's system has an outdated view of a drive that was erased under it, so a restart precedes the inventory.
  // safety: controller step: a restart before the inventory after an erase
  if (declared.erases) draft.memory.prove({ lastStepEpoch: draft.bootEpoch });
  draft.memory.keepCleaning({ job: null });
  return { kind: "over" };
}

interface FailedHow {
  /** The mode of the run, set if the host must recover before the next attempt. */
  readonly recovery?: CleaningMode;
  /** The BMC did not confirm that its job is over, so an erase may still run. */
  readonly mayErase?: boolean;
}

/** The cause for what the BMC answered about a job. */
export const jobCause = (row: StepRow, raw: string, answer?: BmcAnswer["answer"]): Causes => [
  {
    key: "jobFailed",
    device: { kind: "bmc" },
    step: stepName(row),
    ...(answer == null ? {} : { status: { bus: "redfish", ...answer } }),
    raw,
  },
];

/** Keeps the message of each attempt, because the last one alone may explain least. */
export function attemptFailed(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  why: Causes,
  { recovery, mayErase = false }: FailedHow = {},
): StepOutcome {
  const message = why[0].raw;
  const all = [...(row.message === null ? [] : [row.message]), `attempt ${row.attempt}: ${message}`].join(
    "\n",
  );
  // safety: controller step: no more attempts than policy allows
  if (row.attempt >= row.maxAttempts)
    return giveUp(draft, row, declared.failureCause, withAttempts(why, all), { mayErase, told: all });
  draft.steps.retry(row, "failed", { message, causes: why }, all);
  draft.erase.setByStep(mayErase);
  if (recovery !== undefined) {
    const recovering = recover(draft, row, declared, beginRecovery(draft, newJob(row)), null, recovery);
    if (recovering !== null) return recovering;
  }
  const untilMs = draft.nowMs + draft.policy.times.bmcRetryMs;
  draft.memory.keepCleaning({ job: { ...newJob(row), lookAt: new Date(untilMs).toISOString() } });
  return { kind: "step", step: wait(`${stepName(row)} is retried: ${message}`, untilMs) };
}

/** The message is the last attempt's; the answers of all attempts are kept in `raw`. */
const withAttempts = ([last, ...others]: Causes, all: string): Causes => [
  { ...last, facts: { ...last.facts, last: last.raw }, raw: all },
  ...others,
];

/**
 * The BMC no longer shows who it is, or no longer lets us in: asking again changes nothing, and a person can. What it was doing is kept, so that a step
 * that erases nothing goes on with it after a retry.
 */
export function lockedOut(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  job: Job | null,
  answer: BmcAnswer,
): StepOutcome {
  return giveUp(draft, row, bmcCauseOf(answer.errorKind), [{ ...bmcTrouble(answer), step: stepName(row) }], {
    mayErase: draft.erase.running,
    open: openJob(declared, job),
  });
}

/**
 * A job as it is kept over a stop; null if the BMC has ordered nothing yet. One of an erase is not kept: meanwhile the BMC may have restarted and numbered its
 * tasks from 1 again, so that the task at this path is another one, whose completion would count as an erase.
 */
export function openJob({ erases }: CleanStep, job: Job | null): Job | null {
  // safety: controller step: no job of an erase is kept over a stop
  if (erases) return null;
  // A BMC that cannot be asked about its job in two stops would not be asked anything else in the third: the step begins anew.
  if (job === null || job.handle === null || job.stops > 0) return null;
  return { ...job, failures: 0, lookAt: null, stops: job.stops + 1 };
}

interface GivenUp {
  readonly mayErase?: boolean;
  /** What every attempt said. */
  readonly told?: string;
  /** What the BMC was doing, which the step goes on with after a retry. */
  readonly open?: Job | null;
}

export const isLockedOut = ({ errorKind, answer }: BmcAnswer): boolean =>
  errorKind === "untrusted" || errorKind === "otherHost" || answer?.http === 401;

/** Ends the step without success. The host stays on, and an erase whose end nobody saw may still run. */
export function giveUp(
  draft: Draft,
  row: StepRow,
  cause: FailureCause,
  why: Causes,
  { mayErase = false, told, open = null }: GivenUp = {},
): StepOutcome {
  const failure = fail(cause, why, true);
  draft.steps.giveUp(row, "failed", { ...failure, message: told ?? failure.message });
  draft.erase.setByStep(
    mayErase || (draft.erase.running && (cause === "StepTimeout" || cause === "BmcUnreachable")),
  );
  draft.memory.keepCleaning({ job: open });
  return { kind: "step", step: failure };
}
