// What a handler answers: wait, go on to another state, or fail.
import type { FailureCause, State } from "@/server/domain/lifecycle/states";

/** What a handler returns: stay and wait (until `untilMs` or a signal), or go on to another state at once. */
export type HandlerResult =
  | { readonly kind: "wait"; readonly reason: string; readonly untilMs: number | null }
  | { readonly kind: "goto"; readonly state: State; readonly reason: string }
  | {
      readonly kind: "fail";
      readonly cause: FailureCause;
      readonly message: string;
      readonly stepRunning: boolean;
    };

export const wait = (reason: string, untilMs: number | null): HandlerResult => ({
  kind: "wait",
  reason,
  untilMs,
});
export const goto = (state: State, reason: string): HandlerResult => ({ kind: "goto", state, reason });
export const fail = (cause: FailureCause, message: string, stepRunning = false): HandlerResult => ({
  kind: "fail",
  cause,
  message,
  stepRunning,
});

/** The earliest of some times, nulls left out. */
export function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time): time is number => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
