// What tests expect of an outcome: its value, or why there is none.
import type { Outcome } from "@/server/usecases/problem";

/** Throws what was refused. */
export function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(outcome.problem.detail);
  return outcome.value;
}

/** Null: it was done. */
export const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.problem.code);

/** In words; null: it was done. */
export const refusalOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.problem.detail);
