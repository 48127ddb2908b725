"use client";
// The queue of repairs as a table.
import { issueWords } from "@/components/repair/repair-words";
import { repairedWords } from "@/components/repair/repair-sections";
import { Empty } from "@/components/ui/empty";
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import type { QueueRow } from "@/server/surfaces/trpc/types";

const columns: readonly TableColumn<QueueRow>[] = [
  { id: "host", label: "Host", width: 140, narrow: "top-start", rowHeader: true, cell: ({ host }) => host },
  {
    id: "issue",
    label: "Issue",
    narrow: "line",
    title: ({ issue }) => issueWords(issue),
    cell: ({ issue }) => issueWords(issue),
  },
  {
    id: "state",
    label: "State",
    width: 190,
    narrow: "bottom-start",
    cell: ({ state, tone }) => <StateLabel tone={tone} path={state} />,
  },
  {
    id: "waits",
    label: "Waits",
    width: 108,
    align: "end",
    narrow: "top-end",
    className: "text-quiet",
    cell: ({ since }) => <Age at={since} />,
  },
  {
    id: "repaired",
    label: "Repaired",
    width: 92,
    from: "medium",
    spaced: true,
    cell: ({ repaired }) => repairedWords(repaired),
  },
  { id: "rack", label: "Rack", width: 72, from: "medium", cell: ({ rack }) => rack ?? "–" },
];

export const QueueTable = ({ rows }: { rows: readonly QueueRow[] }) => (
  <DataTable
    caption="Queue"
    columns={columns}
    rows={rows}
    rowId={({ hostId }) => hostId}
    empty={
      <Empty title="No host asks for a repair">
        A host comes here when a tenant reports an issue with its release, or when an operator requests a
        repair of it.
      </Empty>
    }
  />
);
