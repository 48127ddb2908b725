// What may be asked of many hosts at once; words, consequences and rights are those of one host (`host-actions.ts`).
import type { CleaningActionName, HostActionName } from "@/server/domain/hosts/host-actions";
import type { IntentKind } from "@/server/domain/lifecycle/signals";

export const bulkIntents = [
  "clean",
  "abort",
  "hold",
  "resume",
  "retry",
  "restart",
  "manage",
  "provide",
  "setMaintenance",
  "clearMaintenance",
  "decommission",
  "forceDelete",
] as const satisfies readonly (HostActionName | CleaningActionName)[];
export type BulkIntent = (typeof bulkIntents)[number];

/** Those that the controller follows by a signal; maintenance is written at once. */
export type SignalledIntent = Extract<BulkIntent, IntentKind>;

/** Most hosts of one act. */
export const mostBulkHosts = 10_000;

export const isSignalled = (intent: BulkIntent): intent is SignalledIntent =>
  intent !== "setMaintenance" && intent !== "clearMaintenance";
