"use client";
// Hosts being repaired, with the outcome noted in their labels before the release.
import { useMemo } from "react";
import { hostColumn } from "@/components/repair/queue-table";
import { formatIssue, noteText } from "@/components/repair/repair-text";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import type { HeldRow } from "@/server/surfaces/trpc/types";

const noteColumn: TableColumn<HeldRow> = {
  id: "note",
  label: "Last note",
  narrow: "line",
  title: (row) => noteText(row) ?? (row.issue === null ? null : formatIssue(row.issue)),
  cell: (row) =>
    noteText(row) ?? (
      <span className="text-quiet">{row.issue === null ? "none" : formatIssue(row.issue)}</span>
    ),
};

const columns: readonly TableColumn<HeldRow>[] = [
  noteColumn,
  {
    id: "outcome",
    label: "Outcome",
    width: 112,
    narrow: "top-end",
    title: ({ repairStatus }) => repairStatus,
    cell: ({ repairStatus, outcome }) => (
      <span className="tone" data-tone={outcome === "none" ? "attention" : "neutral"}>
        {repairStatus ?? "missing"}
      </span>
    ),
  },
  {
    id: "held",
    label: "Held",
    width: 96,
    align: "end",
    narrow: "bottom-start",
    className: "text-quiet",
    cell: ({ claimedAt }) => <Age at={claimedAt} />,
  },
];

const tenantColumn: TableColumn<HeldRow> = {
  id: "tenant",
  label: "Repair tenant",
  width: 130,
  spaced: true,
  from: "medium",
  cell: ({ tenant }) => tenant,
};

interface HeldActs {
  readonly onOutcome: ((row: HeldRow) => void) | undefined;
  readonly onRelease: ((row: HeldRow) => void) | undefined;
}

const actsColumn = ({ onOutcome, onRelease }: HeldActs): TableColumn<HeldRow> => ({
  id: "acts",
  label: "Actions",
  labelHidden: true,
  width: 220,
  align: "end",
  narrow: "bottom-end",
  cell: (row) => (
    <span className="repair-acts">
      {onOutcome === undefined ? null : (
        <Button small onClick={() => onOutcome(row)} aria-label={`Set outcome… ${row.host}`}>
          Set outcome…
        </Button>
      )}
      {onRelease === undefined ? null : (
        <Button
          small
          kind="plain"
          onClick={() => onRelease(row)}
          disabledReason={
            row.release.allowed ? undefined : (row.release.reason ?? "It cannot be released now")
          }
          aria-label={`Release… ${row.host}`}
        >
          Release…
        </Button>
      )}
    </span>
  ),
});

interface HeldTableProps
  extends Pick<DataTableProps<HeldRow>, "rows" | "cursor" | "loading" | "problem">, HeldActs {
  readonly ofProvider: boolean;
  readonly open: string | null;
  readonly onOpen: (host: string) => void;
}

export function HeldTable({ ofProvider, open, onOpen, onOutcome, onRelease, ...table }: HeldTableProps) {
  const all = useMemo(
    () => [
      hostColumn<HeldRow>(open, onOpen),
      ...columns,
      ...(ofProvider ? [tenantColumn] : []),
      ...(onOutcome === undefined && onRelease === undefined ? [] : [actsColumn({ onOutcome, onRelease })]),
    ],
    [open, onOpen, ofProvider, onOutcome, onRelease],
  );
  return (
    <DataTable
      {...table}
      caption={ofProvider ? "Being repaired" : "Held by us"}
      columns={all}
      rowId={({ host }) => host}
      empty={
        <Empty title={ofProvider ? "No host is being repaired" : "You hold no hosts for repair"}>
          A host that a repair tenant claims from the queue is listed here until it is released.
        </Empty>
      }
    />
  );
}
