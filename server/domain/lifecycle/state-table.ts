// What each state means to people: tone, texts, what it waits for, what to check next. Pages, CLI and API share this table.
import type { Policy } from "@/server/domain/cleaning/policy/policy";
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

/** The row of a state. A state of another release is labelled with its name; it counts as failed if its name says so, and otherwise as waiting. */
export function describeState(state: StoredState): StateRow {
  if (isState(state)) return stateTable[state];
  const failed = isFailed(state);
  return {
    tone: failed ? "failed" : "waiting",
    label: state,
    waitsFor: "A server whose release supports this state",
    checkNext:
      "Finish the upgrade: this server's release does not support the state and offers no actions in it",
    tenantWords: "not proven clean yet; the provider is working on it",
    limit: "none",
  };
}

const minute = 60_000;

/** For carrying out a procedure, and again for its sign-off. When it has passed, the host is only shown as over its limit. */
const peopleMs = 24 * 60 * minute;

/** The time limit of a state under a policy, in ms; null: none; 0: always over its limit. Pure. */
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
      // Applies between steps; a running step has its own limit.
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
