// One clean step that the agent performs: gives the command, follows the attempt, judges the report.
import { z } from "zod";
import { otherCause } from "@/server/domain/cleaning/failures/cause";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import type { ResultBody } from "@/server/domain/agents/protocol";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { stepEndsAtMs } from "@/server/domain/cleaning/erase-time";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { journalToHandOn } from "@/server/domain/cleaning/sanitization/journal";
import { agentReady } from "@/server/controller/boot/agent-ready";
import { usableAgent } from "@/server/controller/host/usable-agent";
import { noProgress } from "@/server/domain/hosts/record/reclamation";
import { unknownStep } from "@/server/controller/steps/cleaning-mode";
import type { CleaningMode, StepOutcome, StepRow } from "@/server/controller/steps/cleaning-mode";
import { aborted, beforeNext } from "@/server/controller/interruptions/interruptions";
import { knownHardware } from "@/server/controller/inventory/known-hardware";
import { wantedContent } from "@/server/controller/inventory/content";
import { judged, whyFailed } from "@/server/controller/steps/step-verdict";
import type { Draft } from "@/server/controller/host/draft";
import { causesOr, earliest, fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const step = (value: HandlerResult): StepOutcome => ({ kind: "step", step: value });

/** Runs the step whose run is `row`; `declared` is its entry in the catalogue. */
export function runAgentStep(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  mode: CleaningMode,
): StepOutcome {
  draft.inbox.take("stepReport");
  draft.inbox.take("agentRegistered");
  return row.status === "running" ? follow(draft, row, declared, mode) : begin(draft, row, declared, mode);
}

function begin(draft: Draft, row: StepRow, declared: CleanStep, mode: CleaningMode): StepOutcome {
  if (!usableAgent(draft)) return bootFor(draft, mode, `${stepName(row)} needs the agent`);
  const notReady = agentReady(draft);
  if (notReady !== null) return step(notReady);
  const strange = unexpectedDrives(draft, row);
  // safety: step: a drive that it names is there
  if (strange.length > 0) {
    const raw = `${stepName(row)}: the host has no drive ${strange.join(", ")}`;
    const causes = strange.map((serial): Cause => ({
      key: "driveMissing",
      device: { kind: "drive", serial },
      step: stepName(row),
      raw,
    }));
    const failure = fail(declared.failureCause, causesOr(causes, otherCause(raw)), true);
    draft.steps.fail(row, failure.message);
    return step(failure);
  }
  // safety: step: a journal that was not read
  if (!journalRead(draft, row)) {
    draft.steps.patch(row, { status: "planned" });
    return step(wait(`${stepName(row)} is retried`, draft.nowMs));
  }
  const known = knownHardware(draft);
  const devices = declared.devices(known, row.args);
  // The plan may have been made before the drives were known.
  const planned = declared.erases ? null : row.timeLimitMs;
  const timeLimitMs = planned ?? declared.timeLimitMs(draft.policy, row.args, known);
  const deadlineMs = draft.nowMs + timeLimitMs;
  const before = draft.steps.attempt;
  const journal = before?.stepRunId === row.id ? journalToHandOn(before.journal) : [];
  // This attempt's time limit also covers what an earlier one left running: the agent reads each drive's status before it sends anything.
  const attempt = draft.steps.begin(row, {
    deadlineAtMs: deadlineMs,
    timeLimitMs,
    message: null,
    journal,
    drives: declared.erases ? devices.map(({ serial }) => serial) : [],
  });
  draft.erase.setByStep(declared.erases);
  draft.run.setCommand({
    kind: "execute",
    id: `${row.id}:${attempt}`,
    stepRunId: row.id,
    attempt,
    interface: row.interface,
    step: row.step,
    args: row.args,
    devices: [...devices],
    erase: draft.policy.sanitization.erase,
    ...(declared.proves.includes("storageSanitized") ? wantedContent(draft) : {}),
    journal: [...journal],
    deadline: new Date(deadlineMs).toISOString(),
  });
  return step(waiting(draft, row));
}

const serials = z.array(z.string());

/** Serials in the arguments that match no drive of the frozen list in the agent's reach: a step that found nothing to treat would succeed at nothing. */
function unexpectedDrives(draft: Draft, row: StepRow): readonly string[] {
  const named = serials.safeParse(row.args["devices"]);
  const known = new Set(
    (draft.reclamation?.devices?.expected ?? [])
      .filter(({ outOfBand }) => outOfBand !== true)
      .map(({ serial }) => serial),
  );
  return named.success ? named.data.filter((serial) => !known.has(serial)) : [];
}

/**
 * A later attempt gets the journal of all earlier ones, however they ended: a failed one may have left an erase running, and it took digests of the
 * tenant's data, which no later erase may leave. Journals are long, so a claim reads them only for a planned step (`db/hot/host/claim.ts`).
 */
function journalRead(draft: Draft, row: StepRow): boolean {
  return (
    row.attempt === 0 || draft.view.steps.some((step) => step.id === row.id && step.status === "planned")
  );
}

/** When the step times out: at its time limit, or later if it made progress shortly before or after that (`stepEndsAtMs`). */
function outOfTimeMs(draft: Draft, row: StepRow): number {
  const { movedAtMs } = draft.steps.attempt?.progress ?? noProgress;
  return stepEndsAtMs(
    row.deadlineAtMs ?? draft.nowMs,
    movedAtMs,
    draft.policy.sanitization.erase.noProgressTimeoutMs,
  );
}

/** When a silent agent counts as lost; one that has not been heard from since counts from the start of the step. */
function silentAtMs(draft: Draft, row: StepRow): number {
  const { agent } = draft.view;
  const limitMs = draft.policy.times.agentSilenceMs;
  return Math.max(
    agent === null ? 0 : heardUntilMs(agent.lastSeenMs, limitMs),
    (row.startedAtMs ?? 0) + limitMs,
  );
}

function waiting(draft: Draft, row: StepRow): HandlerResult {
  return wait(
    `${stepName(row)}, attempt ${row.attempt} of ${row.maxAttempts}`,
    earliest(outOfTimeMs(draft, row), silentAtMs(draft, row)),
  );
}

function follow(draft: Draft, row: StepRow, declared: CleanStep, mode: CleaningMode): StepOutcome {
  const attempt = draft.steps.attempt;
  if (attempt === null || attempt.stepRunId !== row.id || attempt.attempt !== row.attempt)
    return step(unknownStep(draft, row, `attempt ${row.attempt} of ${stepName(row)} is not recorded`));
  if (attempt.report !== null) return reported(draft, row, declared, attempt.report, mode);
  const agent = draft.view.agent;
  const deadline = outOfTimeMs(draft, row);
  if (draft.context.cleaning.abort !== null) return step(underAbort(draft, row, deadline));
  // safety: step: the time limit
  if (deadline <= draft.nowMs)
    return lost(draft, row, mode, {
      failure: "StepTimeout",
      cause: {
        key: "stepTimeout",
        step: stepName(row),
        facts: { seconds: Math.round((draft.nowMs - (row.startedAtMs ?? draft.nowMs)) / 1000) },
        raw: "",
      },
      mayTryAgain: false,
    });
  if (agent !== null && agent.bootEpoch > attempt.bootEpoch)
    return lost(draft, row, mode, {
      failure: "AgentLost",
      cause: { key: "agentRestarted", step: stepName(row), facts: { attempt: row.attempt }, raw: "" },
      mayTryAgain: true,
    });
  // safety: step: silence ends the attempt
  if (draft.nowMs >= silentAtMs(draft, row)) {
    const heardMs = Math.max(agent?.lastSeenMs ?? 0, row.startedAtMs ?? 0);
    return lost(draft, row, mode, {
      failure: "AgentLost",
      cause: {
        key: "agentSilent",
        step: stepName(row),
        facts: { seconds: Math.round((draft.nowMs - heardMs) / 1000) },
        raw: "",
      },
      mayTryAgain: true,
    });
  }
  return step(waiting(draft, row));
}

/**
 * An abort waits for the step's report. If the step erases nothing, it waits a minute by default; if no agent is heard, no longer than an agent's
 * silence; for an erase, until its time has passed or its drives report that none is running.
 */
function underAbort(draft: Draft, row: StepRow, deadlineMs: number): HandlerResult {
  const { abort } = draft.context.cleaning;
  const agent = draft.view.agent;
  const gone = agent !== null && agent.bootEpoch > (draft.steps.attempt?.bootEpoch ?? draft.bootEpoch);
  const silentMs = gone ? draft.nowMs : silentAtMs(draft, row);
  const abortedMs = abort === null ? draft.nowMs : Date.parse(abort.at);
  // A step that erases nothing is waited for no longer than an agent counts as present, whatever the agent reports.
  const toldMs =
    row.abortable || draft.erase.untilMs === null ? abortedMs + draft.policy.times.agentFreshMs : null;
  const overMs = earliest(deadlineMs, silentMs, toldMs) ?? draft.nowMs;
  if (overMs <= draft.nowMs) return beforeNext(draft, draft.state) ?? aborted(draft);
  const what = row.abortable ? "was told to stop; waiting for it" : "cannot be stopped; waiting for it";
  return wait(
    `aborted by ${abort?.by.name ?? "nobody"}: ${stepName(row)} ${what} until ${new Date(overMs).toISOString()} at the latest`,
    overMs,
  );
}

/** An attempt that ended without a report. */
interface Lost {
  readonly failure: FailureCause;
  readonly cause: Cause;
  readonly mayTryAgain: boolean;
}

/** Silence ends the attempt but not the erase; a new agent reads the status and joins. */
function lost(
  draft: Draft,
  row: StepRow,
  mode: CleaningMode,
  { failure: failed, cause, mayTryAgain }: Lost,
): StepOutcome {
  const failure = fail(failed, [cause], true);
  // safety: step: an agent that was lost is not used again
  draft.memory.needBoot((draft.steps.attempt?.bootEpoch ?? draft.bootEpoch) + 1);
  draft.run.setCommand(null);
  if (mayTryAgain && row.attempt < row.maxAttempts) {
    draft.steps.retry(row, "lost", failure);
    return bootFor(draft, mode, failure.message);
  }
  draft.steps.giveUp(row, "lost", failure);
  return step(failure);
}

function bootFor(draft: Draft, mode: CleaningMode, reason: string): StepOutcome {
  draft.memory.keep({ returnTo: draft.state });
  return step(goto(mode.booting, reason));
}

/** Whatever a report does not deny may still run: a drive that hung, or one whose status could not be read. A failure reported by an old agent says neither. */
function mayErase({ erasing, result, devices }: ResultBody): boolean {
  if (erasing !== undefined) return erasing;
  return (
    result === "ERROR" &&
    (devices.length === 0 ||
      devices.some(
        (device) => device.result === "ERROR" && device.verification === undefined && device.missing !== true,
      ))
  );
}

function reported(
  draft: Draft,
  row: StepRow,
  declared: CleanStep,
  report: ResultBody,
  mode: CleaningMode,
): StepOutcome {
  const verdict = judged(draft, row, declared, report, "agent");
  const mayRun = declared.erases && mayErase(report);
  draft.erase.setByStep(mayRun);
  draft.run.setCommand(null);
  const bootEpoch = draft.steps.attempt?.bootEpoch ?? draft.bootEpoch;
  const { abort } = draft.context.cleaning;
  const stopped = abort !== null && row.abortable;
  // safety: step: the report is judged (always)
  if (verdict.ok) {
    draft.steps.succeed(row, verdict.message);
    draft.memory.prove({ lastStepEpoch: bootEpoch });
    if (declared.proves.includes("deviceMemoryCleared"))
      draft.memory.prove({
        memoryCleared: {
          stepRunId: row.id,
          at: new Date(draft.nowMs).toISOString(),
          devices: report.memory ?? [],
        },
      });
    if (declared.proves.includes("memoryOverwritten")) draft.memory.prove({ memoryStepEpoch: bootEpoch });
    return { kind: "over" };
  }
  const failure = fail(
    verdict.missing.length > 0 ? "DeviceMissing" : declared.failureCause,
    whyFailed(draft, row, declared, verdict, "agent"),
    true,
  );
  if (abort === null && row.attempt < row.maxAttempts && verdict.missing.length === 0) {
    draft.steps.retry(row, "failed", failure);
    return begin(draft, row, declared, mode);
  }
  draft.steps.giveUp(row, stopped ? "aborted" : "failed", failure);
  return step(stopped ? aborted(draft) : failure);
}
