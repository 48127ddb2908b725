"use client";
// Refetches after live changes, but no more often than the server should be asked.
import { useEffect, useRef } from "react";
import { useLive } from "@/components/live/live-provider";
import { makePacer, type Pacer } from "@/components/live/pacer";

interface LiveRefresh {
  /** Only changes to this host; undefined: any host. */
  hostId?: string | undefined;
  /** Minimum interval between refreshes; the last change always leads to one. */
  everyMs: number;
  /** False: changes are ignored. */
  enabled?: boolean;
}

/**
 * Calls `refresh` at once after a quiet time, then at most once per `everyMs` while changes keep coming. If it returns a promise, the next call
 * waits for that. Without any change it is called once a minute.
 */
export function useLiveRefresh(
  refresh: () => unknown,
  { hostId, everyMs, enabled = true }: LiveRefresh,
): void {
  const newest = useRef<() => unknown>(refresh);
  const pacer = useRef<Pacer>(undefined);
  useEffect(() => {
    newest.current = enabled ? refresh : () => undefined;
  });
  useEffect(() => {
    const own = makePacer(everyMs, () => newest.current());
    pacer.current = own;
    return own.stop;
  }, [everyMs]);
  useLive((changes) => {
    if (!enabled || (!changes.everything && hostId !== undefined && !changes.hostIds.has(hostId))) return;
    pacer.current?.ask();
  });
}
