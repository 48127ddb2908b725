"use client";
// Returns against releases: chart, sum and table.
import dynamic from "next/dynamic";
import { formatCount } from "@/components/ui/format/numbers";
import { formatClock } from "@/components/ui/format/times";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { useTimeZone } from "@/components/ui/time/clock";
import { DataTable } from "@/components/ui/table/data-table";
import type { HourCount } from "@/components/fleet/returns-chart";

/** The height of the chart and its axis, kept free while it loads. */
const ReturnsChart = dynamic(() => import("@/components/fleet/returns-chart"), {
  ssr: false,
  loading: () => <div className="chart room" />,
});

/** The last 24 hours. */
export function ReturnsSection({ hours }: { hours: readonly HourCount[] }) {
  const zone = useTimeZone();
  const released = hours.reduce((sum, hour) => sum + hour.released, 0);
  const returned = hours.reduce((sum, hour) => sum + hour.returned, 0);
  return (
    <ChartFrame
      title="Returns against releases"
      sum={`per hour; ${formatCount(released)} released, ${formatCount(returned)} back in 24 h`}
      chart={
        <>
          <ReturnsChart hours={hours} />
          <div className="legend inset">
            <span className="marked-text text-compact text-quiet">
              <svg width="16" height="8" aria-hidden="true">
                <line className="ink" x1="0" x2="16" y1="4.5" y2="4.5" />
              </svg>
              returned to ready
            </span>
            <span className="marked-text text-compact text-quiet">
              <svg width="16" height="8" aria-hidden="true">
                <line className="pale" x1="0" x2="16" y1="4.5" y2="4.5" />
              </svg>
              released
            </span>
          </div>
        </>
      }
      table={
        <DataTable
          caption="Returns against releases"
          rows={hours}
          rowId={({ atMs }) => String(atMs)}
          columns={[
            {
              id: "hour",
              label: "Hour from",
              narrow: "top-start",
              rowHeader: true,
              cell: ({ atMs }) => formatClock(atMs, zone),
            },
            {
              id: "returned",
              label: "Returned",
              align: "end",
              narrow: "top-end",
              cell: ({ returned }) => returned,
            },
            {
              id: "released",
              label: "Released",
              align: "end",
              narrow: "bottom-end",
              cell: ({ released }) => released,
            },
          ]}
        />
      }
    />
  );
}
