// Where the words of the bars of one lane stand, so that none lies over another.

export type LabelPlace = "in" | "after" | "before" | "none";

/** Shares of the axis: the bar, and how much of it its words need. */
interface LabelledBar {
  readonly start: number;
  readonly end: number;
  readonly needed: number;
  /** Its words never stand in it. */
  readonly beside?: boolean;
}

/** In the bar where they fit, else after it, else before it where the words of the bar before leave room, else only in its title. Pure. */
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
