// Labels for repairs.
import type { Tone } from "@/components/ui/tone";
import type { RepairIssue, RepairLine } from "@/server/surfaces/trpc/types";

/** "Hardware: fan 3 stands still"; an operator's request has no category. */
export const issueWords = ({ category, summary }: Pick<RepairIssue, "category" | "summary">): string =>
  [category, summary === "" ? "no summary" : summary].filter((part) => part !== null).join(": ");

export const outcomeWords = {
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
    : { words: outcomeWords[outcome], tone: tones[outcome] };
}

/** The closing note: summary and ticket. */
export const noteWords = ({ ticket, note }: Pick<RepairLine, "ticket" | "note">): string | null =>
  ticket === null && note === null ? null : [note, ticket].filter((part) => part !== null).join("; ");

/** Who did the repair, as far as the reader may know. */
const repairerWords = ({ by, system, tenant }: Pick<RepairLine, "by" | "system" | "tenant">): string =>
  by === "system" ? (system ?? "a repair system") : (tenant ?? "another tenant");

/** In lists of several hosts, an external system is named here, because there is no instance column to name it. */
export const manyNoteWords = (row: RepairLine): string | null =>
  row.by === "system" ? byWords(row) : noteWords(row);

/** "Fixit: fan replaced; HW-1" */
export function byWords(row: RepairLine): string {
  const note = noteWords(row);
  return note === null ? repairerWords(row) : `${repairerWords(row)}: ${note}`;
}

/** What was wrong. For a repair system this is the reason of its lease, which not every reader may see. */
export const lineIssue = ({ by, issue }: Pick<RepairLine, "by" | "issue">): string | null =>
  issue === null ? (by === "system" ? "not specified" : null) : issueWords(issue);
