// How repairs are called on screen.
import type { Tone } from "@/components/ui/tone";
import type { RepairIssue, RepairLine } from "@/server/surfaces/trpc/types";

/** "Hardware: fan 3 stands still"; an operator's request names no category. */
export const issueWords = ({ category, summary }: Pick<RepairIssue, "category" | "summary">): string =>
  [category, summary === "" ? "no words" : summary].filter((part) => part !== null).join(": ");

export const outcomeWords = {
  completed: "Completed",
  failed: "Failed",
  none: "No outcome",
} as const satisfies Record<NonNullable<RepairLine["outcome"]>, string>;

const tones = { completed: "neutral", failed: "failed", none: "attention" } as const satisfies Record<
  NonNullable<RepairLine["outcome"]>,
  Tone
>;

/** How a repair ended; one that goes on, and one of which nothing was recorded, say so. */
export function lineOutcome({ outcome, releasedAt }: Pick<RepairLine, "outcome" | "releasedAt">): {
  readonly words: string;
  readonly tone: Tone;
} {
  if (releasedAt === null) return { words: "under way", tone: "working" };
  return outcome === null
    ? { words: "not recorded", tone: "neutral" }
    : { words: outcomeWords[outcome], tone: tones[outcome] };
}

/** What was noted at its end: ticket and summary. */
export const noteWords = ({ ticket, note }: Pick<RepairLine, "ticket" | "note">): string | null =>
  ticket === null && note === null ? null : [note, ticket].filter((part) => part !== null).join("; ");
