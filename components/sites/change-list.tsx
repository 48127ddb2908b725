"use client";
// A readable list of settings changes: what, before and after.
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import type { SiteChange } from "@/server/domain/sites/difference";
import { formatSetting } from "@/server/domain/sites/setting-fields";
import { formatValue, formatWholeValue } from "@/components/sites/value-text";

/** The changes, or what it means that there are none. */
export function ChangeList({
  caption,
  changes,
  none,
  whole = false,
}: {
  readonly caption: string;
  readonly changes: readonly SiteChange[];
  readonly none: string;
  /** Shows values in full, for somebody who decides on them. */
  readonly whole?: boolean;
}) {
  return changes.length === 0 ? (
    <p className="text-quiet">{none}</p>
  ) : (
    <DataTable
      caption={caption}
      className="changes"
      columns={whole ? wholeColumns : shortColumns}
      rows={changes}
      rowId={({ path }) => path.join(".")}
    />
  );
}

const column = columnsOf<SiteChange>();

const columnsFor = (words: typeof formatValue): readonly TableColumn<SiteChange>[] => [
  column.cell("setting", "Setting", ({ path }) => formatSetting(path), {
    narrow: "top-start",
    rowHeader: true,
    title: ({ path }) => path.join("."),
  }),
  column.cell(
    "before",
    "Before",
    ({ kind, path, before }) =>
      kind === "add" ? "–" : kind === "secret" ? "the stored secret" : words(path, before),
    { narrow: "bottom-start", className: "text-quiet" },
  ),
  column.cell(
    "after",
    "After",
    ({ kind, path, after }) =>
      kind === "remove" ? "removed" : kind === "secret" ? "a new secret" : words(path, after),
    { narrow: "bottom-end" },
  ),
];

const shortColumns = columnsFor(formatValue);
const wholeColumns = columnsFor(formatWholeValue);
