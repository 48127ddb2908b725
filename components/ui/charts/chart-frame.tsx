"use client";
// A section with a chart: a heading, a one-sentence summary, and the same data as a table.
import { useId, useState, type ReactNode } from "react";

interface ChartFrameProps {
  title: string;
  sum: ReactNode;
  chart: ReactNode;
  /** The same data as an HTML table. */
  table: ReactNode;
}

/** A button switches between "Table" and "Chart". */
export function ChartFrame({ title, sum, chart, table }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const bodyId = useId();
  return (
    <>
      <div className="sec">
        <h2>{title}</h2>
        <span className="sum cut">{sum}</span>
        <span className="end">
          <button
            type="button"
            className="view-switch"
            aria-pressed={asTable}
            aria-controls={bodyId}
            aria-label={`${title} as a ${asTable ? "chart" : "table"}`}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? "Chart" : "Table"}
          </button>
        </span>
      </div>
      <div id={bodyId}>{asTable ? table : chart}</div>
    </>
  );
}
