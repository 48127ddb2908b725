// The step runs of a reclamation: their progress, their devices, and expectations for future ones.
import { formatCounted } from "@/server/domain/numbers";
import { z } from "zod";
import type { OfferedStep } from "@/server/domain/agents/protocol";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { KnownHardware, StepArgs } from "@/server/domain/cleaning/steps/step";
import { stepOf } from "@/server/domain/hosts/fake/fake-steps";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";
import type { StepRunLine } from "@/server/contract/reclamations/reclamation";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";
import { expectedEnd, usualMs } from "@/server/usecases/hosts/list/expectations";
import { deviceLines } from "@/server/usecases/reclamations/device-lines";
import type { AttemptRecord, VerdictRecord } from "@/server/usecases/reclamations/device-lines";

/** As stored in the database. */
export interface StepRunRecord {
  readonly id: string;
  readonly planEpoch: number;
  readonly position: number;
  readonly interface: string;
  readonly step: string;
  readonly status: string;
  readonly message: string | null;
  readonly proves: readonly string[];
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly priority: number;
  readonly prioritySource: string;
  readonly where: string;
  readonly args: unknown;
  readonly abortable: boolean;
  readonly timeLimitMs: number | null;
  readonly deadlineAt: Date | null;
  /** In order. */
  readonly attempts: readonly (AttemptRecord & { readonly eraseEnds: unknown })[];
}

export interface StepFacts {
  readonly runs: readonly StepRunRecord[];
  readonly verdicts: readonly (VerdictRecord & { readonly stepRunId: string })[];
  readonly known: KnownHardware;
  /** Offered by the host's newest agent. */
  readonly offered: readonly OfferedStep[];
  /** The runs with an expected end, and how long such steps took before, by index in `ahead`. */
  readonly ahead: readonly StepRunRecord[];
  readonly past: ReadonlyMap<number, PastDuration>;
}

type StepStatus = StepRunLine["status"];
const stepTones = {
  planned: "neutral",
  running: "working",
  succeeded: "good",
  failed: "failed",
  excepted: "attention",
} as const satisfies Record<StepStatus, Tone>;
const isStepStatus = (status: string): status is StepStatus => Object.hasOwn(stepTones, status);

const stepArgs = z.record(z.string(), z.json()).catch({});
export const argsOf = (run: Pick<StepRunRecord, "args">): StepArgs => stepArgs.parse(run.args);

/** Runs that are in progress or planned. Pure. */
export const stillAhead = (runs: readonly StepRunRecord[]): readonly StepRunRecord[] =>
  runs.filter(({ status }) => status === "planned" || status === "running");

function resultText(status: StepStatus, devices: StepRunLine["devices"], message: string | null): string {
  const good = devices.filter(({ tone }) => tone === "good").length;
  const of = (count: number) => `${count} of ${formatCounted(devices.length, "device")}`;
  switch (status) {
    case "planned":
      return "planned";
    case "running":
      return devices.length === 0 ? "in progress" : `${of(good)} done`;
    case "succeeded":
      return devices.length === 0 ? "succeeded" : `${of(good)} sanitized`;
    case "failed":
      return devices.length === 0
        ? (message ?? "failed").split("\n", 1).join("")
        : `failed on ${of(devices.length - good)}`;
    case "excepted":
      return "excepted";
  }
}

function stepLine(run: StepRunRecord, { known, offered, verdicts, ahead, past }: StepFacts): StepRunLine {
  const status = isStepStatus(run.status) ? run.status : "planned";
  const args = argsOf(run);
  const declared = stepOf(known, run.interface, run.step, offered);
  const hasBegun = status !== "planned" || run.attempts.length > 0;
  const devices = deviceLines({
    running: status === "running",
    expected: hasBegun ? (declared?.devices(known, args) ?? []) : [],
    attempts: run.attempts,
    verdicts: verdicts.filter(({ stepRunId }) => stepRunId === run.id),
  });
  const place = ahead.indexOf(run);
  const expectedMs = place < 0 ? null : usualMs(declared, known, args, past.get(place));
  return {
    id: run.id,
    planEpoch: run.planEpoch,
    position: run.position,
    interface: run.interface,
    step: stepName(run),
    status,
    tone: stepTones[status],
    result: resultText(status, devices, run.message),
    message: run.message,
    proves: run.proves,
    attempt: run.attempt,
    maxAttempts: run.maxAttempts,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    priority: run.priority,
    prioritySource: run.prioritySource,
    where: run.where,
    args,
    abortable: run.abortable,
    restarts: declared?.restarts ?? false,
    erases: declared?.erases ?? true,
    timeLimitMs: run.timeLimitMs,
    deadlineAt: run.deadlineAt,
    expectedMs,
    expectedEndAt: status === "running" ? expectedEnd(run.attempts.at(-1), expectedMs) : null,
    devices,
  };
}

/** One line per step run, in order. Pure. */
export const stepLines = (facts: StepFacts): readonly StepRunLine[] =>
  facts.runs.map((run) => stepLine(run, facts));
