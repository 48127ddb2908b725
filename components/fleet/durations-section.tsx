"use client";
// How long clean steps took in the selected period.
import dynamic from "next/dynamic";
import { Breakable } from "@/components/ui/breakable";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { formatElapsed } from "@/components/ui/format/duration";
import { boxPlotPx } from "@/components/fleet/charts/box-scale";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { StepDuration } from "@/server/surfaces/trpc/types";

const BoxPlot = dynamic(() => import("@/components/fleet/charts/box-plot"), {
  ssr: false,
  loading: () => null,
});

/** One box per step. The section has its final height from the start. */
export function DurationsSection({ steps, span }: { steps: readonly StepDuration[]; span: string }) {
  const summary = steps
    .map((step) => `${step.step}: median ${formatElapsed(step.p50Ms)}, ${step.runs} runs`)
    .join("; ");
  return (
    <ChartFrame
      title="Step durations"
      sum={`p5, p25, p50, p75, p95; ${span.toLowerCase()}, runs at the right`}
      chart={
        steps.length === 0 ? (
          <Empty title="No clean step ended in this period">
            When an instance is released, the steps of its host are timed here.
          </Empty>
        ) : (
          <>
            <div style={{ minHeight: boxPlotPx(steps.length) }}>
              <BoxPlot rows={steps.map((step) => ({ ...step, name: step.step }))} />
            </div>
            <p className="visually-hidden">{summary}</p>
          </>
        )
      }
      table={<DataTable caption="Step durations" columns={columns} rows={steps} rowId={({ step }) => step} />}
    />
  );
}

const percentile = (
  id: "p5Ms" | "p25Ms" | "p50Ms" | "p75Ms" | "p95Ms",
  label: string,
): TableColumn<StepDuration> => ({
  id,
  label,
  align: "end",
  firstOrder: "descending",
  sort: (step) => step[id],
  ...(id === "p50Ms" ? { narrow: "top-end" } : {}),
  cell: (step) => formatElapsed(step[id]),
});

const column = columnsOf<StepDuration>();

const columns: readonly TableColumn<StepDuration>[] = [
  column.cell("step", "Step", ({ step }) => <Breakable text={step} />, {
    width: "40%",
    narrow: "top-start",
    rowHeader: true,
    className: "mono wrapping",
    sort: ({ step }) => step,
  }),
  percentile("p5Ms", "p5"),
  percentile("p25Ms", "p25"),
  percentile("p50Ms", "p50"),
  percentile("p75Ms", "p75"),
  percentile("p95Ms", "p95"),
  column.count("runs", "Runs", ({ runs }) => runs, {
    align: "end",
    narrow: "bottom-end",
    firstOrder: "descending",
  }),
];
