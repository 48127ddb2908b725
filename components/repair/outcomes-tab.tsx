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
import { formatCounted } from "@/server/domain/numbers";
import { formatAge } from "@/components/ui/format/duration";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { Skeleton } from "@/components/ui/skeleton";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { RepairOutcomes } from "@/server/surfaces/trpc/types";

const refreshMs = 10_000;

const OutcomesChart = dynamic(() => import("@/components/repair/outcomes-chart"), {
  ssr: false,
  loading: () => <div className="chart room" />,
});

type Day = RepairOutcomes["perDay"][number];

const column = columnsOf<Day>();

const count = (id: Exclude<keyof Day, "day">, label: string): TableColumn<Day> =>
  column.cell(id, label, (row) => row[id], {
    align: "end",
    narrow: id === "completed" ? "top-end" : "bottom-end",
  });

const dayColumns: readonly TableColumn<Day>[] = [
  column.name("day", "Day (UTC)", ({ day }) => day),
  count("completed", "Completed"),
  count("failed", "Failed"),
  count("none", "No outcome"),
  count("unrecorded", "Not recorded"),
];

const lineColumns = repairColumns(true);

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
  const repairs = useRows(list);
  const first = list.data?.pages[0];
  if (list.isError) return <ProblemNotice error={list.error} before="The outcomes could not be read." />;
  if (first === undefined) return <Skeleton rows={8} />;
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
      <ResourceTable
        name="repair-outcomes"
        noun="repair"
        caption="Repairs"
        fullWidth={false}
        list={repairs}
        columns={lineColumns}
        rowId={({ id }) => id}
        namesOf={({ host }) => [host]}
        empty={
          <Empty title="No repair has ended">
            A repair is listed here when its host is released with its outcome.
          </Empty>
        }
      />
    </>
  );
}
