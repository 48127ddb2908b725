"use client";
// The header of a table: labels, sorting, and the checkbox that selects all.
import {
  classNames,
  fromClass,
  nextSorting,
  placeClasses,
  type TableColumn,
} from "@/components/ui/table/columns";
import type { TableModel } from "@/components/ui/table/use-table-model";

/** Selected rows by id; `toggleAll` applies to the rows shown. */
export interface TableSelection<Row> {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly toggleAll: () => void;
  /** The accessible name of a row's checkbox: "Select r1-h01". */
  readonly label: (row: Row) => string;
  readonly allLabel: string;
  /** Whether a row has a checkbox; by default all have one. */
  readonly isSelectable?: (row: Row) => boolean;
}

interface TableHeadProps<Row> extends TableModel<Row> {
  readonly selection: TableSelection<Row> | undefined;
  readonly hidden: boolean;
  readonly counted: boolean;
}

/** Column widths come first: with a fixed table layout they apply to all rows. */
export function TableHead<Row>({
  columns,
  rows,
  sorting,
  onSort,
  sortable,
  selection,
  hidden,
  counted,
}: TableHeadProps<Row>) {
  const selectable = rows.filter(({ row }) => selection?.isSelectable?.(row) ?? true);
  const allSelected = selectable.length > 0 && selectable.every(({ id }) => selection?.ids.has(id) ?? false);
  return (
    <>
      <colgroup>
        {selection === undefined ? null : <col className="select-column" />}
        {columns.map((column) => (
          <col
            key={column.id}
            className={fromClass(column)}
            style={column.width === undefined ? undefined : { width: column.width }}
          />
        ))}
      </colgroup>
      <thead className={hidden ? "visually-hidden" : undefined}>
        <tr aria-rowindex={counted ? 1 : undefined}>
          {selection === undefined ? null : (
            <th scope="col">
              <input
                className="check"
                type="checkbox"
                aria-label={selection.allLabel}
                checked={allSelected}
                onChange={selection.toggleAll}
              />
            </th>
          )}
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sorting={sorting} onSort={onSort} sortable={sortable} />
          ))}
        </tr>
      </thead>
    </>
  );
}

function HeadCell<Row>({
  column,
  sorting,
  onSort,
  sortable,
}: { column: TableColumn<Row> } & Pick<TableModel<Row>, "sorting" | "onSort" | "sortable">) {
  const className = classNames(...placeClasses(column));
  const label =
    column.labelHidden === true ? <span className="visually-hidden">{column.label}</span> : column.label;
  if (column.sort === undefined || (column.sort !== "server" && !sortable))
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    );
  const order = sorting?.id === column.id ? (sorting.descending ? "descending" : "ascending") : "none";
  return (
    <th scope="col" className={className} aria-sort={order}>
      <button
        type="button"
        className="sort-button"
        onClick={() => onSort(nextSorting(column, sorting, column.sort !== "server"))}
      >
        {label}
      </button>
    </th>
  );
}
