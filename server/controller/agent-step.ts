// One clean step that the agent performs: give the command, follow its attempt, judge its report.
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { StorageDevice } from "@/server/domain/inventory/inventory";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import { judgeStep } from "@/server/domain/sanitization/judge";
import { journalToHandOn } from "@/server/domain/sanitization/journal";
import { usableAgent } from "@/server/controller/boot";
import { earliest, fail, goto, wait } from "@/server/controller/draft";
import type { Draft, Step } from "@/server/controller/draft";
import { knownHardware, offeredSteps } from "@/server/controller/known-hardware";

/** `over`: the step succeeded, look for the next one. */
export type StepOutcome = { readonly kind: "over" } | { readonly kind: "step"; readonly step: Step };
const step = (value: Step): StepOutcome => ({ kind: "step", step: value });
type Row = Draft["steps"][number];

/** Runs the first step that is not over. */
export function runAgentStep(draft: Draft): StepOutcome {
  draft.take("stepReport");
  draft.take("agentRegistered");
  const row = draft.steps.find((run) => run.status !== "succeeded" && run.status !== "excepted");
  if (row === undefined) return { kind: "over" };
  const declared = findCleanStep(row.interface, row.step, offeredSteps(draft));
  if (declared === null) return unknown(draft, row, `${row.interface}.${row.step} is not known to this version`);
  return row.status === "running" ? follow(draft, row, declared) : begin(draft, row, declared);
}

/** A step that nothing can be known of does not stay running: no power action would be permitted any more. */
function unknown(draft: Draft, row: Row, message: string): StepOutcome {
  draft.patchStep(row, { status: "failed", endedAtMs: draft.nowMs, message });
  return step(fail("CleanFailed", message, true));
}

/** The devices that a step must treat, of the frozen list: never fewer, unless its arguments name some. */
function devicesOf(draft: Draft, row: Row, declared: CleanStep): readonly StorageDevice[] {
  return declared.devices(knownHardware(draft), row.args);
}

function begin(draft: Draft, row: Row, declared: CleanStep): StepOutcome {
  if (!usableAgent(draft)) {
    return bootFor(draft, `${row.interface}.${row.step} needs the agent`);
  }
  if (!journalRead(draft, row)) {
    draft.patchStep(row, { status: "planned" });
    return step(wait(`${row.interface}.${row.step} is tried again`, draft.nowMs));
  }
  const attempt = row.attempt + 1;
  const times = draft.policy.times;
  const deadlineMs = draft.nowMs + (row.timeLimitMs ?? declared.timeLimitMs(times, row.args));
  const journal = draft.attempt?.stepRunId === row.id ? journalToHandOn(draft.attempt.journal) : [];
  draft.patchStep(row, { status: "running", attempt, startedAtMs: row.startedAtMs ?? draft.nowMs, endedAtMs: null, deadlineAtMs: deadlineMs, message: null });
  draft.attempts.push({ stepRunId: row.id, attempt, bootEpoch: draft.bootEpoch, verdict: null, message: null, ended: false });
  draft.attempt = { stepRunId: row.id, attempt, bootEpoch: draft.bootEpoch, report: null, verdict: null, expectedEndMs: null, journal };
  draft.erasing = declared.erases;
  draft.command = {
    kind: "execute", id: `${row.id}:${attempt}`, stepRunId: row.id, attempt, interface: row.interface, step: row.step, args: row.args,
    devices: [...devicesOf(draft, row, declared)], erase: draft.policy.sanitization.erase, journal: [...journal], deadline: new Date(deadlineMs).toISOString(),
  };
  return step(waiting(draft, row));
}

/**
 * A later attempt gets the journal of all before it, however they ended: a failed one may have left an erase running, and took its digests of
 * the tenant's own data, which no later erase may leave. Journals are long, so a claim brings them for a planned step only (`db/hot/claim.ts`).
 */
function journalRead(draft: Draft, row: Row): boolean {
  return row.attempt === 0 || draft.view.steps.some((step) => step.id === row.id && step.status === "planned");
}

function waiting(draft: Draft, row: Row): Step {
  const silentMs = draft.view.agent === null ? null : Math.max(draft.view.agent.lastSeenMs, row.startedAtMs ?? 0) + draft.policy.times.agentSilenceMs;
  return wait(`${row.interface}.${row.step}, attempt ${row.attempt} of ${row.maxAttempts}`, earliest(row.deadlineAtMs, silentMs));
}

function follow(draft: Draft, row: Row, declared: CleanStep): StepOutcome {
  const attempt = draft.attempt;
  if (attempt === null || attempt.stepRunId !== row.id || attempt.attempt !== row.attempt) return unknown(draft, row, `attempt ${row.attempt} of ${row.interface}.${row.step} is not recorded`);
  if (attempt.report !== null) return reported(draft, row, declared, attempt.report);
  const agent = draft.view.agent;
  const deadline = row.deadlineAtMs ?? draft.nowMs;
  if (deadline <= draft.nowMs) return lost(draft, row, "StepTimeout", `${row.interface}.${row.step} did not end within its time limit`, false);
  if (agent !== null && agent.bootEpoch > attempt.bootEpoch) return lost(draft, row, "AgentLost", "the agent was started again in the middle of the step", true);
  const heardMs = Math.max(agent?.lastSeenMs ?? 0, row.startedAtMs ?? 0);
  if (draft.nowMs - heardMs >= draft.policy.times.agentSilenceMs) return lost(draft, row, "AgentLost", `the agent was silent for ${Math.round((draft.nowMs - heardMs) / 1000)} s`, true);
  return step(waiting(draft, row));
}

/** Silence ends the attempt, not the erase; a new agent reads the status and joins. */
function lost(draft: Draft, row: Row, cause: FailureCause, message: string, mayTryAgain: boolean): StepOutcome {
  draft.attempts.push({ stepRunId: row.id, attempt: row.attempt, bootEpoch: draft.attempt?.bootEpoch ?? draft.bootEpoch, verdict: "lost", message, ended: true });
  draft.context.minEpoch = Math.max(draft.context.minEpoch, (draft.attempt?.bootEpoch ?? draft.bootEpoch) + 1);
  draft.command = null;
  if (mayTryAgain && row.attempt < row.maxAttempts) {
    draft.patchStep(row, { status: "planned", message });
    return bootFor(draft, message);
  }
  draft.patchStep(row, { status: "failed", endedAtMs: draft.nowMs, message });
  return step(fail(cause, message, true));
}

function bootFor(draft: Draft, reason: string): StepOutcome {
  draft.context.returnTo = "WaitingForCleanup/HostCleanup";
  return step(goto("WaitingForCleanup/BootingAgent", reason));
}

function reported(draft: Draft, row: Row, declared: CleanStep, report: NonNullable<NonNullable<Draft["attempt"]>["report"]>): StepOutcome {
  const verdict = judgeStep(devicesOf(draft, row, declared), report, draft.policy.sanitization);
  const standard = draft.policy.sanitization.standard;
  for (const device of verdict.devices) {
    draft.deviceResults.push({ ...device, stepRunId: row.id, attempt: row.attempt, standard });
    draft.verdicts.set(`${device.serial}\u0000${device.model}`, { serial: device.serial, model: device.model, verdict: device.verdict, reason: device.reason });
  }
  draft.erasing = false;
  draft.command = null;
  const bootEpoch = draft.attempt?.bootEpoch ?? draft.bootEpoch;
  draft.attempts.push({ stepRunId: row.id, attempt: row.attempt, bootEpoch, verdict: verdict.ok ? "succeeded" : "failed", message: verdict.message, ended: true });
  if (draft.attempt !== null) draft.attempt.verdict = verdict.ok ? "succeeded" : "failed";
  if (verdict.ok) {
    draft.patchStep(row, { status: "succeeded", endedAtMs: draft.nowMs, message: verdict.message });
    draft.context.proven.lastStepEpoch = bootEpoch;
    if (declared.proves.includes("memoryOverwritten")) draft.context.proven.memoryStepEpoch = bootEpoch;
    return { kind: "over" };
  }
  if (row.attempt < row.maxAttempts && verdict.missing.length === 0) {
    draft.patchStep(row, { status: "planned", message: verdict.message });
    return begin(draft, row, declared);
  }
  draft.patchStep(row, { status: "failed", endedAtMs: draft.nowMs, message: verdict.message });
  return step(fail(verdict.missing.length > 0 ? "DeviceMissing" : declared.failureCause, verdict.message, true));
}
