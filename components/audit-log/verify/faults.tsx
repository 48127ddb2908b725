// The faults that a verification found, each with the part it concerns.
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";

interface Fault {
  readonly what: string;
  readonly why: string;
}

const columns: readonly TableColumn<Fault>[] = [
  {
    id: "what",
    label: "What",
    width: "40%",
    rowHeader: true,
    narrow: "top-start",
    className: "mono wrapping",
    cell: ({ what }) => what,
  },
  { id: "why", label: "What is wrong", narrow: "line", className: "wrapping", cell: ({ why }) => why },
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
