"use client";
// Returns and releases per hour, as two step lines. Drawn with Recharts, which loads after the page.
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { Fitted } from "@/components/ui/charts/fitted";
import { axisText } from "@/components/ui/charts/axis";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import { bucketMsOf, formatMark } from "@/components/fleet/charts/time-marks";
import { useTimeZone } from "@/components/ui/time/clock";

export interface HourCount {
  /** The start of the hour. */
  atMs: number;
  released: number;
  returned: number;
}

/** Spacing at which the axis labels do not touch. */
const markEvery = { 24: 4, 168: 4, 720: 5 } as const satisfies Record<FleetFilter["hours"], number>;

const returnsChartPx = 148;

/** Whole numbers for the y axis, four at most. */
function yTicks(hours: readonly HourCount[]): number[] {
  const most = Math.max(1, ...hours.flatMap(({ released, returned }) => [released, returned]));
  const step =
    [1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 200, 250, 400, 500, 1000, 2000, 5000].find(
      (candidate) => candidate * 3 >= most,
    ) ?? Math.ceil(most / 3);
  return [0, step, 2 * step, 3 * step];
}

const stepLine = {
  type: "stepAfter",
  strokeWidth: 1.25,
  dot: false,
  activeDot: { r: 2 },
  isAnimationActive: false,
} as const;

/** The caller provides the text summary; this chart is hidden from screen readers, which have the table. */
export default function ReturnsChart({
  hours,
  span,
}: {
  hours: readonly HourCount[];
  span: FleetFilter["hours"];
}) {
  const zone = useTimeZone();
  const ticks = yTicks(hours);
  const last = hours.at(-1);
  // A step needs an end, so the last hour is drawn as wide as the others.
  const drawn = last === undefined ? [] : [...hours, { ...last, atMs: last.atMs + bucketMsOf(span) }];
  return (
    <div className="chart" aria-hidden="true">
      <Fitted heightPx={returnsChartPx} firstWidthPx={570}>
        <LineChart data={drawn} margin={{ top: 12, right: 4, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--n5)" />
          <XAxis
            dataKey="atMs"
            tickFormatter={(ms: number) => formatMark(ms, span, zone)}
            ticks={hours.filter((_, index) => index % markEvery[span] === 0).map(({ atMs }) => atMs)}
            interval={0}
            tick={axisText}
            tickLine={false}
            axisLine={false}
            height={20}
          />
          <YAxis
            width={32}
            ticks={ticks}
            domain={[0, ticks.at(-1) ?? 1]}
            tick={axisText}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--n6)" }}
            content={({ payload }) => (
              <HourTip
                hour={hours.find(({ atMs }) => atMs === payload[0]?.payload?.atMs)}
                format={(ms) => formatMark(ms, span, zone)}
              />
            )}
          />
          <Line {...stepLine} dataKey="released" stroke="var(--n8)" strokeDasharray="3 2" />
          <Line {...stepLine} dataKey="returned" stroke="var(--n12)" />
        </LineChart>
      </Fitted>
    </div>
  );
}

function HourTip({ hour, format }: { hour: HourCount | undefined; format: (ms: number) => string }) {
  if (hour === undefined) return null;
  return (
    <div className="chart-tip">
      {format(hour.atMs)}: <b>{hour.returned}</b> returned, <b>{hour.released}</b> released
    </div>
  );
}
