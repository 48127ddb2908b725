// What tests expect of an outcome: its value, or why there is none.
import type { Outcome } from "@/server/usecases/problem";

/** Throws on a refusal. */
export function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}

/** Null on success. */
export const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.problem.code);

/** In words; null on success. */
export const refusalOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.problem.detail);
