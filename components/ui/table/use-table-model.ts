"use client";
// Columns and rows from TanStack Table: without hidden columns, and sorted.
import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type RowData,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { compareValues, type Sorting, type TableColumn } from "@/components/ui/table/columns";

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

interface TableModelInput<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly hidden?: ReadonlySet<string> | undefined;
  readonly sorting?: Sorting | null | undefined;
  readonly onSort?: ((sorting: Sorting | null) => void) | undefined;
  readonly most?: number | undefined;
  /** Rows can be sorted here; otherwise only by the server. */
  readonly sortable: boolean;
}

export interface TableModel<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly { readonly id: string; readonly row: Row }[];
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
  readonly sortable: boolean;
}

/** Keeps the sort order itself unless the caller does. */
export function useTableModel<Row extends RowData>({
  columns,
  rows,
  rowId,
  hidden,
  sorting: given,
  onSort,
  most,
  sortable,
}: TableModelInput<Row>): TableModel<Row> {
  const [own, setOwn] = useState<Sorting | null>(null);
  const sorting = given === undefined ? own : given;
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return helper.columns(
      columns.map((column) => {
        const { sort } = column;
        return helper.accessor((row) => (typeof sort === "function" ? (sort(row) ?? undefined) : undefined), {
          id: column.id,
          enableSorting: typeof sort === "function",
          sortUndefined: "last",
          sortFn: (a, b, id) => compareValues(a.getValue(id), b.getValue(id)),
        });
      }),
    );
  }, [columns]);
  const byServer = columns.some((column) => column.id === sorting?.id && column.sort === "server");
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    state: {
      columnVisibility: Object.fromEntries([...(hidden ?? [])].map((id) => [id, false])),
      sorting: sorting === null || byServer ? [] : [{ id: sorting.id, desc: sorting.descending }],
    },
  });
  const visible = new Set(table.getVisibleLeafColumns().map((column) => column.id));
  return {
    columns: columns.filter((column) => visible.has(column.id)),
    rows: table
      .getRowModel()
      .rows.slice(0, most)
      .map((row) => ({ id: row.id, row: row.original })),
    sorting,
    onSort: onSort ?? setOwn,
    sortable,
  };
}
