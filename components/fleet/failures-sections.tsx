"use client";
// Failures in the selected period: by cause over time, and by drive firmware. A separate query, so that the numbers above do not wait for it.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { formatMark } from "@/components/fleet/charts/time-marks";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted, formatPercent } from "@/server/domain/numbers";
import { Skeleton } from "@/components/ui/skeleton";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { useTimeZone } from "@/components/ui/time/clock";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import type { FleetFailures } from "@/server/surfaces/trpc/types";

const refreshMs = 15_000;

const FailuresChart = dynamic(() => import("@/components/fleet/charts/failures-chart"), {
  ssr: false,
  loading: () => <div className="chart room" />,
});

export function FailuresSections({ view }: { view: FleetFilter }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({
    ...trpc.fleet.failures.queryOptions(view),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  if (data === undefined)
    return (
      <section className="ruled" aria-label="Failures over time">
        {error === null ? (
          <Skeleton rows={5} />
        ) : (
          <ProblemNotice
            error={error}
            before="The failures could not be read."
            onRetry={() => void refetch()}
          />
        )}
      </section>
    );
  return (
    <div className="cols two ruled">
      <section>
        <OverTime failures={data} span={view.hours} />
      </section>
      <section>
        <ByFirmware firmware={data.firmware} />
      </section>
    </div>
  );
}

type Bucket = FleetFailures["buckets"][number];

const bucketColumn = columnsOf<Bucket>();

function OverTime({ failures, span }: { failures: FleetFailures; span: FleetFilter["hours"] }) {
  const zone = useTimeZone();
  const { causes, buckets } = failures;
  const total = causes.reduce((sum, { count }) => sum + count, 0);
  const from = ({ at }: Bucket) => formatMark(at.getTime(), span, zone);
  const columns: readonly TableColumn<Bucket>[] = [
    bucketColumn.cell("from", "From", from, { narrow: "top-start", rowHeader: true }),
    ...causes.map(({ cause }, index): TableColumn<Bucket> =>
      bucketColumn.cell(
        cause,
        cause,
        ({ counts }) => (
          <>
            {counts[index] ?? 0}
            <span className="narrow-label"> {cause}</span>
          </>
        ),
        { align: "end", narrow: "line" },
      ),
    ),
  ];
  return (
    <ChartFrame
      title="Failures over time"
      sum={`${formatCounted(total, "failure")}, by cause`}
      chart={
        total === 0 ? (
          <Empty title="No failures in this period">
            Each time a host fails, it is counted here by cause.
          </Empty>
        ) : (
          <>
            <FailuresChart failures={failures} span={span} />
            <p className="visually-hidden">
              {causes.map(({ cause, count }) => `${cause}: ${count}`).join(", ")}
            </p>
          </>
        )
      }
      table={
        <DataTable
          caption="Failures over time"
          columns={columns}
          rows={buckets}
          rowId={({ at }) => at.toISOString()}
        />
      }
    />
  );
}

type Firmware = FleetFailures["firmware"]["rows"][number];

function ByFirmware({ firmware }: { firmware: FleetFailures["firmware"] }) {
  const { reclamations, rows } = firmware;
  return (
    <>
      <div className="sec">
        <h2>Failures by firmware</h2>
        <span className="sum cut">
          drives of the newest {formatCounted(reclamations, "reclamation")} that ended or stopped
        </span>
      </div>
      {rows.length === 0 ? (
        <Empty title="No drives erased in this period">
          Drive models and firmware are listed here with the number of failures.
        </Empty>
      ) : (
        <DataTable
          caption="Failures by firmware"
          columns={firmwareColumns}
          rows={rows}
          rowId={({ model, firmware: version }) => `${model} ${version}`}
        />
      )}
    </>
  );
}

const firmwareColumn = columnsOf<Firmware>();

const firmwareColumns = [
  firmwareColumn.name("model", "Drive model", ({ model }) => model),
  firmwareColumn.text("firmware", "Firmware", ({ firmware }) => firmware, {
    width: 96,
    narrow: "bottom-start",
    className: "mono text-small",
  }),
  firmwareColumn.count("failed", "Failed", ({ failed }) => failed, { width: 64, narrow: "top-end" }),
  firmwareColumn.text(
    "share",
    "Of",
    ({ failed, reclamations }) =>
      `${formatCount(reclamations)}, ${formatPercent((100 * failed) / reclamations)}`,
    {
      width: 112,
      align: "end",
      narrow: "bottom-end",
      className: "text-quiet",
      firstOrder: "descending",
      sort: ({ failed, reclamations }) => failed / reclamations,
    },
  ),
  firmwareColumn.text("cause", "Most common cause", ({ cause }) => cause, {
    width: 144,
    narrow: "line",
    className: "text-quiet",
  }),
];
