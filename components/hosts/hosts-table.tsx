"use client";
// The hosts table: a real table of which only the rows in sight are drawn; it scrolls with the page.
import { useTable } from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useNarrow } from "@/components/ui/use-narrow";
import { columnLooks, isColumnId, type ColumnId, type ColumnLook } from "@/components/hosts/column-looks";
import { hostColumns, hostFeatures } from "@/components/hosts/columns";
import type { HostRow } from "@/server/surfaces/trpc/types";
import type { SortName, Sorting } from "@/components/hosts/hosts-view";

interface HostsTableProps {
  rows: readonly HostRow[];
  /** How many match in all, where the server counted them. */
  total: number | null;
  hidden: ReadonlySet<ColumnId>;
  sorting: Sorting;
  onSort: (name: SortName) => void;
  /** The row under the keys; its id. */
  at: string | null;
  onAt: (id: string) => void;
  /** Undefined: this person selects nothing. */
  selection: { ids: ReadonlySet<string>; toggle: (id: string) => void; toggleAll: () => void } | undefined;
  loading: boolean;
  onEnd: () => void;
  /** A line above the rows: "4 hosts entered this view". */
  fold: ReactNode;
  /** Told when the pointer comes over the table, and when it leaves. */
  onReading: (reading: boolean) => void;
}

const rowPx = 32;
const narrowRowPx = 77;
const endRows = 20;

/** Columns in order; rows keyed by host, so that a changed row keeps its place. */
export function HostsTable({
  rows,
  total,
  hidden,
  sorting,
  onSort,
  at,
  onAt,
  selection,
  loading,
  onEnd,
  fold,
  onReading,
}: HostsTableProps) {
  const narrow = useNarrow();
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const columnVisibility: Record<string, boolean> = Object.fromEntries([...hidden].map((id) => [id, false]));
  const table = useTable({
    features: hostFeatures,
    columns: hostColumns,
    data: rows,
    getRowId: (row) => row.hostId,
    state: { columnVisibility },
  });
  const tableRows = table.getRowModel().rows;
  useLayoutEffect(() => {
    if (body.current !== null) setScrollMargin(body.current.getBoundingClientRect().top + scrollY);
  }, [fold, loading, narrow]);
  const virtual = useWindowVirtualizer({
    count: tableRows.length,
    estimateSize: () => (narrow ? narrowRowPx : rowPx),
    getItemKey: (index) => tableRows[index]?.id ?? index,
    overscan: 12,
    scrollMargin,
    initialRect: { width: 1440, height: 900 },
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (tableRows.length > 0 && lastIndex >= tableRows.length - endRows) onEnd();
  }, [lastIndex, tableRows.length, onEnd]);
  const atIndex = tableRows.findIndex((row) => row.id === at);
  useEffect(() => {
    if (atIndex >= 0) virtual.scrollToIndex(atIndex, { align: "auto" });
  }, [atIndex, virtual]);

  const shown = table
    .getVisibleLeafColumns()
    .map((column) => column.id)
    .filter(isColumnId);
  const columns = shown.length + (selection === undefined ? 0 : 1);
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  const allSelected =
    selection !== undefined && rows.length > 0 && rows.every((row) => selection.ids.has(row.hostId));
  return (
    <table
      className="t wide hosts"
      aria-label="Hosts"
      aria-rowcount={total === null ? -1 : total + 1}
      aria-busy={loading}
      onPointerEnter={() => onReading(true)}
      onPointerLeave={() => onReading(false)}
    >
      <colgroup>
        {selection === undefined ? null : <col className="col-check" />}
        {shown.map((id) => (
          <col key={id} className={columnLooks[id].className} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {selection === undefined ? null : (
            <th scope="col">
              <input
                className="check"
                type="checkbox"
                aria-label={`Select the ${rows.length} hosts loaded`}
                checked={allSelected}
                onChange={selection.toggleAll}
              />
            </th>
          )}
          {shown.map((id) => (
            <HeadCell key={id} look={columnLooks[id]} sorting={sorting} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {fold === null ? null : (
          <tr className="fold">
            <td colSpan={columns}>{fold}</td>
          </tr>
        )}
        {before > 0 ? <Room height={before} columns={columns} /> : null}
        {items.map((item) => {
          const row = tableRows[item.index];
          if (row === undefined) return null;
          const selected = selection?.ids.has(row.id) ?? false;
          return (
            <tr
              key={row.id}
              ref={narrow ? virtual.measureElement : undefined}
              data-index={item.index}
              aria-rowindex={item.index + 2}
              className={row.id === at ? "at" : undefined}
              aria-selected={selection === undefined ? undefined : selected}
              onClick={() => onAt(row.id)}
            >
              {selection === undefined ? null : (
                <td>
                  <input
                    className="check"
                    type="checkbox"
                    aria-label={`Select ${row.original.name}`}
                    checked={selected}
                    onChange={() => selection.toggle(row.id)}
                  />
                </td>
              )}
              {row.getVisibleCells().map((cell) => (
                <BodyCell
                  key={cell.id}
                  look={isColumnId(cell.column.id) ? columnLooks[cell.column.id] : undefined}
                >
                  <table.FlexRender cell={cell} />
                </BodyCell>
              ))}
            </tr>
          );
        })}
        {after > 0 ? <Room height={after} columns={columns} /> : null}
        {loading ? <SkeletonRows rows={rows.length === 0 ? 12 : 3} columns={columns} /> : null}
      </tbody>
    </table>
  );
}

/** Empty room for rows that are not drawn. */
function Room({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden="true" className="room">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function HeadCell({
  look,
  sorting,
  onSort,
}: {
  look: ColumnLook;
  sorting: Sorting;
  onSort: (name: SortName) => void;
}) {
  const classes = `${look.className}${look.right === true ? " r" : ""}`;
  const name = look.sort;
  if (name === undefined) {
    return (
      <th scope="col" className={classes}>
        {look.words}
      </th>
    );
  }
  const active = sorting.name === name;
  return (
    <th
      scope="col"
      className={classes}
      aria-sort={active ? (sorting.descending ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        className={`head-sort${active ? (sorting.descending ? " sort" : " sort up") : ""}`}
        onClick={() => onSort(name)}
      >
        {look.words}
      </button>
    </th>
  );
}

function BodyCell({ look, children }: { look: ColumnLook | undefined; children: ReactNode }) {
  return (
    <td
      className={look === undefined ? undefined : `${look.className}${look.right === true ? " r" : ""}`}
      data-m={look?.narrow}
    >
      {children}
    </td>
  );
}
