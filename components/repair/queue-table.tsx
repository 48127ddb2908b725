"use client";
// The repair queue as a table: why each host can or cannot be claimed.
import { useMemo } from "react";
import { formatIssue } from "@/components/repair/repair-text";
import { repairedText } from "@/components/repair/repair-sections";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { StateLabel } from "@/components/ui/state-label";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { Age, Time } from "@/components/ui/time/time";
import type { QueueRow } from "@/server/surfaces/trpc/types";

/** @param open the side panel is open, so only identifying columns have room */
const columnsOf = (open: boolean): readonly TableColumn<QueueRow>[] => [
  {
    id: "issue",
    label: "Issue",
    narrow: "line",
    title: ({ issue }) => formatIssue(issue),
    cell: ({ issue }) => formatIssue(issue),
  },
  {
    id: "state",
    label: "State",
    width: 150,
    narrow: "bottom-start",
    cell: ({ state, tone }) => <StateLabel tone={tone} path={state} short />,
  },
  {
    id: "waits",
    label: "Waits",
    width: 96,
    align: "end",
    narrow: "top-end",
    className: "text-quiet",
    cell: ({ since }) => <Age at={since} />,
  },
  {
    id: "repaired",
    label: "Repaired",
    width: 96,
    from: open ? "widest" : "medium",
    spaced: true,
    cell: ({ repaired }) =>
      repaired.offender ? (
        <span className="tone" data-tone="attention">
          {repairedText(repaired)}
        </span>
      ) : (
        repairedText(repaired)
      ),
  },
  { id: "rack", label: "Rack", width: 64, from: open ? "widest" : "wide", cell: ({ rack }) => rack ?? "–" },
];

/** The host's name, which opens its panel. */
export const hostColumn = <Row extends { readonly host: string }>(
  open: string | null,
  onOpen: (host: string) => void,
): TableColumn<Row> => ({
  id: "host",
  label: "Host",
  width: 132,
  narrow: "top-start",
  rowHeader: true,
  cell: ({ host }) => (
    <button
      type="button"
      className="opener text-medium"
      aria-expanded={host === open}
      onClick={() => onOpen(host)}
    >
      {host}
    </button>
  ),
});

/** Whether it can be claimed; during a cleaning, when that should end. The full sentence is in the panel. */
function Refusal({ claim }: Pick<QueueRow, "claim">) {
  return claim.expectedAt === null ? (
    <span className="text-quiet">{claim.short ?? "can be claimed"}</span>
  ) : (
    <span className="text-quiet">
      at about <Time at={claim.expectedAt} />
    </span>
  );
}

const claimColumn = (onClaim: ((row: QueueRow) => void) | undefined): TableColumn<QueueRow> => ({
  id: "claim",
  label: "Claim",
  width: 150,
  align: "end",
  narrow: "bottom-end",
  title: ({ claim }) => (claim.short === null ? null : claim.reason),
  cell: (row) =>
    onClaim !== undefined && row.claim.allowed ? (
      <Button small onClick={() => onClaim(row)} aria-label={`Claim… ${row.host}`}>
        Claim…
      </Button>
    ) : (
      <Refusal claim={row.claim} />
    ),
});

interface QueueTableProps extends Pick<DataTableProps<QueueRow>, "rows" | "cursor" | "loading" | "problem"> {
  readonly paging: NonNullable<DataTableProps<QueueRow>["paging"]>;
  readonly open: string | null;
  readonly onOpen: (host: string) => void;
  /** Undefined if this user may not claim hosts. */
  readonly onClaim: ((row: QueueRow) => void) | undefined;
}

export function QueueTable({ open, onOpen, onClaim, ...table }: QueueTableProps) {
  const all = useMemo(
    () => [hostColumn<QueueRow>(open, onOpen), ...columnsOf(open !== null), claimColumn(onClaim)],
    [open, onOpen, onClaim],
  );
  return (
    <DataTable
      {...table}
      caption="Queue"
      columns={all}
      rowId={({ host }) => host}
      empty={
        <Empty title="No hosts need repair">
          A host appears here when a tenant reports an issue with its release, or when an operator requests a
          repair.
        </Empty>
      }
    />
  );
}
