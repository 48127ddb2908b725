"use client";
// Follows the audit log while enabled; switching it off and on again resumes where it stopped.
import { useEffect, useRef, useState } from "react";
import { follow, type Followed } from "@/components/audit-log/events/follow-loop";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPCClient } from "@/components/trpc/trpc";
import type { followInput } from "@/components/audit-log/audit-view";

interface Follow {
  /** The same object while its content is the same. */
  readonly search: ReturnType<typeof followInput> & { readonly targetId?: string | undefined };
  /** The first sequence number to ask for; undefined while unknown. */
  readonly from: number | undefined;
  readonly on: boolean;
}

interface Place {
  readonly search: Follow["search"];
  readonly from: number;
  readonly followed: Followed;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Null before the first answer. A new search or a new first number starts over. */
export function useFollow({ search, from, on }: Follow): Followed | null {
  const client = useTRPCClient();
  const [place, setPlace] = useState<Place | null>(null);
  const last = useRef<Place | null>(null);
  useEffect(() => {
    if (!on || from === undefined) return;
    const known = last.current;
    const goesOn = known !== null && known.search === search && known.from === from;
    const ended = new AbortController();
    void follow({
      start: goesOn ? known.followed : { rows: [], next: from, problem: null },
      ask: (at) => client.audit.follow.query({ ...search, from: at }, { signal: ended.signal }),
      tell: (followed) => {
        last.current = { search, from, followed };
        setPlace(last.current);
      },
      wordsOf: (error) => problemOf(error).words,
      pause,
      signal: ended.signal,
    });
    return () => ended.abort();
  }, [client, search, from, on]);
  return place !== null && place.search === search && place.from === from ? place.followed : null;
}
