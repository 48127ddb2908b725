"use client";
// Repairs that ended per day, stacked by outcome. Drawn with Recharts, which loads after the page.
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { axisText, timeAxis } from "@/components/ui/charts/axis";
import { Fitted } from "@/components/ui/charts/fitted";
import type { RepairOutcomes } from "@/server/surfaces/trpc/types";

const chartPx = 132;
/** In stacking order. */
const parts = [
  { key: "completed", fill: "var(--n8)" },
  { key: "unrecorded", fill: "var(--n5)" },
  { key: "none", fill: "var(--attention)" },
  { key: "failed", fill: "var(--failed)" },
] as const;

/** Hidden from screen readers, which have the table. */
export default function OutcomesChart({ perDay }: Pick<RepairOutcomes, "perDay">) {
  return (
    <div className="chart" aria-hidden="true">
      <Fitted heightPx={chartPx} firstWidthPx={570}>
        <BarChart
          data={[...perDay]}
          margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--n5)" />
          <XAxis {...timeAxis} dataKey="day" tickFormatter={(day: string) => day.slice(5)} />
          <YAxis width={32} allowDecimals={false} tick={axisText} tickLine={false} axisLine={false} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--n3)" }}
            content={({ payload }) => (
              <DayTip day={perDay.find(({ day }) => day === payload[0]?.payload?.day)} />
            )}
          />
          {parts.map(({ key, fill }) => (
            <Bar key={key} dataKey={key} stackId="day" fill={fill} isAnimationActive={false} />
          ))}
        </BarChart>
      </Fitted>
    </div>
  );
}

function DayTip({ day }: { day: RepairOutcomes["perDay"][number] | undefined }) {
  if (day === undefined) return null;
  return (
    <div className="chart-tip">
      {day.day}: <b>{day.completed}</b> completed, <b>{day.failed}</b> failed, <b>{day.none}</b> without an
      outcome
    </div>
  );
}
