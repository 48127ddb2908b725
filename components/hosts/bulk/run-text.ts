// Labels for bulk acts: titles, host statuses, and the order in which they are shown.
import type { BulkHead, BulkStatus } from "@/server/surfaces/trpc/types";

/** Display order: statuses in progress first, then those that may need a look. */
export const statusOrder = [
  "running",
  "asked",
  "failed",
  "refusedLater",
  "refused",
  "cannot",
  "ended",
  "accepted",
  "can",
] as const satisfies readonly BulkStatus[];

export const statusText = {
  running: "running",
  asked: "requested, not started",
  failed: "failed",
  refusedLater: "refused at start",
  refused: "refused",
  cannot: "left out",
  ended: "done",
  accepted: "accepted",
  can: "not requested yet",
} as const satisfies Record<BulkStatus, string>;

/** "Clean manually: 5 steps", "Hold before next step: look at bay 3". Pure. */
export function runTitle({
  words,
  runbookName,
  steps,
  reason,
}: Pick<BulkHead, "words" | "runbookName" | "steps" | "reason">): string {
  if (runbookName !== null) return `${words}: runbook ${runbookName}`;
  if (steps.length > 0) return `${words}: ${steps.length === 1 ? (steps[0] ?? "") : `${steps.length} steps`}`;
  return reason === null ? words : `${words}: ${reason}`;
}

/** The statuses that at least one host has, with their counts. Pure. */
export function countsOf(
  counts: Readonly<Record<BulkStatus, number>>,
): readonly { readonly status: BulkStatus; readonly count: number }[] {
  return statusOrder.map((status) => ({ status, count: counts[status] })).filter(({ count }) => count > 0);
}

const settled: readonly BulkStatus[] = ["failed", "refusedLater", "refused", "ended", "accepted"];

/** How many hosts are finished, out of how many. Pure. */
export function throughOf(counts: Readonly<Record<BulkStatus, number>>): {
  readonly through: number;
  readonly of: number;
} {
  const through = settled.reduce((sum, status) => sum + counts[status], 0);
  return { through, of: through + counts.running + counts.asked + counts.can };
}
