// The faults that a verification found, each with the part it concerns.
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";

interface Fault {
  readonly what: string;
  readonly why: string;
}

const column = columnsOf<Fault>();

const columns = [
  column.name("what", "What", ({ what }) => what, { width: "40%", className: "mono wrapping" }),
  column.text("why", "What is wrong", ({ why }) => why, { narrow: "line", className: "wrapping" }),
];

export const Faults = ({ caption, faults }: { caption: string; faults: readonly Fault[] }) =>
  faults.length === 0 ? null : (
    <DataTable
      caption={caption}
      columns={columns}
      rows={faults}
      rowId={({ what, why }) => `${what} ${why}`}
    />
  );
