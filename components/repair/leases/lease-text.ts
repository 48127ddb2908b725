// When a host that is handed over is expected back.
const day = 24 * 3_600_000;

export const backIn = {
  none: { words: "Not specified", ms: null },
  day: { words: "In a day", ms: day },
  threeDays: { words: "In 3 days", ms: 3 * day },
  week: { words: "In a week", ms: 7 * day },
  month: { words: "In 30 days", ms: 30 * day },
} as const;
export type BackIn = keyof typeof backIn;

/** Null if not specified. */
export function untilOf(chosen: BackIn, nowMs: number): Date | null {
  const { ms } = backIn[chosen];
  return ms === null ? null : new Date(nowMs + ms);
}
