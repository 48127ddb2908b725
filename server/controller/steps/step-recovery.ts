// Recovery between two attempts of a step whose job failed: power off, BMC restart, a pause, and a new boot (docs/design/hardware.md#dell-boss).
import { z } from "zod";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { Job } from "@/server/controller/steps/bmc-job";
import type { RecoveryContext } from "@/server/domain/lifecycle/context";
import type { CleaningMode, StepOutcome, StepRow } from "@/server/controller/steps/cleaning-mode";
import { isOfAttempt, readOutcome, stepProgress } from "@/server/controller/host/effect-outcome";
import type { EffectView } from "@/server/domain/hosts/record/effect";
import { stepKnown } from "@/server/controller/inventory/known-hardware";
import type { Draft } from "@/server/controller/host/draft";
import { earliest, fail, goto, wait } from "@/server/controller/host/handler-result";

const iso = (ms: number): string => new Date(ms).toISOString();

/** The steps that the BMC performs, each with its own permit, and the phase that follows. */
const parts = {
  powerOff: { interface: "power", step: "power_off", words: "the host is switched off", next: "resetBmc" },
  resetBmc: { interface: "management", step: "reset_bmc", words: "the BMC restarts", next: "settle" },
} as const;
type Part = (typeof parts)[keyof typeof parts];

/** The agent of the present boot is not used again, because the host is switched off under it. */
export function beginRecovery(draft: Draft, job: Job): Job {
  // safety: recovery: the agent that goes off is not used again
  draft.needNewBoot();
  draft.memory.forget("resetMark");
  return { ...job, recovery: { phase: "powerOff", since: iso(draft.nowMs), handle: null, failures: 0 } };
}

/** What a recovery works on. */
interface Recovering {
  readonly draft: Draft;
  readonly row: StepRow;
  readonly declared: CleanStep;
  readonly job: Job;
  readonly recovery: RecoveryContext;
}

/** Continues the recovery. Null: there is none (any more). `effect`: the BMC's newest answer. */
export function recover(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  job: Job,
  effect: EffectView | null,
  mode: CleaningMode,
): StepOutcome | null {
  const { recovery } = job;
  if (recovery === undefined) return null;
  const at: Recovering = { draft, row, declared, job, recovery };
  // The job of this step has ended, but an erase left by an earlier reclamation may not have.
  // safety: recovery: no power action while an erase of an earlier reclamation runs
  if (draft.erase.left) {
    keep(at, { since: iso(draft.nowMs) }, null);
    return waiting(
      row,
      "an erase of an earlier reclamation may still be running; waiting for its estimated end",
      Date.parse(draft.context.eraseUntil ?? iso(draft.nowMs)),
    );
  }
  draft.erase.over();
  if (recovery.phase === "settle") return settle(draft, row, recovery, job, mode);
  const part = parts[recovery.phase];
  const followed = follow(draft, row, effect, part.step);
  if (followed?.kind === "pending") return waiting(row, part.words, null);
  if (followed?.kind === "done") {
    const next = { phase: part.next, since: iso(draft.nowMs), handle: null, failures: 0 };
    return recover(draft, row, declared, keep(at, next, null), null, mode);
  }
  const overMs = Date.parse(recovery.since) + draft.policy.times.otherStepMs;
  if (overMs <= draft.nowMs) return giveUp(draft, row, declared, `${part.words}: timed out`);
  if (followed?.kind === "running") {
    const lookMs = draft.nowMs + draft.policy.times.jobPollMs;
    keep(at, { handle: followed.handle, failures: 0 }, lookMs);
    return waiting(row, followed.message, earliest(lookMs, overMs));
  }
  if (followed?.kind === "failed") return askAgainLater(at, part, followed);
  return ask(at, part, overMs);
}

/** Keeps the change with the step's job, and when it is looked at next. */
function keep(
  { draft, job, recovery }: Recovering,
  change: Partial<RecoveryContext>,
  lookAtMs: number | null,
): Job {
  const lookAt = lookAtMs === null ? null : iso(lookAtMs);
  const kept: Job = { ...job, lookAt, recovery: { ...recovery, ...change } };
  draft.memory.keepCleaning({ job: kept });
  return kept;
}

/** Retries until it has failed too often or cannot succeed. */
function askAgainLater(at: Recovering, part: Part, { message, final }: Failed): StepOutcome {
  const { draft, row, declared, recovery } = at;
  const { bmcTries, bmcRetryMs } = draft.policy.times;
  const words = `${part.words}: ${message}`;
  const failures = recovery.failures + 1;
  if (final || failures >= bmcTries) return giveUp(draft, row, declared, words);
  draft.run.setError(message);
  keep(at, { handle: null, failures }, draft.nowMs + bmcRetryMs);
  return waiting(row, words, draft.nowMs + bmcRetryMs);
}

/** Asks the BMC for a part, or for its outcome, once that is due. */
function ask(at: Recovering, part: Part, overMs: number): StepOutcome {
  const { draft, row, job, recovery } = at;
  const lookMs = job.lookAt === null ? draft.nowMs : Date.parse(job.lookAt);
  if (lookMs > draft.nowMs) return waiting(row, part.words, earliest(lookMs, overMs));
  keep(at, {}, null);
  const { handle } = recovery;
  draft.request("step", {
    stepRunId: row.id,
    attempt: row.attempt,
    interface: part.interface,
    step: part.step,
    args: {},
    known: stepKnown(draft),
    phase: handle === null ? "begin" : "check",
    handle,
  });
  return waiting(row, part.words, null);
}

const waiting = (row: StepRow, words: string, untilMs: number | null): StepOutcome => ({
  kind: "step",
  step: wait(
    `${stepName(row)} in recovery after attempt ${row.attempt} of ${row.maxAttempts}: ${words}`,
    untilMs,
  ),
});

interface Failed {
  readonly kind: "failed";
  readonly message: string;
  readonly final: boolean;
}
type Followed =
  | { readonly kind: "pending" | "done" }
  | { readonly kind: "running"; readonly handle: z.core.util.JSONType; readonly message: string }
  | Failed;

const ofStep = z.object({ step: z.string() });

/** The outcome of the requested part. Null: nothing was requested or the outcome is unknown, so it is requested (again). All parts look first. */
function follow(draft: Draft, row: StepRow, effect: EffectView | null, step: string): Followed | null {
  if (
    effect === null ||
    !isOfAttempt(effect, row.id, row.attempt) ||
    ofStep.parse(effect.request).step !== step
  )
    return null;
  const outcome = readOutcome(effect, draft.view.run.generation);
  if (outcome.kind === "pending") return { kind: "pending" };
  if (outcome.kind === "failed")
    return { kind: "failed", message: outcome.message, final: outcome.errorKind === "unsupported" };
  if (outcome.kind !== "done") return null;
  const progress = stepProgress.parse(outcome.value);
  if (progress.kind === "done") return { kind: "done" };
  if (progress.kind === "running")
    return { kind: "running", handle: progress.handle, message: progress.message };
  return { kind: "failed", message: progress.message, final: false };
}

/** After the BMC's pause the host is switched on into the agent, in a boot epoch of its own, and the step begins again. */
function settle(
  draft: Draft,
  row: StepRow,
  recovery: RecoveryContext,
  job: Job,
  mode: CleaningMode,
): StepOutcome {
  const untilMs = Date.parse(recovery.since) + draft.policy.times.bmcSettleMs;
  // safety: recovery: the BMC's pause
  if (untilMs > draft.nowMs) {
    draft.memory.keepCleaning({ job });
    return waiting(row, "waiting for the BMC after its restart", untilMs);
  }
  draft.run.setError(null);
  const { recovery: _over, ...left } = job;
  draft.memory.keepCleaning({ job: { ...left, lookAt: null } });
  draft.memory.keep({ returnTo: draft.state });
  return {
    kind: "step",
    step: goto(
      mode.booting,
      `${stepName(row)} is retried after the host was powered off and its BMC restarted`,
    ),
  };
}

/** A recovery that fails ends the step and keeps what every attempt reported. The host may be off. */
function giveUp(draft: Draft, row: StepRow, declared: CleanStep, message: string): StepOutcome {
  const all = `${row.message ?? ""}\nrecovery after attempt ${row.attempt}: ${message}`;
  draft.steps.fail(row, all);
  draft.memory.keepCleaning({ job: null });
  return {
    kind: "step",
    step: fail(
      declared.failureCause,
      [
        {
          key: "jobFailed",
          device: { kind: "bmc" },
          step: stepName(row),
          facts: { last: all.replaceAll("\n", "; ") },
          raw: all,
        },
      ],
      true,
    ),
  };
}
