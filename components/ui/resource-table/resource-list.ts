"use client";
// The rows of a list screen from one read of the contract: whole, or page by page.
import type { InfiniteData } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { useMore } from "@/components/ui/table/use-more";

export interface ResourceList<Row> {
  readonly rows: readonly Row[];
  /** How many rows the list has, loaded or not; null: unknown. */
  readonly total: number | null;
  readonly hasMore: boolean;
  /** Nothing is loaded yet. */
  readonly loading: boolean;
  readonly loadingMore: boolean;
  readonly error: unknown;
  /** Loads the next page. Stable across renders. */
  readonly loadMore: () => void;
  readonly refetch: () => void;
  /** Beside the button for more rows. */
  readonly note?: ReactNode;
  /** The button's words, if it does not show the next page. */
  readonly moreWords?: string;
}

interface Read {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

const nothing = () => undefined;

/** A read that answers the whole list. `rows` must be stable across renders, such as a part of the answer. */
export const wholeList = <Row>(read: Read, rows: readonly Row[] = []): ResourceList<Row> => ({
  rows,
  total: rows.length,
  hasMore: false,
  loading: read.isPending,
  loadingMore: false,
  error: read.error,
  loadMore: nothing,
  refetch: () => void read.refetch(),
});

/** The same for rows that the page has already read. */
export const allRows = <Row>(rows: readonly Row[]): ResourceList<Row> =>
  wholeList({ error: null, isPending: false, refetch: nothing }, rows);

interface PagedRead<Page> extends Read {
  readonly data: InfiniteData<Page, unknown> | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

interface Paged<Page, Row> {
  /** Stable across renders, as is `rowId`. */
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly totalOf?: (page: Page) => number | null;
}

/** A read that answers page by page. A row that moved between two reads is on both pages; it is listed once. */
export function usePagedList<Page, Row>(
  read: PagedRead<Page>,
  { rowsOf, rowId, totalOf }: Paged<Page, Row>,
): ResourceList<Row> {
  const pages = read.data?.pages;
  const rows = useMemo(
    () => [...new Map((pages ?? []).flatMap(rowsOf).map((row) => [rowId(row), row])).values()],
    [pages, rowsOf, rowId],
  );
  const first = pages?.[0];
  return {
    rows,
    total: first === undefined || totalOf === undefined ? null : totalOf(first),
    hasMore: read.hasNextPage,
    loading: read.isPending,
    loadingMore: read.isFetchingNextPage,
    error: read.error,
    loadMore: useMore(read),
    refetch: () => void read.refetch(),
  };
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total?: number | null;
}

const pageOf = {
  rowsOf: <Row>({ rows }: Page<Row>) => rows,
  rowId: ({ id }: { readonly id: string }) => id,
  totalOf: ({ total }: Page<unknown>) => total ?? null,
};

const itemsOf = <Row>({ items }: { readonly items: readonly Row[] }) => items;

/** A read of pages of items. @param rowId stable across renders */
export const useItems = <Row>(
  read: PagedRead<{ readonly items: readonly Row[] }>,
  rowId: (row: Row) => string,
): ResourceList<Row> => usePagedList(read, { rowsOf: itemsOf<Row>, rowId });

/** A read of pages of rows with ids, as most lists of the contract are. */
export const useRows = <Row extends { readonly id: string }>(read: PagedRead<Page<Row>>): ResourceList<Row> =>
  usePagedList<Page<Row>, Row>(read, pageOf);
