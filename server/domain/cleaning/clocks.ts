// A reclamation's two clocks: one counts all time, the other stops while nothing can happen but waiting, for people or in a queue
// (docs/design/lifecycle.md#time-limits).
import { isFailed, isOnHold } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

export interface Clock {
  readonly startedAtMs: number;
  /** Moves forward with every pause; null: no limit yet. */
  readonly limitAtMs: number | null;
  /** Total of the pauses that have ended. */
  readonly pausedMs: number;
  /** When the current pause began. */
  readonly pausedAtMs: number | null;
}

const waitsForPeople: ReadonlySet<State> = new Set<State>([
  "WaitingForCleanup/Queued",
  "ManualCleaning/Queued",
  "BomValidating/WaitingForSkuAssignment",
  "BomValidating/SkuMissing",
  "BomValidating/SkuVerificationFailed",
  "ReturnToAllocation/AwaitingHealth",
  "ReturnToAllocation/AwaitingRepair",
  "ReturnToAllocation/AwaitingProcedure",
  "ReturnToAllocation/AwaitingSignOff",
]);

/** Whether the clock is stopped in a state: on hold, failed, queued, or waiting for a person. */
export function clockStands(state: State): boolean {
  return isOnHold(state) || isFailed(state) || waitsForPeople.has(state);
}

/** How entering `state` changes the clock; null: not at all. Times in ms. Pure. */
export function clockIn(
  state: State,
  clock: Clock,
  nowMs: number,
): Pick<Clock, "limitAtMs" | "pausedMs" | "pausedAtMs"> | null {
  const { limitAtMs, pausedMs, pausedAtMs } = clock;
  if (clockStands(state)) return pausedAtMs === null ? { limitAtMs, pausedMs, pausedAtMs: nowMs } : null;
  if (pausedAtMs === null) return null;
  const pauseMs = Math.max(0, nowMs - pausedAtMs);
  return {
    limitAtMs: limitAtMs === null ? null : limitAtMs + pauseMs,
    pausedMs: pausedMs + pauseMs,
    pausedAtMs: null,
  };
}

/** The time that counts towards the limit, and all time, in ms, up to `untilMs`. Pure. */
export function clocksAt(
  clock: Clock,
  untilMs: number,
): { readonly workedMs: number; readonly wholeMs: number } {
  const wholeMs = Math.max(0, untilMs - clock.startedAtMs);
  const pausedMs = clock.pausedMs + (clock.pausedAtMs === null ? 0 : Math.max(0, untilMs - clock.pausedAtMs));
  return { workedMs: Math.max(0, wholeMs - pausedMs), wholeMs };
}

/** How far a reclamation is over its limit, in ms; null: within it, or without a limit. It does not become overdue while its clock is stopped. Pure. */
export function overdueMs(
  { limitAtMs, pausedAtMs }: Pick<Clock, "limitAtMs" | "pausedAtMs">,
  nowMs: number,
): number | null {
  if (limitAtMs === null) return null;
  const overMs = (pausedAtMs ?? nowMs) - limitAtMs;
  return overMs > 0 ? overMs : null;
}
