"use client";
// What is wrong with the lines of an enrolment list.
import { columnsOf } from "@/components/ui/table/column";
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

const column = columnsOf<FaultRow>();

const columns = [
  column.count("line", "Line", ({ line }) => line, {
    width: 64,
    align: "start",
    narrow: "top-start",
    rowHeader: true,
  }),
  column.text("host", "Host", ({ host }) => host, { width: 168, narrow: "top-end" }),
  column.text("column", "Column", ({ column }) => column, { width: 160, className: "mono text-small" }),
  column.text("message", "Problem", ({ message }) => message, { narrow: "line" }),
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
