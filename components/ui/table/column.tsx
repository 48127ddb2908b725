"use client";
// Builds columns from values: what a cell shows is what the column sorts and filters by.
import Link from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "@/components/ui/format/numbers";
import { RowOpener } from "@/components/ui/table/row-opener";
import type { TableColumn } from "@/components/ui/table/columns";
import { Age, Time } from "@/components/ui/time/time";

type Layout<Row> = Omit<TableColumn<Row>, "id" | "label" | "cell">;

/** What a text column shows for null. */
interface TextLayout<Row> extends Layout<Row> {
  readonly none?: ReactNode;
}

const rowHeader = { narrow: "top-start", rowHeader: true, always: true } as const;

/** The kinds of columns for one type of row. */
export function columnsOf<Row>() {
  /** Any cell; sorted and filtered only if `sort` or `text` says by what. */
  const cell = (
    id: string,
    label: string,
    draw: (row: Row) => ReactNode,
    layout: Layout<Row> = {},
  ): TableColumn<Row> => ({ ...layout, id, label, cell: draw });

  /** A text, with itself as the tooltip because it may be cut. */
  const text = (
    id: string,
    label: string,
    of: (row: Row) => string | null,
    { none = "–", ...layout }: TextLayout<Row> = {},
  ) => cell(id, label, (row) => of(row) ?? none, { title: of, sort: of, ...layout });

  /** A number, highest first. */
  const count = (
    id: string,
    label: string,
    of: (row: Row) => number | null,
    { none = "–", ...layout }: TextLayout<Row> = {},
  ) =>
    cell(
      id,
      label,
      (row) => {
        const value = of(row);
        return value === null ? none : formatCount(value);
      },
      { align: "end", firstOrder: "descending", sort: of, ...layout },
    );

  const moment =
    (draw: (at: Date) => ReactNode, look: Layout<Row>) =>
    (
      id: string,
      label: string,
      of: (row: Row) => Date | null,
      { none = "–", ...layout }: TextLayout<Row> = {},
    ) =>
      cell(
        id,
        label,
        (row) => {
          const at = of(row);
          return at === null ? none : draw(at);
        },
        { ...look, firstOrder: "descending", sort: of, ...layout },
      );

  return {
    cell,
    text,
    count,
    /** How long ago, newest first. */
    age: moment((at) => <Age at={at} />, { align: "end", className: "text-quiet" }),
    /** The exact time, newest first. */
    time: moment((at) => <Time at={at} />, {}),
    /** The row's name as a button that opens its details or its panel. */
    opener: (
      id: string,
      label: string,
      of: (row: Row) => { readonly id: string; readonly words: string; readonly mark?: ReactNode },
      { openerClass, ...layout }: Layout<Row> & { readonly openerClass?: string } = {},
    ) =>
      cell(
        id,
        label,
        (row) => {
          const { mark, ...opens } = of(row);
          const opener = <RowOpener {...opens} className={openerClass} />;
          return mark === undefined ? (
            opener
          ) : (
            <span className="marked-text">
              {mark}
              {opener}
            </span>
          );
        },
        { ...rowHeader, sort: (row) => of(row).words, ...layout },
      ),
    /** The row's name. */
    name: (id: string, label: string, of: (row: Row) => string, layout: Layout<Row> = {}) =>
      text(id, label, of, { ...rowHeader, ...layout }),
    /** The row's name, which leads to its page. */
    link: (
      id: string,
      label: string,
      of: (row: Row) => { readonly words: string; readonly href: string },
      { linkClass = "text-medium", ...layout }: Layout<Row> & { readonly linkClass?: string } = {},
    ) =>
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
      ),
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
  };
}
