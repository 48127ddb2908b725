// What a handler returns: wait, go to another state, or fail.
import { otherCause } from "@/server/domain/cleaning/failures/cause";
import type { Cause, Causes } from "@/server/domain/cleaning/failures/cause";
import { causeText } from "@/server/domain/cleaning/failures/text";
import type { FailureCause, State } from "@/server/domain/lifecycle/states";

export type Failure = Extract<HandlerResult, { readonly kind: "fail" }>;

/** Stay and wait (until `untilMs` or a signal), enter another state at once, or stop in a failed state. */
export type HandlerResult =
  | { readonly kind: "wait"; readonly reason: string; readonly untilMs: number | null }
  | { readonly kind: "goto"; readonly state: State; readonly reason: string }
  | {
      readonly kind: "fail";
      readonly cause: FailureCause;
      readonly causes: Causes;
      /** The causes as text. */
      readonly message: string;
      readonly stepRunning: boolean;
    };

export const wait = (reason: string, untilMs: number | null): HandlerResult => ({
  kind: "wait",
  reason,
  untilMs,
});
export const goto = (state: State, reason: string): HandlerResult => ({ kind: "goto", state, reason });

/** `why`: the known causes, or plain text if there are none. */
export function fail(cause: FailureCause, why: Causes | string, stepRunning = false): Failure {
  const causes: Causes = typeof why === "string" ? [otherCause(why)] : why;
  return {
    kind: "fail",
    cause,
    causes,
    message: typeof why === "string" ? why : causeText(causes),
    stepRunning,
  };
}

/** The known causes, or `otherwise` if there are none. */
export function causesOr(known: readonly Cause[], otherwise: Cause): Causes {
  const [first, ...others] = known;
  return first === undefined ? [otherwise] : [first, ...others];
}

/** The earliest of these times, ignoring nulls. */
export function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time): time is number => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
