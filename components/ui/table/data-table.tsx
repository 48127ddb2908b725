"use client";
// The console's table: every list is one of these (docs/adr/0008-plain-css.md).
import type { RowData } from "@tanstack/react-table";
import { useRef, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { SkeletonRows } from "@/components/ui/skeleton";
import { classNames, type Sorting, type TableColumn } from "@/components/ui/table/columns";
import { TableHead, type TableSelection } from "@/components/ui/table/table-head";
import { columnCount, TableRow, type RowSettings } from "@/components/ui/table/table-row";
import { useRowKeys } from "@/components/ui/table/use-row-keys";
import { useTableModel, type TableModel } from "@/components/ui/table/use-table-model";
import { VirtualRows, type VirtualSettings } from "@/components/ui/table/virtual-rows";

/** The row selected by keyboard: j and k move it, x toggles its checkbox, Enter opens it. */
interface TableCursor {
  readonly id: string | null;
  readonly onMove: (id: string) => void;
  readonly onOpen: (id: string) => void;
  /** A click on a row opens it as well, for tables with a side panel. */
  readonly opensOnClick?: boolean;
}

/** A button below the table that loads the next page. */
interface TablePaging {
  readonly label: string;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly onMore: () => void;
  /** Such as how many rows are shown of how many. */
  readonly note?: ReactNode;
}

export interface DataTableProps<Row> {
  /** The table's name for screen readers. */
  readonly caption: string;
  /** Must be stable across renders: create it once, or memoize it. */
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** A class for the table's own style sheet. */
  readonly className?: string | undefined;
  /** Spans the full width of the page. */
  readonly fullWidth?: boolean;
  /** The header is for screen readers only. */
  readonly headHidden?: boolean;
  readonly hidden?: ReadonlySet<string>;
  /** Set if the order is kept elsewhere, such as in the URL. */
  readonly sorting?: Sorting | null;
  readonly onSort?: (sorting: Sorting | null) => void;
  /** Groups rows under a heading. Rows must be given in the order of the groups. */
  readonly groupOf?: ((row: Row) => string) | undefined;
  /** Sorting applies within groups and keeps the order of the groups. */
  readonly groupsOrdered?: boolean;
  readonly selection?: TableSelection<Row> | undefined;
  readonly cursor?: TableCursor;
  readonly rowClassName?: ((row: Row) => string | undefined) | undefined;
  readonly detail?: ((row: Row) => ReactNode) | undefined;
  /** Renders the first rows only; by default all. */
  readonly most?: number;
  /** Shown in place of a table without rows: what will appear here, and what makes it appear. */
  readonly empty?: ReactNode;
  /** Shown above rows loaded earlier: what could not be read, with a retry button. */
  readonly problem?: ReactNode;
  readonly loading?: boolean;
  /** The total number of rows, loaded or not; null while unknown. */
  readonly total?: number | null;
  readonly virtual?: VirtualSettings;
  readonly paging?: TablePaging;
  /** Called when the pointer enters and leaves the table. */
  readonly onReading?: (reading: boolean) => void;
}

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { caption, selection, cursor, empty = null, problem, loading = false, paging } = props;
  const model = useTableModel({
    ...props,
    // The order of the loaded rows is not that of the list; who takes the order over loads the rest first.
    sortable: paging?.hasMore !== true || props.onSort !== undefined,
  });
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(
    table,
    cursor === undefined
      ? undefined
      : {
          ids: model.rows.map(({ id }) => id),
          cursor: cursor.id,
          onCursor: cursor.onMove,
          onToggle: selection === undefined ? undefined : (id) => toggleRow(model, selection, id),
          onOpen: cursor.onOpen,
        },
  );
  const bare = model.rows.length === 0 && !loading;
  const counted = props.virtual !== undefined;
  return (
    <>
      {problem}
      {bare && (empty !== null || problem !== undefined) ? (
        problem === undefined ? (
          empty
        ) : null
      ) : (
        <table
          ref={table}
          data-row-keys={cursor === undefined ? undefined : ""}
          className={classNames("table", props.fullWidth === true && "full-width", props.className)}
          aria-rowcount={counted ? (props.total == null ? -1 : props.total + 1) : undefined}
          aria-busy={loading}
          onPointerEnter={() => props.onReading?.(true)}
          onPointerLeave={() => props.onReading?.(false)}
        >
          <caption className="visually-hidden">{caption}</caption>
          <TableHead {...model} selection={selection} hidden={props.headHidden === true} counted={counted} />
          <Rows props={props} model={model} />
        </table>
      )}
      {paging?.hasMore === true ? (
        <p className="after">
          {paging.note}{" "}
          <Button busy={paging.busy} onClick={paging.onMore}>
            {paging.label}
          </Button>
        </p>
      ) : null}
    </>
  );
}

/** Does nothing for a row without a checkbox. */
function toggleRow<Row>({ rows }: TableModel<Row>, selection: TableSelection<Row>, id: string): void {
  const entry = rows.find((candidate) => candidate.id === id);
  if (entry !== undefined && (selection.isSelectable?.(entry.row) ?? true)) selection.toggle(id);
}

function Rows<Row extends RowData>({ props, model }: { props: DataTableProps<Row>; model: TableModel<Row> }) {
  const { selection, cursor, loading = false, groupOf } = props;
  const settings: RowSettings<Row> = {
    columns: model.columns,
    selection,
    cursor: cursor?.id ?? null,
    onCursor: cursor?.onMove,
    onOpen: cursor?.opensOnClick === true ? cursor.onOpen : undefined,
    rowClassName: props.rowClassName,
    detail: props.detail,
  };
  const columns = columnCount(settings);
  const after = loading ? <SkeletonRows rows={model.rows.length === 0 ? 12 : 3} columns={columns} /> : null;
  const shared = { rows: model.rows, settings, after, loading };
  if (props.virtual !== undefined) return <VirtualRows {...shared} {...props.virtual} />;
  if (groupOf === undefined || (model.sorting !== null && props.groupsOrdered !== true))
    return <PlainRows {...shared} />;
  return [...new Set(model.rows.map(({ row }) => groupOf(row)))].map((group) => (
    <PlainRows
      key={group}
      {...shared}
      rows={model.rows.filter(({ row }) => groupOf(row) === group)}
      before={
        <tr className="group-row">
          <th scope="rowgroup" colSpan={columns}>
            {group}
          </th>
        </tr>
      }
    />
  ));
}

function PlainRows<Row>({
  rows,
  settings,
  before = null,
  after,
}: Pick<TableModel<Row>, "rows"> & { settings: RowSettings<Row>; before?: ReactNode; after: ReactNode }) {
  return (
    <tbody>
      {before}
      {rows.map(({ id, row }) => (
        <TableRow key={id} id={id} row={row} settings={settings} />
      ))}
      {after}
    </tbody>
  );
}
