"use client";
// What running the list on a host will take: time, restarts, erased devices; with a chart.
import { Fragment } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { spanTicks } from "@/components/ui/time/clock-ticks";
import { Gantt } from "@/components/ui/charts/gantt";
import { Skeleton } from "@/components/ui/skeleton";
import type { CleaningEstimate } from "@/server/surfaces/trpc/types";
import { laidOut, formatSum, takeFacts } from "@/components/cleaning/plan/take";

interface TakeSectionProps {
  /** Undefined while loading. */
  estimate: CleaningEstimate | undefined;
  error: unknown;
  onRetry: () => void;
  /** With several hosts: the one that the estimate is for. */
  exampleOf: string | null;
}

export function TakeSection({ estimate, error, onRetry, exampleOf }: TakeSectionProps) {
  return (
    <>
      <div className="sec">
        <h2>Estimate</h2>
        <span className="sum cut">{exampleOf === null ? "" : `on ${exampleOf}, as an example`}</span>
      </div>
      {error === null ? null : (
        <ProblemNotice error={error} before="The estimate could not be calculated." onRetry={onRetry} />
      )}
      {estimate === undefined ? error === null ? <Skeleton rows={4} /> : null : <Take estimate={estimate} />}
    </>
  );
}

function Take({ estimate }: { estimate: CleaningEstimate }) {
  const { toMs, lanes } = laidOut(estimate.steps);
  const { unit, ticks } = spanTicks(toMs);
  return (
    <>
      <dl className="pairs">
        {takeFacts(estimate).map(({ term, words }) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
      {lanes.length === 0 ? null : (
        <div className="take">
          <Gantt
            fromMs={0}
            toMs={toMs}
            nowMs={undefined}
            timeZone={unit}
            ticks={ticks}
            lanes={lanes}
            summary={`Expected: ${formatSum(estimate, estimate.steps.length)}.`}
          />
        </div>
      )}
    </>
  );
}
