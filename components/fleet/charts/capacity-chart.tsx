"use client";
// Hosts whose running erases will end, as bars per half hour. Drawn with Recharts.
import { Bar, BarChart, LabelList, XAxis, YAxis } from "recharts";
import { Fitted } from "@/components/ui/charts/fitted";
import { axisText, timeAxis } from "@/components/ui/charts/axis";
import { formatClock } from "@/components/ui/format/times";
import { useTimeZone } from "@/components/ui/time/clock";

interface CapacityBucket {
  until: Date;
  hosts: number;
}

const capacityChartPx = 72;

/** The caller provides the text alternative: screen readers get the summary and the table. */
export default function CapacityChart({ buckets }: { buckets: readonly CapacityBucket[] }) {
  const zone = useTimeZone();
  const data = buckets.map(({ until, hosts }) => ({
    until: formatClock(until, zone),
    hosts,
    label: hosts === 0 ? "" : hosts,
  }));
  return (
    <div className="chart" aria-hidden="true">
      <Fitted heightPx={capacityChartPx} firstWidthPx={570}>
        <BarChart
          data={data}
          margin={{ top: 16, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="4%"
          accessibilityLayer={false}
        >
          <XAxis dataKey="until" {...timeAxis} />
          <YAxis hide domain={[0, "dataMax"]} />
          <Bar dataKey="hosts" fill="var(--n6)" isAnimationActive={false}>
            <LabelList dataKey="label" position="top" offset={4} {...axisText} />
          </Bar>
        </BarChart>
      </Fitted>
    </div>
  );
}
