"use client";
// Audit events, newest first: search results, plus new ones while following the log.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { followInput, listInput, type AuditSearch } from "@/components/audit-log/audit-view";
import { eventColumns, eventColumnsBesidePanel } from "@/components/audit-log/events/event-columns";
import type { Followed } from "@/components/audit-log/events/follow-loop";
import { useFollow } from "@/components/audit-log/events/use-follow";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { DataTable } from "@/components/ui/table/data-table";
import { ProofTime } from "@/components/ui/time/time";
import type { AuditLine } from "@/server/surfaces/trpc/types";

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

export function EventList({ search, targetId, isFollowed, open, onOpen }: EventListProps) {
  const trpc = useTRPC();
  const [at, setAt] = useState<string | null>(null);
  const list = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(listInput(search, targetId), {
      getNextPageParam: ({ nextCursor }) => nextCursor,
      initialCursor: null,
    }),
  );
  const asked = useMemo(() => ({ ...followInput(search), targetId }), [search, targetId]);
  const followed = useFollow({ search: asked, from: list.data?.pages[0]?.numbered, on: isFollowed });
  const rows = merged(followed, list.data?.pages.flatMap((page) => page.rows) ?? []);
  const searched = list.data?.pages.at(-1)?.searched ?? null;
  return (
    <>
      {followed === null || followed.problem === null || !isFollowed ? null : (
        <Notice tone="attention">
          {followed.problem} Following continues from event {followed.next} as soon as the server answers.
        </Notice>
      )}
      <DataTable
        caption="Events"
        fullWidth
        columns={open === null ? eventColumns : eventColumnsBesidePanel}
        rows={rows}
        rowId={({ id }) => id}
        cursor={{ id: at, onMove: setAt, onOpen, opensOnClick: true }}
        rowClassName={({ id }) => (id === open ? "at" : undefined)}
        {...pagedTable(list, {
          before: "The audit log could not be read.",
          more: searched === null ? "Show more events" : "Search further back",
          note:
            searched === null ? undefined : (
              <>
                Searched {formatCounted(searched.events, "event")}, back to <ProofTime at={searched.to} />.
              </>
            ),
        })}
        empty={
          <Empty title="No events">
            Every change, sign-in and refused request that matches the search appears here.
          </Empty>
        }
      />
    </>
  );
}
