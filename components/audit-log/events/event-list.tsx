"use client";
// Audit events, newest first: search results, plus new ones while following the log.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { type AuditSearch, emptySearch, followInput, listInput } from "@/components/audit-log/audit-view";
import { eventColumns, eventColumnsBesidePanel } from "@/components/audit-log/events/event-columns";
import { follow, type Followed } from "@/components/audit-log/events/follow-loop";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { ProofTime } from "@/components/ui/time/time";
import type { AuditLine } from "@/server/surfaces/trpc/types";
import { problemOf } from "@/components/trpc/query-client";

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
function useFollow({ search, from, on }: Follow): Followed | null {
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

interface EventListProps {
  /** The same object while its content is the same. */
  readonly search: AuditSearch;
  /** Only events about this target. */
  readonly targetId?: string | undefined;
  readonly isFollowed: boolean;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
}

/** New events come first; an event listed before it had a sequence number is replaced by its numbered version. */
const merged = (followed: Followed | null, listed: readonly AuditLine[]): readonly AuditLine[] => {
  const fresh = followed?.rows ?? [];
  const known = new Set(fresh.map(({ id }) => id));
  return [...fresh, ...listed.filter(({ id }) => !known.has(id))];
};

/** The parameters of the page's search in its address. */
const searchParameters = Object.keys(emptySearch);

const Searched = ({ events, to }: { readonly events: number; readonly to: Date }) => (
  <>
    Searched {formatCounted(events, "event")}, back to <ProofTime at={to} />.
  </>
);

export function EventList({ search, targetId, isFollowed, open, onOpen }: EventListProps) {
  const trpc = useTRPC();
  const read = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(listInput(search, targetId), {
      getNextPageParam: ({ nextCursor }) => nextCursor,
      initialCursor: null,
    }),
  );
  const asked = useMemo(() => ({ ...followInput(search), targetId }), [search, targetId]);
  const followed = useFollow({ search: asked, from: read.data?.pages[0]?.numbered, on: isFollowed });
  const list = useRows(read);
  const rows = useMemo(() => merged(followed, list.rows), [followed, list.rows]);
  const searched = read.data?.pages.at(-1)?.searched ?? null;
  return (
    <>
      {followed === null || followed.problem === null || !isFollowed ? null : (
        <Notice tone="attention">
          {followed.problem} Following continues from event {followed.next} as soon as the server answers.
        </Notice>
      )}
      <ResourceTable
        name={targetId === undefined ? "audit-events" : "host-audit-events"}
        noun="event"
        caption="Events"
        columns={open === null ? eventColumns : eventColumnsBesidePanel}
        list={{
          ...list,
          rows,
          ...(searched === null
            ? {}
            : { moreWords: "Search further back", note: <Searched {...searched} /> }),
        }}
        rowId={({ id }) => id}
        parameters={targetId === undefined ? searchParameters : []}
        isEndless
        open={open}
        onToggle={onOpen}
        opensOnClick
        rowClassName={({ id }) => (id === open ? "at" : undefined)}
        empty={
          <Empty title="No events">
            Every change, sign-in and refused request that matches the search appears here.
          </Empty>
        }
      />
    </>
  );
}
