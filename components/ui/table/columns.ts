// What a column of a table is, and the pure rules about order, places and labels that the table applies.
import type { ReactNode } from "react";

/** Where a cell lies when the window is narrow and a row is two lines; `line` takes a whole line below them. */
export type NarrowPlace = "top-start" | "top-end" | "bottom-start" | "bottom-end" | "line";

/** What rows are ordered by; null sorts last in both directions. */
export type SortValue = string | number | bigint | Date | null;

/** The part of a column that a server component can read, too: how it is called and how it lies. */
export interface ColumnLayout {
  /** Its label in the head and in the menu of columns. */
  readonly label: string;
  /** The label is for screen readers only. */
  readonly labelHidden?: boolean;
  /** Pixels, or a CSS length; without one it shares what is left. */
  readonly width?: number | string;
  readonly align?: "start" | "end";
  /** Room before it, where the column to its left is aligned to its end. */
  readonly spaced?: boolean;
  /** Left out below 1560 px (`widest`), 1240 px (`wide`) or 1080 px (`medium`). */
  readonly from?: "widest" | "wide" | "medium";
  /** Its place in a narrow row; without one it is left out there. */
  readonly narrow?: NarrowPlace;
  /** Its cells name their rows: `<th scope="row">`. */
  readonly rowHeader?: boolean;
  /** Cannot be hidden. */
  readonly always?: boolean;
  /** The order that the first click on its head gives. */
  readonly firstOrder?: "ascending" | "descending";
}

export interface TableColumn<Row> extends Omit<ColumnLayout, "narrow" | "rowHeader"> {
  readonly id: string;
  readonly narrow?: NarrowPlace | ((row: Row) => NarrowPlace | undefined);
  readonly rowHeader?: boolean | ((row: Row) => boolean);
  readonly cell: (row: Row) => ReactNode;
  /** The whole text, on hover. */
  readonly title?: (row: Row) => string | null | undefined;
  /** Classes of its cells: what they are (`mono`, `quiet`), not where they lie. */
  readonly className?: string | ((row: Row) => string | undefined);
  /** How many columns the cell takes in this row; the columns that it covers have none. */
  readonly span?: (row: Row) => number;
  /** Present: rows can be ordered by it. `server` leaves the ordering to who gives the rows. */
  readonly sort?: "server" | ((row: Row) => SortValue);
}

/** By which column rows are ordered. */
export interface Sorting<Id extends string = string> {
  readonly id: Id;
  readonly descending: boolean;
}

/** Negative where `a` comes first. Numbers within text count as numbers: "slot 9" before "slot 10". */
export function compareValues(a: SortValue, b: SortValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "string" || typeof b === "string")
    return String(a).localeCompare(String(b), "en", { numeric: true, sensitivity: "base" });
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order after a click on a head: first one direction, then the other, then as the rows came where `removable`. */
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

/** The columns of a row with the number of columns that each cell takes; covered columns are left out. */
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

/** The class of a column that narrow pages leave out. */
export const fromClass = ({ from }: Pick<ColumnLayout, "from">): string | undefined =>
  from === undefined ? undefined : fromClasses[from];

/** The classes that place the head and the cells of a column. */
export const placeClasses = (column: Pick<ColumnLayout, "align" | "spaced" | "from">) => [
  column.align === "end" && "end-aligned",
  column.spaced === true && "spaced",
  fromClass(column),
];

/** A `class` attribute, or nothing where there is no class. */
export const classNames = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter((name) => name !== false && name !== undefined && name !== "").join(" ") || undefined;
