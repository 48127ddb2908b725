"use client";
// Repairs: the queue of hosts that ask for one, with why each can or cannot be claimed.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { QueueTable } from "@/components/repair/queue-table";
import { queueQuery, type RepairView } from "@/components/repair/repair-view";
import { useTRPC } from "@/components/trpc/trpc";

const refreshMs = 3_000;

export function RepairPage({ view: _view }: { view: RepairView }) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.repair.queue.infiniteQueryOptions(queueQuery, { getNextPageParam: (page) => page.nextCursor }),
  );
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs });
  const first = list.data?.pages[0];
  return (
    <>
      <div className="head">
        <h1>Repair</h1>
        <span className="what">
          {first === undefined ? "" : `${first.claimable} of ${first.total} hosts may be claimed`}
        </span>
      </div>
      <QueueTable rows={list.data?.pages.flatMap(({ rows }) => rows) ?? []} />
    </>
  );
}
