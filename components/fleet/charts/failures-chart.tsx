"use client";
// Failures over time, stacked by cause. Drawn with Recharts. The most frequent causes have a shade of their own.
import { Bar, BarChart, CartesianGrid, XAxis, YAxis } from "recharts";
import { formatMark } from "@/components/fleet/charts/time-marks";
import { axisText, timeAxis } from "@/components/ui/charts/axis";
import { Fitted } from "@/components/ui/charts/fitted";
import { useTimeZone } from "@/components/ui/time/clock";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import type { FleetFailures } from "@/server/surfaces/trpc/types";

const chartPx = 148;
const shades = [1, 0.72, 0.5, 0.34] as const;
const others = "others";
const otherShade = 0.2;

interface FailuresChartProps {
  failures: FleetFailures;
  span: FleetFilter["hours"];
}

/** The caller provides the text alternative: screen readers get the summary and the table. */
export default function FailuresChart({ failures: { causes, buckets }, span }: FailuresChartProps) {
  const zone = useTimeZone();
  const named = causes
    .slice(0, shades.length)
    .map(({ cause }, index) => ({ cause, shade: shades[index] ?? 1 }));
  const data = buckets.map(({ at, counts }) => ({
    from: formatMark(at.getTime(), span, zone),
    ...Object.fromEntries(named.map(({ cause }, index) => [cause, counts[index] ?? 0])),
    [others]: counts.slice(named.length).reduce((sum, count) => sum + count, 0),
  }));
  const series = causes.length > named.length ? [...named, { cause: others, shade: otherShade }] : named;
  return (
    <>
      <div className="chart" aria-hidden="true">
        <Fitted heightPx={chartPx} firstWidthPx={570}>
          <BarChart
            data={data}
            margin={{ top: 12, right: 4, bottom: 0, left: 0 }}
            barCategoryGap="12%"
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--n5)" />
            <XAxis dataKey="from" {...timeAxis} />
            <YAxis width={32} tick={axisText} tickLine={false} axisLine={false} allowDecimals={false} />
            {series.map(({ cause, shade }) => (
              <Bar
                key={cause}
                dataKey={cause}
                stackId="failures"
                fill="var(--failed)"
                fillOpacity={shade}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </Fitted>
      </div>
      <div className="legend inset" aria-hidden="true">
        {series.map(({ cause, shade }) => (
          <span key={cause} className="marked-text text-compact text-quiet">
            <svg width="10" height="10">
              <rect width="10" height="10" fill="var(--failed)" fillOpacity={shade} />
            </svg>
            {cause}
          </span>
        ))}
      </div>
    </>
  );
}
