"use client";
// Groups of failed hosts: the cause they share, the device model, how many hosts there are, and the owner.
import { useMemo } from "react";
import { formatCount } from "@/components/ui/format/numbers";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import { countColumn } from "@/components/ui/table/count-column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { Age, Time } from "@/components/ui/time/time";
import type { FailureGroup } from "@/server/surfaces/trpc/types";

/** "nvme 4, bios 1"; without the number if there is only one. */
export const formatCounts = (counts: readonly (readonly [string, number])[]) =>
  counts.map(([name, count]) => (counts.length === 1 ? name : `${name} ${count}`)).join(", ");

interface FailureGroupsTableProps extends Pick<DataTableProps<FailureGroup>, "detail" | "empty"> {
  groups: readonly FailureGroup[];
  /** The digest of the expanded group. */
  open: string | null;
  onOpen: (digest: string) => void;
}

export function FailureGroupsTable({ groups, open, onOpen, ...table }: FailureGroupsTableProps) {
  const columns = useMemo(() => [messageColumn(open, onOpen), ...groupColumns], [open, onOpen]);
  return (
    <DataTable
      {...table}
      caption="Failures"
      className="failures"
      fullWidth
      columns={columns}
      rows={groups}
      rowId={({ digest }) => digest}
      rowClassName={({ snoozed }) => (snoozed ? "off" : undefined)}
    />
  );
}

const causesOf = ({ causes }: FailureGroup) => formatCounts(causes.map(({ cause, count }) => [cause, count]));
const modelsOf = ({ models }: FailureGroup) => formatCounts(models.map(({ model, count }) => [model, count]));

const messageColumn = (open: string | null, onOpen: (digest: string) => void): TableColumn<FailureGroup> => ({
  id: "message",
  label: "Cause",
  narrow: "top-start",
  rowHeader: true,
  className: "message",
  sort: ({ pattern }) => pattern,
  cell: ({ digest, pattern, snoozed }) => (
    <span className="marked-text">
      <Mark tone={snoozed ? "waiting" : "failed"} label={snoozed ? "snoozed" : "failed"} />
      <button
        type="button"
        className="opener bare whole"
        aria-expanded={digest === open}
        onClick={() => onOpen(digest)}
      >
        {pattern}
      </button>
    </span>
  ),
});

const groupColumns: readonly TableColumn<FailureGroup>[] = [
  countColumn({
    id: "hosts",
    label: "Hosts",
    width: 72,
    sort: ({ count }) => count,
    cell: ({ count }) => <Changed of={count}>{formatCount(count)}</Changed>,
  }),
  {
    id: "device",
    label: "Device model",
    width: 200,
    from: "medium",
    narrow: "line",
    className: "text-quiet",
    title: ({ model }) => model,
    sort: ({ model }) => model,
    cell: ({ model }) => model,
  },
  {
    id: "causes",
    label: "State",
    width: 184,
    from: "medium",
    className: "text-quiet",
    title: causesOf,
    cell: causesOf,
  },
  {
    id: "models",
    label: "Host models",
    width: 200,
    from: "wide",
    className: "text-quiet",
    title: modelsOf,
    cell: modelsOf,
  },
  {
    id: "owner",
    label: "Owner",
    width: 160,
    narrow: "bottom-start",
    sort: ({ ownerName }) => ownerName,
    cell: ({ snoozed, snoozedUntil, ownerName }) =>
      snoozed && snoozedUntil !== null ? (
        <span className="text-quiet">
          snoozed until <Time at={snoozedUntil} />
        </span>
      ) : (
        (ownerName ?? <span className="text-faint">nobody</span>)
      ),
  },
  {
    id: "last",
    label: "Last",
    width: 96,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    firstOrder: "descending",
    sort: ({ lastAt }) => lastAt,
    cell: ({ lastAt }) => <Age at={lastAt} />,
  },
];
