// Labels for repairs.
import type { Tone } from "@/components/ui/tone";
import type { RepairIssue, RepairLine } from "@/server/surfaces/trpc/types";

/** "Hardware: fan 3 stands still"; an operator's request has no category. */
export const formatIssue = ({ category, summary }: Pick<RepairIssue, "category" | "summary">): string =>
  [category, summary === "" ? "no summary" : summary].filter((part) => part !== null).join(": ");

export const outcomeLabels = {
  completed: "Completed",
  failed: "Failed",
  none: "No outcome",
} as const satisfies Record<NonNullable<RepairLine["outcome"]>, string>;

const tones = { completed: "neutral", failed: "failed", none: "attention" } as const satisfies Record<
  NonNullable<RepairLine["outcome"]>,
  Tone
>;

/** How a repair ended, or that it is in progress or has no recorded outcome. Without an outcome from a repair system, how its lease ended. */
export function lineOutcome({
  outcome,
  leaseEnd,
  releasedAt,
}: Pick<RepairLine, "outcome" | "leaseEnd" | "releasedAt">): {
  readonly words: string;
  readonly tone: Tone;
} {
  if (releasedAt === null) return { words: "in progress", tone: "working" };
  if (leaseEnd === "broken") return { words: "Lease broken", tone: "attention" };
  if (leaseEnd === "returned" && outcome === null) return { words: "Returned", tone: "neutral" };
  return outcome === null
    ? { words: "not recorded", tone: "neutral" }
    : { words: outcomeLabels[outcome], tone: tones[outcome] };
}

/** The closing note: summary and ticket. */
export const noteText = ({ ticket, note }: Pick<RepairLine, "ticket" | "note">): string | null =>
  ticket === null && note === null ? null : [note, ticket].filter((part) => part !== null).join("; ");

/** Who did the repair, as far as the reader may know. */
const formatRepairer = ({ by, system, tenant }: Pick<RepairLine, "by" | "system" | "tenant">): string =>
  by === "system" ? (system ?? "a repair system") : (tenant ?? "another tenant");

/** In lists of several hosts, an external system is named here, because there is no instance column to name it. */
export const formatManyNote = (row: RepairLine): string | null =>
  row.by === "system" ? byText(row) : noteText(row);

/** "Fixit: fan replaced; HW-1" */
export function byText(row: RepairLine): string {
  const note = noteText(row);
  return note === null ? formatRepairer(row) : `${formatRepairer(row)}: ${note}`;
}

/** What was wrong. For a repair system this is the reason of its lease, which not every reader may see. */
export const lineIssue = ({ by, issue }: Pick<RepairLine, "by" | "issue">): string | null =>
  issue === null ? (by === "system" ? "not specified" : null) : formatIssue(issue);
