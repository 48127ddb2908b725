"use client";
// A sparkline: a day behind a number, without an axis. The number beside it says what matters.
import dynamic from "next/dynamic";

const SparklineChart = dynamic(() => import("@/components/ui/charts/sparkline-chart"), {
  ssr: false,
  loading: () => null,
});

/** Nothing while there are fewer than two values; its place keeps the room. */
export const Sparkline = ({ values }: { values: readonly number[] }) =>
  values.length < 2 ? null : <SparklineChart values={values} />;
