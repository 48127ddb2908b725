"use client";
// Records that await sign-off: those this user may sign, and those another person must sign.
import { useMemo } from "react";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import type { ApprovalLine } from "@/server/surfaces/trpc/types";

const column = columnsOf<ApprovalLine>();

const columns = (open: string | null, onOpen: (id: string) => void): readonly TableColumn<ApprovalLine>[] => [
  column.cell(
    "subject",
    "Procedure",
    ({ subject, subjectId }) => (
      <button
        type="button"
        className="link"
        aria-expanded={open === subjectId}
        onClick={() => onOpen(subjectId)}
      >
        {subject}
      </button>
    ),
    { width: 230, narrow: "top-start", title: ({ subject }) => subject },
  ),
  column.cell("host", "Host", ({ host }) => host?.name ?? "gone", {
    width: 150,
    narrow: "line",
    title: ({ host }) => host?.name ?? null,
  }),
  column.cell(
    "by",
    "Recorded by",
    ({ own, askedBy }) =>
      own ? (
        <>
          you<span className="text-quiet">; another person signs</span>
        </>
      ) : (
        askedBy
      ),
    { narrow: "line", title: ({ askedBy }) => askedBy },
  ),
  column.age("waits", "Waiting", ({ askedAt }) => askedAt, { width: 90, narrow: "bottom-start" }),
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
