"use client";
// Reads something again when it changed, but not more often than is good for the server.
import { useEffect, useRef } from "react";
import { useLive } from "@/components/live/live-provider";
import { makePacer, type Pacer } from "@/components/live/pacer";

interface LiveRefresh {
  /** Only changes of this host; undefined: any. */
  hostId?: string | undefined;
  /** At most one refresh in this time; the last change is never lost. */
  everyMs: number;
  /** Off: nothing is listened to. */
  enabled?: boolean;
}

/**
 * Calls `refresh` at once after a quiet time, then once per `everyMs` while changes go on; where it gives a promise, not before that has ended. Without
 * any change it is called once a minute.
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
