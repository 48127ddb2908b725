"use client";
// Capacity to come: hosts whose running erases end, per half hour, by what their own devices say.
import { formatClock } from "@/components/ui/format/times";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { useTimeZone } from "@/components/ui/time/clock";
import { DataTable } from "@/components/ui/table/data-table";
import type { FleetSummary } from "@/server/surfaces/trpc/types";

const plotPx = 50;
const topPx = 14;

/** One bar per half hour. */
export function CapacitySection({ capacity }: { capacity: FleetSummary["capacity"] }) {
  const zone = useTimeZone();
  const { buckets, unknown } = capacity;
  const most = Math.max(1, ...buckets.map(({ hosts }) => hosts));
  const total = buckets.reduce((sum, { hosts }) => sum + hosts, 0);
  const step = 100 / Math.max(1, buckets.length);
  const unknownWords = unknown === 0 ? "" : `; ${unknown} more gave no estimate`;
  return (
    <ChartFrame
      title="Capacity to come"
      sum={`hosts whose erase ends, per half hour${unknownWords}`}
      chart={
        total === 0 ? (
          <p className="text-quiet text-compact">No erase in progress reports an estimate{unknownWords}.</p>
        ) : (
          <div className="chart">
            <svg
              width="100%"
              height={plotPx + 18}
              role="img"
              aria-label={buckets
                .map(({ until, hosts }) => `${hosts} by ${formatClock(until, zone)}`)
                .join(", ")}
            >
              {buckets.map(({ until, hosts }, index) => {
                const height = (hosts / most) * (plotPx - topPx);
                return (
                  <g key={until.getTime()}>
                    <rect
                      className="fill-pale"
                      x={`${(index * step).toFixed(2)}%`}
                      width={`${(step - 0.5).toFixed(2)}%`}
                      y={plotPx - height}
                      height={height}
                    />
                    {hosts === 0 ? null : (
                      <text x={`${(index * step).toFixed(2)}%`} y={plotPx - height - 4}>
                        {hosts}
                      </text>
                    )}
                    <text
                      className={index % 2 === 0 ? "dim" : "dim alt"}
                      x={`${(index * step).toFixed(2)}%`}
                      y={plotPx + 16}
                    >
                      {index === 0 ? "to " : ""}
                      {formatClock(until, zone)}
                    </text>
                  </g>
                );
              })}
              <line className="axis" x1="0" x2="100%" y1={plotPx + 0.5} y2={plotPx + 0.5} />
            </svg>
          </div>
        )
      }
      table={
        <DataTable
          caption="Capacity to come"
          rows={buckets}
          rowId={({ until }) => until.toISOString()}
          columns={[
            {
              id: "until",
              label: "Until",
              narrow: "top-start",
              rowHeader: true,
              cell: ({ until }) => formatClock(until, zone),
            },
            { id: "hosts", label: "Hosts", align: "end", narrow: "top-end", cell: ({ hosts }) => hosts },
          ]}
        />
      }
    />
  );
}
