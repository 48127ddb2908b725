// What is expected of a cleaning that runs: when its steps end, what a person asked of it, and the plan on a time axis.
import { z } from "zod";
import type { CleanStep, KnownHardware, StepArgs } from "@/server/domain/cleaning/steps/step";
import { cleaningContext, emptyCleaning } from "@/server/domain/lifecycle/context";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";
import type { AskedOfCleaning } from "@/server/contract/answers/hosts";
import type { StepRunLine, TimelineLane } from "@/server/contract/answers/reclamation";

/** What a step usually takes: by its past, else by the catalogue. Null: a person decides, or the step is not known. Pure. */
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

/** The latest end that a device of the attempt estimates, else its begin and what is usual. Pure. */
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

/** Hold and abort from the context of the host's run; null: the trip is over, or another runs. Throws on a context that this version does not know. */
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

/** Lanes of the steps that did not begin, one after the other from the end of the one that runs; none after a step of which nothing is known. Pure. */
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
