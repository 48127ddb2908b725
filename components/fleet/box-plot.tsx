// Durations as boxes on a logarithmic axis: p5 to p95 as a line, p25 to p75 as a box, the median as a stroke.
import { formatCount } from "@/components/ui/format/numbers";
import { formatDuration } from "@/components/ui/format/duration";

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
const tickMs = [
  10,
  100,
  1_000,
  6_000,
  60_000,
  600_000,
  3_600_000,
  18_000_000,
  86_400_000,
  7 * 86_400_000,
] as const;

/** The two round ends between which all rows lie. */
function axisEnds(rows: readonly BoxRow[]): [number, number] {
  const low = Math.max(1, Math.min(...rows.map((row) => row.p5Ms)));
  const high = Math.max(...rows.map((row) => row.p95Ms), low * 2);
  return [
    tickMs.findLast((tick) => tick <= low) ?? tickMs[0],
    tickMs.find((tick) => tick >= high) ?? 7 * 86_400_000,
  ];
}

const tickWords = (ms: number) => (ms < 1000 ? `${ms} ms` : formatDuration(ms));

/** Names at the left, numbers of runs at the right. */
export function BoxPlot({ rows, summary }: { rows: readonly BoxRow[]; summary: string }) {
  const [low, high] = axisEnds(rows);
  const at = (ms: number) => (Math.log(Math.max(ms, low) / low) / Math.log(high / low)) * 100;
  const percent = (share: number) => `${share.toFixed(2)}%`;
  const plotPx = rows.length * rowPx;
  const ticks = tickMs.filter((tick) => tick >= low && tick <= high);
  return (
    <div className="chart rows-chart">
      <div>
        {rows.map((row) => (
          <span key={row.name} className="mono cut" title={row.name}>
            {row.name}
          </span>
        ))}
      </div>
      <svg width="100%" height={plotPx + 18} role="img" aria-label={summary}>
        {ticks.map((tick, index) => (
          <g key={tick}>
            <line className="grid" x1={percent(at(tick))} x2={percent(at(tick))} y1="0" y2={plotPx} />
            <text
              className={index === 0 || index === ticks.length - 1 ? "dim" : "dim alt"}
              x={percent(at(tick))}
              y={plotPx + 14}
              textAnchor={index === 0 ? "start" : index === ticks.length - 1 ? "end" : "middle"}
            >
              {tickWords(tick)}
            </text>
          </g>
        ))}
        {rows.map((row, index) => (
          <g key={row.name}>
            <rect
              className="fill-dark"
              x={percent(at(row.p5Ms))}
              width={percent(at(row.p95Ms) - at(row.p5Ms))}
              y={index * rowPx + 10.5}
              height="1"
            />
            <rect
              className="fill-pale"
              x={percent(at(row.p25Ms))}
              width={percent(Math.max(0.4, at(row.p75Ms) - at(row.p25Ms)))}
              y={index * rowPx + 6}
              height="10"
            />
            <rect className="med" x={percent(at(row.p50Ms))} width="2" y={index * rowPx + 6} height="10" />
          </g>
        ))}
      </svg>
      <div>
        {rows.map((row) => (
          <span key={row.name} className="end-aligned text-quiet">
            {formatCount(row.runs)}
          </span>
        ))}
      </div>
    </div>
  );
}
