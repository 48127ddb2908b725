// What each state means to people: tone, words, what it waits for, what to check next. Page, CLI and API use this one table.
import type { Policy } from "@/server/domain/cleaning/policy";
import { assignedRows } from "@/server/domain/lifecycle/state-rows/assigned";
import { checkingRows } from "@/server/domain/lifecycle/state-rows/checking";
import { cleaningRows } from "@/server/domain/lifecycle/state-rows/cleaning";
import { failedRows } from "@/server/domain/lifecycle/state-rows/failed";
import { providerRows } from "@/server/domain/lifecycle/state-rows/provider";
import type { StateRow } from "@/server/domain/lifecycle/state-rows/state-row";
import { isFailed, isState, type State, type StoredState } from "@/server/domain/lifecycle/states";

/** Every state, in the order of the lifecycle. */
export const stateTable = {
  ...providerRows,
  ...assignedRows,
  ...cleaningRows,
  ...checkingRows,
  ...failedRows,
} satisfies Record<State, StateRow>;

/** The row of a state. One of another release is called by its text; it is a failure where that says so, and else waits. */
export function describeState(state: StoredState): StateRow {
  if (isState(state)) return stateTable[state];
  const failed = isFailed(state);
  return {
    tone: failed ? "failed" : "waiting",
    label: state,
    waitsFor: "A server whose release supports this state",
    checkNext:
      "Finish the upgrade: this server's release does not support the state and offers no actions in it",
    tenantWords: "being handled by the provider",
    limit: "none",
  };
}

const minute = 60_000;

/** For a procedure, and again for its sign-off. Nothing happens by itself when it has passed: the host is shown as over its limit. */
const peopleMs = 24 * 60 * minute;

/** The time limit of a state in ms under a policy; null: none; 0: always over its limit. Pure. */
export function stateLimitMs(state: State, policy: Policy): number | null {
  const times = policy.times;
  switch (stateTable[state].limit) {
    case "none":
      return null;
    case "always":
      return 0;
    case "state":
      return times.stateMs;
    case "boot":
      return Math.round(times.failureRetryMs * 1.1);
    case "plan":
      // Between steps; while one runs its own time limit is the state's.
      return Math.min(times.eraseStepMs, 240 * minute);
    case "inventory":
      return 5 * minute;
    case "validation":
      return times.validationMs;
    case "people":
      return peopleMs;
    case "verifying":
      return times.verifyingMs;
  }
}
