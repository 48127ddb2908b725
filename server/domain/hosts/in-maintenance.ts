// Texts for a Ready host, which no gate holds back, that maintenance or an alert keeps out of allocation.
import type { StoredState } from "@/server/domain/lifecycle/states";

export const readyInMaintenance = {
  waitsFor: "Nothing: the host is in maintenance and is not allocated",
  checkNext:
    "Read the reason for the maintenance, and end it when the work is done: the host is checked before it is allocated again",
} as const;

/** Pure. */
export const isReadyInMaintenance = (state: StoredState, maintenance: boolean): boolean =>
  maintenance && state === "Ready";

export const readyUnderAlert = {
  waitsFor: "Nothing: an alert keeps the host out of allocation",
  checkNext:
    "See the host's Health tab for the alert and its source. The host can be allocated again when the source clears it, or when somebody removes the report",
} as const;
