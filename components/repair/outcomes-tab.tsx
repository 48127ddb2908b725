"use client";
// How recent repairs ended: a chart, its numbers, and each repair.
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { repairColumns } from "@/components/repair/repair-sections";
import { outcomesQuery } from "@/components/repair/repair-view";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { formatAge } from "@/components/ui/format/duration";
import { Skeleton } from "@/components/ui/skeleton";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { RepairLine, RepairOutcomes } from "@/server/surfaces/trpc/types";

const refreshMs = 10_000;

const OutcomesChart = dynamic(() => import("@/components/repair/outcomes-chart"), {
  ssr: false,
  loading: () => <div className="chart room" />,
});

type Day = RepairOutcomes["perDay"][number];

const count = (id: Exclude<keyof Day, "day">, label: string): TableColumn<Day> => ({
  id,
  label,
  align: "end",
  narrow: id === "completed" ? "top-end" : "bottom-end",
  cell: (row) => row[id],
});

const dayColumns: readonly TableColumn<Day>[] = [
  { id: "day", label: "Day (UTC)", narrow: "top-start", rowHeader: true, cell: ({ day }) => day },
  count("completed", "Completed"),
  count("failed", "Failed"),
  count("none", "No outcome"),
  count("unrecorded", "Not recorded"),
];

const lineColumns: readonly TableColumn<RepairLine>[] = repairColumns(true);

/** "12 repairs ended in 30 days: 9 completed, 2 failed, 1 without an outcome; median 21 h held". */
export function formatOutcomes(of: RepairOutcomes): string {
  const { completed, failed, none, unrecorded, medianHeldMs, days } = of;
  const total = completed + failed + none + unrecorded;
  if (total === 0) return `no repair ended in ${days} days`;
  const parts = [
    completed === 0 ? null : `${completed} completed`,
    failed === 0 ? null : `${failed} failed`,
    none === 0 ? null : `${none} without an outcome`,
    unrecorded === 0 ? null : `${unrecorded} not recorded`,
  ].filter((part) => part !== null);
  const median = medianHeldMs === null ? "" : `; held for ${formatAge(medianHeldMs)} (median)`;
  return `${formatCounted(total, "repair")} ended in ${days} days: ${parts.join(", ")}${median}`;
}

export function OutcomesTab() {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.repair.outcomes.infiniteQueryOptions(outcomesQuery, { getNextPageParam: (page) => page.nextCursor }),
  );
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs });
  const first = list.data?.pages[0];
  if (list.isError) return <ProblemNotice error={list.error} before="The outcomes could not be read." />;
  if (first === undefined) return <Skeleton rows={8} />;
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <ChartFrame
        title="Repairs that ended"
        sum={formatOutcomes(first)}
        chart={<OutcomesChart perDay={first.perDay} />}
        table={
          <DataTable
            caption="Repairs per day"
            columns={dayColumns}
            rows={first.perDay}
            rowId={({ day }) => day}
          />
        }
      />
      <div className="sec">
        <h2>Each repair</h2>
        <span className="sum cut">newest first</span>
      </div>
      <DataTable
        caption="Repairs"
        columns={lineColumns}
        rows={rows}
        rowId={({ id }) => id}
        empty={
          <Empty title="No repair has ended">
            A repair is listed here when its host is released with its outcome.
          </Empty>
        }
        paging={{
          label: "Show more repairs",
          hasMore: list.hasNextPage,
          busy: list.isFetchingNextPage,
          onMore: () => void list.fetchNextPage(),
        }}
      />
    </>
  );
}
