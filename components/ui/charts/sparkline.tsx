"use client";
// A sparkline of the last day beside a number, without axes. The number carries the meaning.
import dynamic from "next/dynamic";

const SparklineChart = dynamic(() => import("@/components/ui/charts/sparkline-chart"), {
  ssr: false,
  loading: () => null,
});

/** Empty with fewer than two values; its container keeps the space. */
export const Sparkline = ({ values }: { values: readonly number[] }) =>
  values.length < 2 ? null : <SparklineChart values={values} />;
