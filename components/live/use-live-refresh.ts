"use client";
// Reads something again when it changed, but not more often than is good for the server.
import { useEffect, useRef } from "react";
import { useLive } from "./live-provider";

interface LiveRefresh {
  /** Only changes of this host; undefined: any. */
  hostId?: string | undefined;
  /** At most one refresh in this time; the last change is never lost. */
  everyMs: number;
  /** Off: nothing is listened to. */
  enabled?: boolean;
}

/** Calls `refresh` at once after a quiet time, then once per `everyMs` while changes go on. */
export function useLiveRefresh(refresh: () => unknown, { hostId, everyMs, enabled = true }: LiveRefresh): void {
  const newest = useRef(refresh);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastAt = useRef(0);
  useEffect(() => {
    newest.current = refresh;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((changes) => {
    if (!enabled || (!changes.everything && hostId !== undefined && !changes.hostIds.has(hostId))) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        lastAt.current = performance.now();
        newest.current();
      },
      Math.max(0, lastAt.current + everyMs - performance.now()),
    );
  });
}
