"use client";
// Bulk acts that were started, newest first.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import type { BulkHead } from "@/server/surfaces/trpc/types";
import { useTRPC } from "@/components/trpc/trpc";
import { Breakable } from "@/components/ui/breakable";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { Unreadable } from "@/components/ui/unreadable";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { Age, Time } from "@/components/ui/time/time";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { RunOutcome } from "@/components/hosts/bulk/run-outcome";
import { runTitle } from "@/components/hosts/bulk/run-text";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 3000;

export function RunsPage() {
  const trpc = useTRPC();
  const { data, refetch } = useSuspenseQuery(trpc.bulk.list.queryOptions());
  const { runs, unreadable } = data;
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const asking = runs.filter((run) => run.askedAllAt === null).length;
  return (
    <>
      <CleaningHead
        what={`the last ${runs.length === 1 ? "run" : `${runs.length} runs`}${asking === 0 ? "" : `; ${asking} still sending requests`}`}
      />
      <Unreadable
        of={unreadable.map(
          ({ createdAt, createdByName }) => `the run of ${createdByName}, ${createdAt.toISOString()}`,
        )}
      />
      <ResourceTable
        name="bulk-runs"
        noun="run"
        caption="Runs"
        columns={columns}
        list={allRows(runs)}
        rowId={({ id }) => id}
        empty={
          <Empty
            title="No runs yet"
            act={
              <Link className="btn" href={routes.hosts()}>
                Choose hosts
              </Link>
            }
          >
            Select hosts on the Hosts page, by row or by filter, and choose an action. The result for each
            host is kept here.
          </Empty>
        }
      />
    </>
  );
}

const column = columnsOf<BulkHead>();

const columns: readonly TableColumn<BulkHead>[] = [
  column.cell(
    "act",
    "Action",
    (run) => (
      <Link className="text-medium" href={routes.cleaning.run(run.id)}>
        <Breakable text={runTitle(run)} />
      </Link>
    ),
    {
      narrow: "top-start",
      rowHeader: true,
      className: "wrapping",
      title: ({ steps }) => steps.join(", "),
      sort: runTitle,
    },
  ),
  column.count("hosts", "Hosts", ({ total }) => total, { width: 72, narrow: "top-end" }),
  column.cell(
    "filter",
    "Selection",
    ({ filter }) => (filter === null ? "rows" : filter === "" ? "all hosts" : filter),
    { width: 200, from: "wide", spaced: true, className: "text-quiet", title: ({ filter }) => filter },
  ),
  column.cell(
    "asked",
    "Requested",
    ({ askedAllAt }) => (
      <span className="marked-text">
        <Mark tone={askedAllAt === null ? "working" : "neutral"} label="" live={askedAllAt === null} />
        <span className="text-quiet">{askedAllAt === null ? "still sending" : <Time at={askedAllAt} />}</span>
      </span>
    ),
    { width: 130, from: "widest" },
  ),
  column.cell("outcome", "Outcome", (run) => <RunOutcome id={run.id} />, { width: 240, narrow: "line" }),
  column.text("who", "By", ({ createdByName }) => createdByName, {
    width: 144,
    from: "medium",
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  column.cell(
    "begun",
    "Started",
    ({ startedAt, createdAt }) => (
      <>
        <Age at={startedAt ?? createdAt} /> ago
      </>
    ),
    {
      width: 120,
      align: "end",
      narrow: "bottom-end",
      className: "text-quiet",
      firstOrder: "descending",
      sort: ({ startedAt, createdAt }) => startedAt ?? createdAt,
    },
  ),
];
