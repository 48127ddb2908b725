"use client";
// A line without axes, drawn with Recharts.
import { Line, LineChart, YAxis } from "recharts";
import { Fitted } from "@/components/ui/charts/fitted";

const sparklinePx = 28;

/** A dot marks the newest value. */
export default function SparklineChart({ values }: { values: readonly number[] }) {
  const last = values.length - 1;
  return (
    <Fitted heightPx={sparklinePx} firstWidthPx={56}>
      <LineChart
        data={values.map((value) => ({ value }))}
        margin={{ top: 3, right: 3, bottom: 3, left: 0 }}
        accessibilityLayer={false}
      >
        <YAxis hide domain={["dataMin", "dataMax"]} />
        <Line
          type="linear"
          dataKey="value"
          stroke="var(--n8)"
          strokeWidth={1.25}
          isAnimationActive={false}
          activeDot={false}
          dot={({ index, cx, cy }) => (
            <circle key={index} cx={cx} cy={cy} r={index === last ? 2 : 0} fill="var(--n12)" stroke="none" />
          )}
        />
      </LineChart>
    </Fitted>
  );
}
