"use client";
// Returns and releases: chart, totals and table.
import dynamic from "next/dynamic";
import { formatCount } from "@/server/domain/numbers";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import { formatMark } from "@/components/fleet/charts/time-marks";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { useTimeZone } from "@/components/ui/time/clock";
import { DataTable } from "@/components/ui/table/data-table";
import type { HourCount } from "@/components/fleet/charts/returns-chart";

/** The height of the chart and its axis is reserved while it loads. */
const ReturnsChart = dynamic(() => import("@/components/fleet/charts/returns-chart"), {
  ssr: false,
  loading: () => <div className="chart room" />,
});

const perText = {
  24: "per hour, last 24 h",
  168: "per 6 h, last 7 d",
  720: "per day, last 30 d",
} as const satisfies Record<FleetFilter["hours"], string>;

export function ReturnsSection({ hours, span }: { hours: readonly HourCount[]; span: FleetFilter["hours"] }) {
  const zone = useTimeZone();
  const released = hours.reduce((sum, hour) => sum + hour.released, 0);
  const returned = hours.reduce((sum, hour) => sum + hour.returned, 0);
  return (
    <ChartFrame
      title="Returns and releases"
      sum={`${perText[span]}; ${formatCount(released)} released, ${formatCount(returned)} back`}
      chart={
        <>
          <ReturnsChart hours={hours} span={span} />
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
          caption="Returns and releases"
          rows={hours}
          rowId={({ atMs }) => String(atMs)}
          columns={[
            {
              id: "hour",
              label: "From",
              narrow: "top-start",
              rowHeader: true,
              cell: ({ atMs }) => formatMark(atMs, span, zone),
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
