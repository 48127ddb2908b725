// The difference between two versions of a procedure's text.
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { ProcedureChange } from "@/server/domain/assurance/procedures/text";

const columns: readonly TableColumn<ProcedureChange>[] = [
  { id: "what", label: "What", width: "26%", narrow: "top-start", rowHeader: true, cell: ({ what }) => what },
  {
    id: "before",
    label: "Before",
    narrow: "bottom-start",
    className: "text-quiet",
    cell: ({ before }) => before ?? "none",
  },
  { id: "after", label: "After", narrow: "line", cell: ({ after }) => after ?? "none" },
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
