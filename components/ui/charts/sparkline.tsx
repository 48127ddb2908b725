"use client";
// A sparkline: a day behind a number, without an axis. The number beside it says what matters.
import dynamic from "next/dynamic";

const SparklineChart = dynamic(() => import("@/components/ui/charts/sparkline-chart"), {
  ssr: false,
  loading: () => null,
});

/** Nothing but its room while there are fewer than two values. */
export function Sparkline({ values }: { values: readonly number[] }) {
  return (
    <div className="sparkline" aria-hidden="true">
      {values.length < 2 ? null : <SparklineChart values={values} />}
    </div>
  );
}
