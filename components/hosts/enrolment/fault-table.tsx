"use client";
// What is wrong with the lines of an enrolment list.
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { EnrolledLine } from "@/server/surfaces/trpc/types";

export interface FaultRow {
  readonly key: string;
  readonly line: number;
  readonly host: string | null;
  readonly column: string;
  readonly message: string;
}

/** One row per fault. Pure. */
export const faultRows = (lines: readonly EnrolledLine[]): readonly FaultRow[] =>
  lines.flatMap(({ line, name, faults }) =>
    faults.map(({ column, message }, index) => ({
      key: `${line}.${index}`,
      line,
      host: name,
      column,
      message,
    })),
  );

const columns: readonly TableColumn<FaultRow>[] = [
  { id: "line", label: "Line", width: 64, narrow: "top-start", rowHeader: true, cell: ({ line }) => line },
  { id: "host", label: "Host", width: 168, narrow: "top-end", cell: ({ host }) => host },
  { id: "column", label: "Column", width: 160, className: "mono text-small", cell: ({ column }) => column },
  { id: "message", label: "Problem", narrow: "line", cell: ({ message }) => message },
];

export function FaultTable({ lines }: { readonly lines: readonly EnrolledLine[] }) {
  return (
    <DataTable
      caption="Problems in the list"
      className="enrolment-lines"
      columns={columns}
      rows={faultRows(lines)}
      rowId={({ key }) => key}
    />
  );
}
