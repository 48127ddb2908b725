"use client";
// How long clean steps took in the last 24 hours.
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { tookWords } from "@/components/ui/format/duration";
import { Empty } from "@/components/ui/empty";
import type { StepDuration } from "@/server/surfaces/trpc/types";
import { BoxPlot } from "@/components/fleet/box-plot";

/** A box per step. */
export function DurationsSection({ steps }: { steps: readonly StepDuration[] }) {
  const summary = steps
    .map((step) => `${step.step}: median ${tookWords(step.p50Ms)}, ${step.runs} runs`)
    .join("; ");
  return (
    <ChartFrame
      title="Step durations"
      sum="p5, p25, p50, p75, p95; runs in 24 h at the right"
      chart={
        steps.length === 0 ? (
          <Empty title="No clean step has ended in the last 24 hours">
            Release an instance, and its host&rsquo;s steps are timed here.
          </Empty>
        ) : (
          <BoxPlot rows={steps.map((step) => ({ ...step, name: step.step }))} summary={summary} />
        )
      }
      table={
        <table className="t tight">
          <thead>
            <tr>
              <th scope="col" className="wide-name">
                Step
              </th>
              {["p5", "p25", "p50", "p75", "p95", "Runs"].map((words) => (
                <th key={words} scope="col" className="r">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <tr key={step.step}>
                <td data-m="a" className="mono">
                  {step.step}
                </td>
                {[step.p5Ms, step.p25Ms, step.p50Ms, step.p75Ms, step.p95Ms].map((ms, index) => (
                  <td key={index} className="r" data-m={index === 2 ? "b" : undefined}>
                    {tookWords(ms)}
                  </td>
                ))}
                <td className="r" data-m="d">
                  {step.runs}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}
