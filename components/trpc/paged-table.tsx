"use client";
// Connects a `DataTable` to a paginated query: loading state, error, and the button for more.
import type { ReactNode } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";

interface PagedList {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch?: () => unknown;
}

interface PagedText {
  /** A sentence for errors: "The drives could not be read." */
  readonly before: string;
  /** Button label: "Show more drives". */
  readonly more: string;
  /** Shown beside the button. */
  readonly note?: ReactNode;
}

const retryOf = ({ refetch }: PagedList) => (refetch === undefined ? undefined : () => void refetch());

/** Props for a `DataTable`. */
export const pagedTable = (list: PagedList, { before, more, note }: PagedText) => ({
  loading: list.isPending,
  problem:
    list.error === null ? undefined : (
      <ProblemNotice error={list.error} before={before} onRetry={retryOf(list)} />
    ),
  paging: {
    label: more,
    hasMore: list.hasNextPage,
    busy: list.isFetchingNextPage,
    onMore: () => void list.fetchNextPage(),
    note,
  },
});
