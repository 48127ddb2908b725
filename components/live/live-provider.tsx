"use client";
// Live changes for the page: which hosts changed, at most a few times a second, and whether the stream is up.
import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { z } from "zod";
import { openStream, type LiveStatus } from "@/components/live/stream";
import { parseJson } from "@/server/domain/json";

/** The body of a change event; other members are ignored. */
const changeBody = z.object({ hostId: z.string().nullish() });

/** What changed since the last call: certain hosts, or everything. */
export type LiveChanges = { everything: true } | { everything: false; hostIds: ReadonlySet<string> };

type Listener = (changes: LiveChanges) => void;

interface Live {
  status: LiveStatus;
  listen: (listener: Listener) => () => void;
}

const LiveContext = createContext<Live | undefined>(undefined);
const gatherMs = 250;

/** Collects changes briefly, so that a burst becomes one update. */
function makeGatherer() {
  const listeners = new Set<Listener>();
  let hostIds = new Set<string>();
  let everything = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const changes: LiveChanges = everything ? { everything: true } : { everything: false, hostIds };
    hostIds = new Set();
    everything = false;
    for (const listener of listeners) listener(changes);
  };
  return {
    add: (hostId: string | undefined) => {
      if (hostId === undefined) everything = true;
      else hostIds.add(hostId);
      timer ??= setTimeout(flush, gatherMs);
    },
    listen: (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Provides `useLive` and `useLiveStatus`. `after` is the position in the feed that the page's own data already reflects. */
export function LiveProvider({
  personId,
  after,
  children,
}: {
  personId: string;
  after: string;
  children: ReactNode;
}) {
  const [gatherer] = useState(makeGatherer);
  const [status, setStatus] = useState<LiveStatus>({ kind: "connecting" });
  const start = useRef(after);
  useEffect(() => {
    const close = openStream(personId, start.current, {
      onStatus: setStatus,
      onEvent: (event) => {
        const body = event.kind === "change" ? parseJson(changeBody, event.data) : null;
        gatherer.add(body?.hostId ?? undefined);
      },
    });
    return close;
  }, [personId, gatherer]);
  const live = useMemo(() => ({ status, listen: gatherer.listen }), [status, gatherer]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("no LiveProvider above this component");
  return live;
}

/** Calls the newest `listener` with each batch of changes. */
export function useLive(listener: Listener): void {
  const { listen } = useLiveContext();
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  useEffect(() => listen((changes) => newest.current(changes)), [listen]);
}

/** Whether the stream is up. */
export function useLiveStatus(): LiveStatus {
  return useLiveContext().status;
}
