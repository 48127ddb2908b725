// Places the labels of one lane's bars so that none overlap.

export type LabelPlace = "in" | "after" | "before" | "none";

/** Shares of the axis: the bar, and the room its label needs. */
interface LabelledBar {
  readonly start: number;
  readonly end: number;
  readonly needed: number;
  /** The label is never inside the bar. */
  readonly beside?: boolean;
}

/** Inside the bar if it fits, else after it, else before it if the previous label leaves room, else only in the tooltip. Pure. */
export function labelPlaces(bars: readonly LabelledBar[]): readonly LabelPlace[] {
  let freeFrom = 0;
  return bars.map(({ start, end, needed, beside = false }, index) => {
    const next = bars[index + 1]?.start ?? 1;
    const place =
      !beside && end - start > needed
        ? "in"
        : next - end > needed
          ? "after"
          : start - freeFrom > needed
            ? "before"
            : "none";
    freeFrom = place === "after" ? end + needed : end;
    return place;
  });
}
