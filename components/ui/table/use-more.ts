"use client";
// Loads the next page when a table reaches its end.
import { useCallback } from "react";

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Loads it once, however often the end is reached in the meantime. */
export function useMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: Pages): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
}
