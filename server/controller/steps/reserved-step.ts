// Reserved steps, which the controller performs itself under any interface (docs/clean-steps.md).
import { z } from "zod";
import { nothingKnown, stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { ensureAgent } from "@/server/controller/boot/boot";
import { eraseWait } from "@/server/controller/interruptions/erase-wait";
import { newJob } from "@/server/controller/steps/bmc-job";
import { runControllerStep } from "@/server/controller/steps/controller-step";
import { unknownStep } from "@/server/controller/steps/cleaning-mode";
import type { CleaningMode, StepOutcome, StepRow } from "@/server/controller/steps/cleaning-mode";
import { holdIn } from "@/server/controller/interruptions/interruptions";
import type { Draft } from "@/server/controller/host/draft";
import { wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const step = (value: HandlerResult): StepOutcome => ({ kind: "step", step: value });
const seconds = z.object({ seconds: z.number().optional(), reason: z.string().optional() });

export function runReservedStep(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  mode: CleaningMode,
): StepOutcome {
  switch (row.step) {
    case "hold":
      return hold(draft, row);
    case "wait":
      return pause(draft, row, declared);
    case "reboot":
      return reboot(draft, row);
    case "power_on":
    case "power_off":
      return power(draft, row, declared, mode);
    default:
      return step(
        unknownStep(draft, row, `${stepName(row)} is reserved, but this version does not support it`),
      );
  }
}

function begin(draft: Draft, row: StepRow, deadlineAtMs: number | null): void {
  draft.steps.begin(row, { deadlineAtMs, message: null });
}

function succeeded(draft: Draft, row: StepRow, message: string): StepOutcome {
  draft.steps.succeed(row, message);
  return { kind: "over" };
}

/** Runs while the host is on hold and succeeds when the hold ends (interruptions.ts). If it is found running here, its hold is over. */
function hold(draft: Draft, row: StepRow): StepOutcome {
  if (row.status === "running") return succeeded(draft, row, "the hold expired");
  begin(draft, row, null);
  const args = seconds.parse(row.args);
  const forMs = args.seconds === undefined ? draft.policy.times.holdMs : args.seconds * 1_000;
  return step(
    holdIn(
      draft,
      {
        by: { personId: draft.reclamation?.requestedBy ?? null, name: `the step ${stepName(row)}` },
        reason: args.reason ?? "",
        since: null,
        until: null,
        forMs,
      },
      draft.state,
    ),
  );
}

/** The deadline minus the time limit is when the wait began; the limit is longer than the wait. */
function pause(draft: Draft, row: StepRow, declared: CleanStep): StepOutcome {
  const limitMs = row.timeLimitMs ?? declared.timeLimitMs(draft.policy, row.args, nothingKnown);
  if (row.status !== "running") begin(draft, row, draft.nowMs + limitMs);
  const waitMs = (seconds.parse(row.args).seconds ?? 0) * 1_000;
  const untilMs = (row.deadlineAtMs ?? draft.nowMs) - limitMs + waitMs;
  return untilMs <= draft.nowMs
    ? succeeded(draft, row, `waited ${waitMs / 1_000} s`)
    : step(wait(`${stepName(row)}, ${waitMs / 1_000} s`, untilMs));
}

/** Restarts into the agent, in a boot epoch of its own; over when that agent has registered. Ordered and followed up like any boot. */
function reboot(draft: Draft, row: StepRow): StepOutcome {
  if (row.status !== "running") {
    const erasing = eraseRuns(draft, row);
    if (erasing !== null) return erasing;
    begin(draft, row, null);
    const restartEpoch = draft.bootEpoch + 1;
    draft.memory.needBoot(restartEpoch);
    draft.memory.keepCleaning({
      job: { ...newJob(row), restartEpoch, restarts: 1 },
    });
  }
  const waiting = ensureAgent(draft);
  if (waiting === null) {
    draft.memory.keepCleaning({ job: null });
    return succeeded(draft, row, "the agent registered after the restart");
  }
  if (waiting.kind !== "fail") return step(waiting);
  draft.steps.giveUp(row, "failed", waiting);
  draft.memory.keepCleaning({ job: null });
  return step({ ...waiting, stepRunning: true });
}

/** Done through the BMC like any step of the controller. An agent that was switched off is not used again. */
function power(draft: Draft, row: StepRow, declared: CleanStep, mode: CleaningMode): StepOutcome {
  if (row.status !== "running") {
    const erasing = eraseRuns(draft, row);
    if (erasing !== null) return erasing;
    draft.memory.forget("resetMark");
  }
  // safety: reserved: an agent that was switched off is not used again
  if (row.step === "power_off") draft.needNewBoot();
  return runControllerStep(draft, row, declared, mode);
}

/** Waits for the estimated end of an erase that no agent reports, so that no power action interrupts it. */
function eraseRuns(draft: Draft, row: StepRow): StepOutcome | null {
  const waiting = eraseWait(draft, `${stepName(row)} is not sent yet`);
  // safety: reserved: no power action falls into an erase
  if (waiting !== null) return step(waiting);
  draft.erase.over();
  return null;
}
