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

/** Those after which a Ready host is no longer in allocation. */
const leaving: ReadonlySet<BulkIntent> = new Set([
  "clean",
  "manage",
  "setMaintenance",
  "decommission",
  "forceDelete",
]);
export const leavesAllocation = (intent: BulkIntent): boolean => leaving.has(intent);

/** Hosts of a SKU at a site that are Ready and in allocation, now and after a bulk act. */
export interface ReadyChange {
  readonly now: number;
  readonly after: number;
}

/** So many Ready hosts leave allocation without anybody typing how many hosts the act is for. */
const fewReady = 10;

/** Whether the number of hosts has to be typed: for what erases or removes, and what takes many Ready hosts, or the last ones of a SKU at a site. Pure. */
export const isLarge = (intent: BulkIntent, erases: boolean, ready: readonly ReadyChange[]): boolean =>
  erases ||
  intent === "forceDelete" ||
  intent === "decommission" ||
  ready.reduce((taken, { now, after }) => taken + now - after, 0) > fewReady ||
  ready.some(({ now, after }) => now > 0 && after === 0);

/** Maximum number of hosts in one bulk act. */
export const maxBulkHosts = 10_000;

export const isSignalled = (intent: BulkIntent): intent is SignalledIntent =>
  intent !== "setMaintenance" && intent !== "clearMaintenance";
