// What a Ready host in maintenance waits for: its state says that no gate holds it back, and yet it is kept out of allocation.
import type { StoredState } from "@/server/domain/lifecycle/states";

export const readyInMaintenance = {
  waitsFor: "Nothing: the host is in maintenance and is not allocated",
  checkNext:
    "The reason for the maintenance. End it when the work is done: the host is then checked before it is allocated again",
} as const;

/** Pure. */
export const isReadyInMaintenance = (state: StoredState, maintenance: boolean): boolean =>
  maintenance && state === "Ready";

export const readyUnderAlert = {
  waitsFor: "Nothing: an alert keeps the host out of allocation",
  checkNext:
    "The host's Health tab says which alert, and who raises it. It may be allocated again when its source clears it, or when somebody removes the report",
} as const;
