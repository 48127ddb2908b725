// A histogram of durations that can be added to indefinitely. Its steps are 9 %, so percentiles are off by less than that.

/** Each step is longer than the previous one by this factor. */
const ratio = 2 ** (1 / 8);
/** 8 steps per doubling, up to 2^40 ms, which is 34 years. */
const most = 320;

/** Pure. */
const stepOf = (ms: number): number =>
  Math.min(most, Math.max(0, Math.ceil(Math.log(Math.max(1, ms)) / Math.log(ratio))));

/** Pure. */
export function withDurations(histogram: readonly number[], durationsMs: readonly number[]): number[] {
  const counts = [...histogram];
  for (const ms of durationsMs) {
    const step = stepOf(ms);
    while (counts.length <= step) counts.push(0);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}

/** Number of durations in a histogram. Pure. */
export const durationsIn = (histogram: readonly number[]): number =>
  histogram.reduce((sum, count) => sum + count, 0);

/** The duration that this share of all does not exceed, in ms, and at most the longest one. Null: there are none. Pure. */
export function percentileMs(histogram: readonly number[], share: number, longestMs: number): number | null {
  const wanted = share * durationsIn(histogram);
  if (wanted === 0) return null;
  let seen = 0;
  for (const [step, count] of histogram.entries()) {
    seen += count;
    if (count > 0 && seen >= wanted) return Math.min(longestMs, Math.round(ratio ** step));
  }
  return longestMs;
}
