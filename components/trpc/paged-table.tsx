"use client";
// What a table shows of a list that is read page by page: that it loads, what went wrong, and the button for more.
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

interface PagedWords {
  /** What failed, as a sentence: "The drives could not be read." */
  readonly before: string;
  /** On the button: "Show more drives". */
  readonly more: string;
  /** Beside the button. */
  readonly note?: ReactNode;
}

const retryOf = ({ refetch }: PagedList) => (refetch === undefined ? undefined : () => void refetch());

/** Properties of a `DataTable`. */
export const pagedTable = (list: PagedList, { before, more, note }: PagedWords) => ({
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
