// The difference between two versions of a procedure's text.
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import type { ProcedureChange } from "@/server/domain/assurance/procedures/text";

const column = columnsOf<ProcedureChange>();

const columns = [
  column.name("what", "What", ({ what }) => what, { width: "26%" }),
  column.text("before", "Before", ({ before }) => before, {
    narrow: "bottom-start",
    className: "text-quiet",
    none: "none",
  }),
  column.text("after", "After", ({ after }) => after, { narrow: "line", none: "none" }),
];

interface ChangeTableProps {
  readonly caption: string;
  readonly changes: readonly ProcedureChange[];
}

export const ChangeTable = ({ caption, changes }: ChangeTableProps) => (
  <DataTable
    caption={caption}
    className="changes"
    columns={columns}
    rows={changes}
    rowId={({ what }) => what}
    empty={<p className="text-quiet">Nothing differs.</p>}
  />
);
