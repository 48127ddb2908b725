"use client";
// Upcoming capacity: hosts whose running erases will end, per half hour, as estimated by their devices.
import { formatClock } from "@/components/ui/format/times";
import dynamic from "next/dynamic";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { useTimeZone } from "@/components/ui/time/clock";
import { DataTable } from "@/components/ui/table/data-table";
import type { FleetSummary } from "@/server/surfaces/trpc/types";

/** Its space is reserved while it loads. */
const CapacityChart = dynamic(() => import("@/components/fleet/charts/capacity-chart"), {
  ssr: false,
  loading: () => <div className="chart" style={{ height: 72 }} />,
});

/** One bar per half hour. */
export function CapacitySection({ capacity }: { capacity: FleetSummary["capacity"] }) {
  const zone = useTimeZone();
  const { buckets, unknown } = capacity;
  const total = buckets.reduce((sum, { hosts }) => sum + hosts, 0);
  const unknownText = unknown === 0 ? "" : `; ${unknown} more without an estimate`;
  return (
    <ChartFrame
      title="Upcoming capacity"
      sum={`hosts that finish their erase, per half hour${unknownText}`}
      chart={
        total === 0 ? (
          <p className="text-quiet text-compact">No erase in progress reports an estimate{unknownText}.</p>
        ) : (
          <>
            <CapacityChart buckets={buckets} />
            <p className="visually-hidden">
              {buckets.map(({ until, hosts }) => `${hosts} by ${formatClock(until, zone)}`).join(", ")}
            </p>
          </>
        )
      }
      table={
        <DataTable
          caption="Upcoming capacity"
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
