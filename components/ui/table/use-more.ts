"use client";
// Reads the next page when a table reaches its end.
import { useCallback } from "react";

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Once, however often the end is reached meanwhile. */
export function useMore({ hasNextPage, isFetchingNextPage, fetchNextPage }: Pages): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
}
