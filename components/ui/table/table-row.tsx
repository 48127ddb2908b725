"use client";
// A table row, and rows without data: expanded details, and space for rows that are not rendered.
import { useEffect, useRef, type ReactNode } from "react";
import { classNames, placeClasses, spannedColumns, type TableColumn } from "@/components/ui/table/columns";
import type { TableSelection } from "@/components/ui/table/table-head";

/** Settings shared by all rows of a table. */
export interface RowSettings<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly selection: TableSelection<Row> | undefined;
  readonly cursor: string | null;
  readonly onCursor: ((id: string) => void) | undefined;
  /** Called when a row is clicked. */
  readonly onOpen: ((id: string) => void) | undefined;
  readonly rowClassName: ((row: Row) => string | undefined) | undefined;
  /** A row's expanded details; null while collapsed. */
  readonly detail: ((row: Row) => ReactNode) | undefined;
}

interface TableRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly settings: RowSettings<Row>;
  /** For virtualized rows: the index among all rows, and a ref that measures the height. */
  readonly index?: number | undefined;
  readonly measure?: ((element: HTMLElement | null) => void) | undefined;
}

/** The number of columns, including the one with checkboxes. */
export const columnCount = <Row,>({ columns, selection }: Pick<RowSettings<Row>, "columns" | "selection">) =>
  columns.length + (selection === undefined ? 0 : 1);

/** A row, followed by its details if expanded. */
export function TableRow<Row>({ id, row, settings, index, measure }: TableRowProps<Row>) {
  const { columns, selection, cursor, onCursor, onOpen, rowClassName, detail } = settings;
  const element = useRef<HTMLTableRowElement>(null);
  const isCurrent = cursor === id;
  useEffect(() => {
    if (isCurrent && index === undefined) element.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent, index]);
  const opened = detail?.(row) ?? null;
  return (
    <>
      <tr
        ref={measure ?? element}
        data-index={index}
        aria-rowindex={index === undefined ? undefined : index + 2}
        className={rowClassName?.(row)}
        aria-current={isCurrent || undefined}
        aria-selected={selection?.ids.has(id)}
        data-opens={onOpen === undefined ? undefined : ""}
        onClick={
          onCursor === undefined
            ? undefined
            : () => {
                onCursor(id);
                // Selecting text to copy it must not open the row.
                if (getSelection()?.isCollapsed !== false) onOpen?.(id);
              }
        }
      >
        {selection === undefined ? null : (
          // Selecting a row does not open it.
          <td className="select-cell" onClick={(event) => event.stopPropagation()}>
            {(selection.isSelectable?.(row) ?? true) ? (
              <input
                className="check"
                type="checkbox"
                aria-label={selection.label(row)}
                checked={selection.ids.has(id)}
                onChange={() => selection.toggle(id)}
              />
            ) : null}
          </td>
        )}
        {spannedColumns(columns, row).map(({ column, span }) => (
          <Cell key={column.id} column={column} span={span} row={row} />
        ))}
      </tr>
      {opened === null ? null : <DetailRow columns={columnCount(settings)}>{opened}</DetailRow>}
    </>
  );
}

function Cell<Row>({ column, span, row }: { column: TableColumn<Row>; span: number; row: Row }) {
  const { className, narrow, title } = column;
  const isHeader = typeof column.rowHeader === "function" ? column.rowHeader(row) : column.rowHeader === true;
  const Tag = isHeader ? "th" : "td";
  return (
    <Tag
      {...(isHeader ? { scope: "row" } : {})}
      className={classNames(
        ...placeClasses(column),
        typeof className === "function" ? className(row) : className,
      )}
      data-narrow={typeof narrow === "function" ? narrow(row) : narrow}
      title={title?.(row) ?? undefined}
      colSpan={span === 1 ? undefined : span}
    >
      {column.cell(row)}
    </Tag>
  );
}

/** A row with one cell that spans all columns. */
export function DetailRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr className="detail-row">
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}

/** Space for rows that are not rendered. */
export function SpaceRow({ height, columns }: { height: number; columns: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden="true" className="space-row">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
