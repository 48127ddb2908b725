"use client";
// Virtualized rows of a long table that scrolls with the page: only visible rows are rendered.
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { columnCount, SpaceRow, TableRow, type RowSettings } from "@/components/ui/table/table-row";
import { useNarrow } from "@/components/ui/media/use-narrow";

const rowPx = 32;
/** How many rows before the end the next page is requested. */
const endRows = 20;

/** Settings for a table of thousands of rows. */
export interface VirtualSettings {
  /** The height of a row in a narrow window until it is measured. */
  readonly narrowRowPx: number;
  /** Called near the end, to load more. */
  readonly onEnd: () => void;
}

interface VirtualRowsProps<Row> extends VirtualSettings {
  readonly rows: readonly { readonly id: string; readonly row: Row }[];
  readonly settings: RowSettings<Row>;
  readonly after: ReactNode;
  readonly loading: boolean;
}

/** Rows are keyed by id, so that a changed row keeps its place. */
export function VirtualRows<Row>({
  rows,
  settings,
  after,
  loading,
  narrowRowPx,
  onEnd,
}: VirtualRowsProps<Row>) {
  const narrow = useNarrow();
  const body = useRef<HTMLTableSectionElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    if (body.current !== null) setScrollMargin(body.current.getBoundingClientRect().top + scrollY);
  }, [loading, narrow]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (narrow ? narrowRowPx : rowPx),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    scrollMargin,
    initialRect: { width: 1440, height: 900 },
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && lastIndex >= rows.length - endRows) onEnd();
  }, [lastIndex, rows.length, onEnd]);
  const cursorIndex = rows.findIndex(({ id }) => id === settings.cursor);
  useEffect(() => {
    if (cursorIndex >= 0) virtual.scrollToIndex(cursorIndex, { align: "auto" });
  }, [cursorIndex, virtual]);
  const columns = columnCount(settings);
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <tbody ref={body}>
      <SpaceRow height={above} columns={columns} />
      {items.map((item) => {
        const entry = rows[item.index];
        return entry === undefined ? null : (
          <TableRow
            key={entry.id}
            id={entry.id}
            row={entry.row}
            settings={settings}
            index={item.index}
            measure={narrow ? virtual.measureElement : noMeasure}
          />
        );
      })}
      <SpaceRow height={below} columns={columns} />
      {after}
    </tbody>
  );
}

/** Rows on wide windows all have the same height. */
const noMeasure = () => undefined;
