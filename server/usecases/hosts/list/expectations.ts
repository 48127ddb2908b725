// Expectations for a cleaning in progress: when its steps end, what people asked of it, and the rest of the plan on a timeline.
import { z } from "zod";
import type { CleanStep, KnownHardware, StepArgs } from "@/server/domain/cleaning/steps/step";
import { cleaningContext, emptyCleaning } from "@/server/domain/lifecycle/context";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";
import type { AskedOfCleaning } from "@/server/contract/hosts/hosts-answers";
import type { StepRunLine, TimelineLane } from "@/server/contract/reclamations/reclamation";

/** How long a step usually takes, from its history, else from the catalogue. Null if a person decides, or if the step is unknown. Pure. */
export function usualMs(
  declared: CleanStep | null,
  known: KnownHardware,
  args: StepArgs,
  past: PastDuration | undefined,
): number | null {
  const own = declared?.expectedMs(known, args) ?? null;
  return own === null ? null : (past?.medianMs ?? own);
}

const eraseEnds = z.record(z.string(), z.number().nullable());

/** The latest end that a device of the attempt estimates, else its start plus the usual duration. Pure. */
export function expectedEnd(
  attempt: { readonly startedAt: Date; readonly eraseEnds: unknown } | undefined,
  expectedMs: number | null,
): Date | null {
  if (attempt === undefined) return null;
  const ends = Object.values(eraseEnds.catch({}).parse(attempt.eraseEnds)).filter((end) => end !== null);
  if (ends.length > 0) return new Date(Math.max(...ends));
  return expectedMs === null ? null : new Date(attempt.startedAt.getTime() + expectedMs);
}

const withCleaning = z.looseObject({ cleaning: cleaningContext.prefault(emptyCleaning) });
const time = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Hold and abort from the context of the host's run; null context: the reclamation is over, or another is in progress. Throws on an unknown context. */
export function askedOf(context: unknown): AskedOfCleaning {
  const { hold, abort } = context === null ? emptyCleaning() : withCleaning.parse(context).cleaning;
  return {
    hold:
      hold === null
        ? null
        : { byName: hold.by.name, reason: hold.reason, since: time(hold.since), until: time(hold.until) },
    abort: abort === null ? null : { byName: abort.by.name, at: new Date(abort.at) },
  };
}

/** Lanes of the steps that have not started, sequentially from the end of the running one; none after a step with an unknown duration. Pure. */
export function plannedLanes(steps: readonly StepRunLine[], now: Date): readonly TimelineLane[] {
  const running = steps.find(({ status }) => status === "running");
  if (running !== undefined && running.expectedEndAt === null) return [];
  let at = Math.max(now.getTime(), running?.expectedEndAt?.getTime() ?? 0);
  const lanes: TimelineLane[] = [];
  for (const { step, expectedMs, status } of steps) {
    if (status !== "planned") continue;
    if (expectedMs === null) break;
    lanes.push({
      name: step,
      bars: [{ from: new Date(at), to: new Date(at + expectedMs), words: "expected", tone: null }],
    });
    at += expectedMs;
  }
  return lanes;
}
