// Notices: what the provider announces for machines, and the current standing of each (docs/repair.md#notices). Pure.
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";

export const noticeKinds = ["maintenance", "retirement", "replacement"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const noticeScopes = ["host", "rack", "site"] as const;
export type NoticeScope = (typeof noticeScopes)[number];

export const noticeEnds = ["done", "cancelled"] as const;
export type NoticeEnd = (typeof noticeEnds)[number];

export const noticeStandings = ["planned", "current", "overdue", "done", "cancelled"] as const;
export type NoticeStanding = (typeof noticeStandings)[number];

/** Labels and tones. */
export const standingTable = {
  planned: { words: "planned", tone: "waiting" },
  current: { words: "now", tone: "working" },
  overdue: { words: "longer than planned", tone: "attention" },
  done: { words: "over", tone: "neutral" },
  cancelled: { words: "cancelled", tone: "neutral" },
} satisfies Record<NoticeStanding, { readonly words: string; readonly tone: Tone }>;

interface NoticeTimes {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

export function noticeStatus(
  { startsAt, endsAt, ended }: NoticeTimes & { readonly ended: NoticeEnd | null },
  now: Date,
): NoticeStanding {
  if (ended !== null) return ended;
  if (now < startsAt) return "planned";
  return endsAt !== null && now >= endsAt ? "overdue" : "current";
}

/** Two years. Anything later is a typing error. */
const farthestMs = 2 * 366 * 86_400_000;

/** What is wrong with the times of a notice; null: nothing. A planned maintenance needs an end so that tenants can plan. */
export function timesRefusal(kind: NoticeKind, { startsAt, endsAt }: NoticeTimes, now: Date): string | null {
  if (startsAt.getTime() - now.getTime() > farthestMs) return "It starts more than two years from now.";
  if (endsAt !== null && endsAt <= startsAt) return "It ends before it starts.";
  if (endsAt !== null && endsAt <= now) return "It would already be over.";
  if (kind === "maintenance" && startsAt > now && endsAt === null)
    return "Give the end of the planned maintenance.";
  return null;
}
