// A sparkline: a day behind a number, without an axis. The number beside it says what matters.

const plotPx = 24;
const topPx = 2;

/** The points of a line in a 100 × 100 box, the largest value on top; a flat line lies in the middle. */
export function linePoints(values: readonly number[]): { x: number; y: number }[] {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value, index) => ({
    x: values.length < 2 ? 100 : (index / (values.length - 1)) * 100,
    y: span === 0 ? 50 : 100 - ((value - low) / span) * 100,
  }));
}

/** Nothing but the ground line while there are fewer than two values. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const points = values.length < 2 ? [] : linePoints(values);
  const last = points.at(-1);
  return (
    <svg aria-hidden="true">
      <line className="grid" x1="0" x2="100%" y1="27.5" y2="27.5" />
      {last === undefined ? null : (
        <>
          <svg width="96%" height={plotPx} y={topPx} viewBox="0 0 100 100" preserveAspectRatio="none">
            <polyline
              className="ink quiet"
              points={points.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ")}
            />
          </svg>
          <circle cx="96%" cy={topPx + (last.y * plotPx) / 100} r="2" fill="var(--n12)" />
        </>
      )}
    </svg>
  );
}
