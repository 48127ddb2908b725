// Intents that can be requested for many hosts at once. Labels, consequences and rights are those for one host (`host-actions.ts`).
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

/** Those that the controller carries out on a signal. Maintenance is written directly. */
export type SignalledIntent = Extract<BulkIntent, IntentKind>;

/** Maximum number of hosts in one bulk act. */
export const maxBulkHosts = 10_000;

export const isSignalled = (intent: BulkIntent): intent is SignalledIntent =>
  intent !== "setMaintenance" && intent !== "clearMaintenance";
