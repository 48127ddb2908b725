"use client";
// Durations as boxes on a logarithmic axis: a line from p5 to p95, a box from p25 to p75, a stroke at the median. Drawn with Recharts.
import { Bar, BarChart, CartesianGrid, XAxis, YAxis, type BarShapeProps } from "recharts";
import { Fitted } from "@/components/ui/charts/fitted";
import { axisText } from "@/components/ui/charts/axis";
import { formatDuration } from "@/components/ui/format/duration";
import { formatCount } from "@/server/domain/numbers";
import {
  axisEnds,
  axisPx,
  boxOf,
  boxPlotPx,
  boxTicks,
  type BoxRow,
} from "@/components/fleet/charts/box-scale";

const tickLabel = (ms: number) => (ms < 1000 ? `${ms} ms` : formatDuration(ms));

/** Names on the left, run counts on the right. The caller provides the text alternative. */
export default function BoxPlot({ rows }: { rows: readonly BoxRow[] }) {
  const [low, high] = axisEnds(rows);
  const height = boxPlotPx(rows.length);
  return (
    <div className="chart rows-chart" aria-hidden="true">
      <div>
        {rows.map((row) => (
          <span key={row.name} className="mono cut" title={row.name}>
            {row.name}
          </span>
        ))}
      </div>
      <Fitted heightPx={height} firstWidthPx={330}>
        <BarChart
          layout="vertical"
          data={rows.map((row) => ({ ...row, whole: [Math.max(low, row.p5Ms), Math.max(low, row.p95Ms)] }))}
          margin={{ top: 0, right: 20, bottom: 0, left: 20 }}
          accessibilityLayer={false}
        >
          <CartesianGrid horizontal={false} stroke="var(--n5)" />
          <XAxis
            type="number"
            scale="log"
            domain={[low, high]}
            ticks={boxTicks(low, high)}
            interval={0}
            tickFormatter={tickLabel}
            tick={axisText}
            tickLine={false}
            axisLine={false}
            height={axisPx}
          />
          <YAxis type="category" dataKey="name" hide />
          <Bar
            dataKey="whole"
            isAnimationActive={false}
            shape={(bar: BarShapeProps) => <Box bar={bar} row={rows[bar.index]} />}
          />
        </BarChart>
      </Fitted>
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

function Box({ bar: { x, y, width, height }, row }: { bar: BarShapeProps; row: BoxRow | undefined }) {
  if (row === undefined) return null;
  const { from, to, median } = boxOf(row);
  const middle = y + height / 2;
  return (
    <g>
      <rect className="fill-dark" x={x} width={width} y={middle - 0.5} height="1" />
      <rect
        className="fill-pale"
        x={x + width * from}
        width={Math.max(1, width * (to - from))}
        y={middle - 5}
        height="10"
      />
      <rect className="median" x={x + width * median} width="2" y={middle - 5} height="10" />
    </g>
  );
}
