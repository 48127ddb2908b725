// The definition of a table column, and the pure rules for sorting, layout and labels.
import type { ReactNode } from "react";

/** A cell's place when the window is narrow and a row takes two lines; `line` takes a whole line below them. */
export type NarrowPlace = "top-start" | "top-end" | "bottom-start" | "bottom-end" | "line";

/** A value to sort by; null sorts last in both directions. */
export type SortValue = string | number | bigint | Date | null;

/** The part of a column that server components can read as well: its label and its layout. */
export interface ColumnLayout {
  /** The label in the header and in the columns menu. */
  readonly label: string;
  /** The label is for screen readers only. */
  readonly labelHidden?: boolean;
  /** Pixels, or a CSS length; without one, it shares the remaining width. */
  readonly width?: number | string;
  readonly align?: "start" | "end";
  /** Adds space before it, if the column on its left is end-aligned. */
  readonly spaced?: boolean;
  /** Hidden below 1560 px (`widest`), 1240 px (`wide`) or 1080 px (`medium`). */
  readonly from?: "widest" | "wide" | "medium";
  /** Its place in a narrow row; without one, it is hidden there. */
  readonly narrow?: NarrowPlace;
  /** Its cells name their rows: `<th scope="row">`. */
  readonly rowHeader?: boolean;
  /** Cannot be hidden. */
  readonly always?: boolean;
  /** The direction of the first click on its header. */
  readonly firstOrder?: "ascending" | "descending";
}

export interface TableColumn<Row> extends Omit<ColumnLayout, "narrow" | "rowHeader"> {
  readonly id: string;
  readonly narrow?: NarrowPlace | ((row: Row) => NarrowPlace | undefined);
  readonly rowHeader?: boolean | ((row: Row) => boolean);
  readonly cell: (row: Row) => ReactNode;
  /** The full text, as a tooltip. */
  readonly title?: (row: Row) => string | null | undefined;
  /** Classes of its cells for what they are (`mono`, `quiet`), not for layout. */
  readonly className?: string | ((row: Row) => string | undefined);
  /** How many columns the cell spans in this row; covered columns are not rendered. */
  readonly span?: (row: Row) => number;
  /** Makes the column sortable. `server`: the supplier of the rows sorts them. */
  readonly sort?: "server" | ((row: Row) => SortValue);
  /** What a filter finds, if it is not the value to sort by. */
  readonly text?: (row: Row) => string | null;
}

/** The sorted column and its direction. */
export interface Sorting<Id extends string = string> {
  readonly id: Id;
  readonly descending: boolean;
}

/** Negative if `a` comes first. Numbers within text are compared as numbers: "slot 9" before "slot 10". */
export function compareValues(a: SortValue, b: SortValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "string" || typeof b === "string")
    return String(a).localeCompare(String(b), "en", { numeric: true, sensitivity: "base" });
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order after a click on a header: one direction, then the other, then unsorted if `removable`. */
export function nextSorting(
  column: Pick<TableColumn<never>, "id" | "firstOrder">,
  current: Sorting | null,
  removable: boolean,
): Sorting | null {
  const first: Sorting = { id: column.id, descending: column.firstOrder === "descending" };
  if (current?.id !== column.id) return first;
  if (current.descending === first.descending) return { id: column.id, descending: !first.descending };
  return removable ? null : first;
}

/** A row's columns with the span of each cell; covered columns are left out. */
export function spannedColumns<Row>(
  columns: readonly TableColumn<Row>[],
  row: Row,
): readonly { readonly column: TableColumn<Row>; readonly span: number }[] {
  const cells: { column: TableColumn<Row>; span: number }[] = [];
  for (let index = 0; index < columns.length;) {
    const column = columns[index];
    if (column === undefined) break;
    const span = Math.max(1, Math.min(column.span?.(row) ?? 1, columns.length - index));
    cells.push({ column, span });
    index += span;
  }
  return cells;
}

const fromClasses = { widest: "from-widest", wide: "from-wide", medium: "from-medium" } as const;

/** The class that hides a column on narrow pages. */
export const fromClass = ({ from }: Pick<ColumnLayout, "from">): string | undefined =>
  from === undefined ? undefined : fromClasses[from];

/** Layout classes for a column's header and cells. */
export const placeClasses = (column: Pick<ColumnLayout, "align" | "spaced" | "from">) => [
  column.align === "end" && "end-aligned",
  column.spaced === true && "spaced",
  fromClass(column),
];

/** A `class` attribute; undefined if empty. */
export const classNames = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter((name) => name !== false && name !== undefined && name !== "").join(" ") || undefined;
