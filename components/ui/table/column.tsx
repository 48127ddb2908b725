"use client";
// Builds columns from values: what a cell shows is what the column sorts and filters by.
import Link from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "@/server/domain/numbers";
import type { TableColumn } from "@/components/ui/table/columns";
import { RowOpener } from "@/components/ui/table/row-opener";
import { Age, ProofTime, proofTimeWidth, Time } from "@/components/ui/time/time";

type Layout<Row> = Omit<TableColumn<Row>, "id" | "label" | "cell">;

/** With what a cell shows for null. */
type OrNone<Row> = Layout<Row> & { readonly none?: ReactNode };

const rowHeader = { narrow: "top-start", rowHeader: true, always: true } as const;

/** Any cell; sorted and filtered only if `sort` or `text` says by what. */
const cell = <Row,>(
  id: string,
  label: string,
  draw: (row: Row) => ReactNode,
  layout: Layout<Row> = {},
): TableColumn<Row> => ({ ...layout, id, label, cell: draw });

/** A column of values that are drawn in one way; a layout given later wins. */
const valueColumn =
  <Row, Value extends string | number | Date>(draw: (value: Value) => ReactNode, usual: Layout<Row>) =>
  (
    id: string,
    label: string,
    of: (row: Row) => Value | null | undefined,
    { none = "–", ...layout }: OrNone<Row> = {},
  ) =>
    cell(
      id,
      label,
      (row: Row) => {
        const value = of(row);
        return value == null ? none : draw(value);
      },
      { sort: (row) => of(row) ?? null, ...usual, ...layout },
    );

/** A text, with itself as the tooltip because it may be cut. */
const text = <Row,>(
  id: string,
  label: string,
  of: (row: Row) => string | null | undefined,
  layout: OrNone<Row> = {},
): TableColumn<Row> => valueColumn<Row, string>((value) => value, { title: of })(id, label, of, layout);

interface Opens {
  /** The row's id. */
  readonly id: string;
  readonly words: string;
  readonly mark?: ReactNode;
}

const opener = <Row,>(
  id: string,
  label: string,
  of: (row: Row) => Opens,
  { openerClass, ...layout }: Layout<Row> & { readonly openerClass?: string } = {},
): TableColumn<Row> =>
  cell(
    id,
    label,
    (row) => {
      const { mark, ...opens } = of(row);
      const button = <RowOpener {...opens} className={openerClass} />;
      return mark === undefined ? (
        button
      ) : (
        <span className="marked-text">
          {mark}
          {button}
        </span>
      );
    },
    { ...rowHeader, sort: (row) => of(row).words, ...layout },
  );

const link = <Row,>(
  id: string,
  label: string,
  of: (row: Row) => { readonly words: string; readonly href: string },
  { linkClass = "text-medium", ...layout }: Layout<Row> & { readonly linkClass?: string } = {},
): TableColumn<Row> =>
  cell(
    id,
    label,
    (row) => {
      const { words, href } = of(row);
      return (
        <Link className={linkClass} href={href} prefetch={false}>
          {words}
        </Link>
      );
    },
    { ...rowHeader, sort: (row) => of(row).words, ...layout },
  );

/** The kinds of columns for one type of row. */
export const columnsOf = <Row,>() => ({
  cell: cell<Row>,
  text: text<Row>,
  /** A number, highest first. */
  count: valueColumn<Row, number>(formatCount, { align: "end", firstOrder: "descending" }),
  /** How long ago, newest first. */
  age: valueColumn<Row, Date>((at) => <Age at={at} />, {
    align: "end",
    className: "text-quiet",
    firstOrder: "descending",
  }),
  /** The exact time, newest first. */
  time: valueColumn<Row, Date>((at) => <Time at={at} />, { firstOrder: "descending" }),
  /** A time that proves something: with day and zone, newest first. */
  proofTime: valueColumn<Row, Date>((at) => <ProofTime at={at} />, {
    width: proofTimeWidth,
    firstOrder: "descending",
  }),
  /** The row's name. */
  name: (id: string, label: string, of: (row: Row) => string, layout: Layout<Row> = {}) =>
    text(id, label, of, { ...rowHeader, ...layout }),
  /** The row's name as a button that opens its details or its panel. */
  opener: opener<Row>,
  /** The row's name, which leads to its page. */
  link: link<Row>,
  /** The row's buttons, on a line of their own on narrow pages. */
  acts: (width: number, draw: (row: Row) => ReactNode, layout: Layout<Row> = {}) =>
    cell("acts", "Actions", draw, {
      labelHidden: true,
      always: true,
      width,
      align: "end",
      narrow: "line",
      ...layout,
    }),
});
