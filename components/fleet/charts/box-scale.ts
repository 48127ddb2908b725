// Positions of a box's parts on a logarithmic axis. Pure.

export interface BoxRow {
  name: string;
  runs: number;
  p5Ms: number;
  p25Ms: number;
  p50Ms: number;
  p75Ms: number;
  p95Ms: number;
}

const rowPx = 22;
export const axisPx = 20;

/** The height of a plot, known before it renders. */
export const boxPlotPx = (rows: number) => rows * rowPx + axisPx;

const dayMs = 86_400_000;
const tickMs = [10, 100, 1_000, 6_000, 60_000, 600_000, 3_600_000, 18_000_000, dayMs, 7 * dayMs] as const;

/** The round times that enclose all rows. */
export function axisEnds(rows: readonly BoxRow[]): readonly [number, number] {
  const low = Math.max(1, Math.min(...rows.map((row) => row.p5Ms)));
  const high = Math.max(...rows.map((row) => row.p95Ms), low * 2);
  return [
    tickMs.findLast((tick) => tick <= low) ?? tickMs[0],
    tickMs.find((tick) => tick >= high) ?? 7 * dayMs,
  ];
}

/** The round times within the axis. */
export const boxTicks = (low: number, high: number): readonly number[] =>
  tickMs.filter((tick) => tick >= low && tick <= high);

/** The box and its median, as shares of the line from p5 to p95. */
export function boxOf(row: BoxRow): { readonly from: number; readonly to: number; readonly median: number } {
  const log = (ms: number) => Math.log(Math.max(1, ms));
  const span = log(row.p95Ms) - log(row.p5Ms);
  const share = (ms: number) => (span <= 0 ? 0 : (log(ms) - log(row.p5Ms)) / span);
  return { from: share(row.p25Ms), to: share(row.p75Ms), median: share(row.p50Ms) };
}
