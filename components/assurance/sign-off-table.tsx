"use client";
// Records that await sign-off: those this user may sign, and those another person must sign.
import { useMemo } from "react";
import { Empty } from "@/components/ui/empty";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import type { ApprovalLine } from "@/server/surfaces/trpc/types";

const columns = (open: string | null, onOpen: (id: string) => void): readonly TableColumn<ApprovalLine>[] => [
  {
    id: "subject",
    label: "Procedure",
    width: 230,
    narrow: "top-start",
    title: ({ subject }) => subject,
    cell: ({ subject, subjectId }) => (
      <button
        type="button"
        className="link"
        aria-expanded={open === subjectId}
        onClick={() => onOpen(subjectId)}
      >
        {subject}
      </button>
    ),
  },
  {
    id: "host",
    label: "Host",
    width: 150,
    narrow: "line",
    title: ({ host }) => host?.name ?? null,
    cell: ({ host }) => host?.name ?? "gone",
  },
  {
    id: "by",
    label: "Recorded by",
    narrow: "line",
    title: ({ askedBy }) => askedBy,
    cell: ({ own, askedBy }) =>
      own ? (
        <>
          you<span className="text-quiet">; another person signs</span>
        </>
      ) : (
        askedBy
      ),
  },
  {
    id: "waits",
    label: "Waiting",
    width: 90,
    align: "end",
    narrow: "bottom-start",
    className: "text-quiet",
    cell: ({ askedAt }) => <Age at={askedAt} />,
  },
];

interface SignOffTableProps extends Pick<
  DataTableProps<ApprovalLine>,
  "rows" | "cursor" | "loading" | "problem" | "paging"
> {
  readonly open: string | null;
  readonly onOpen: (recordId: string) => void;
}

export function SignOffTable({ open, onOpen, ...table }: SignOffTableProps) {
  const all = useMemo(() => columns(open, onOpen), [open, onOpen]);
  return (
    <DataTable
      {...table}
      caption="Awaiting sign-off"
      fullWidth
      columns={all}
      rowId={({ subjectId }) => subjectId}
      empty={
        <Empty title="Nothing to sign off">
          A recorded procedure waits here until another person signs it off.
        </Empty>
      }
    />
  );
}
