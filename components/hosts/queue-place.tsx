"use client";
// The place of a queued host, or the brake that keeps it from having one.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { queuePlace } from "./queue-words";

const refreshMs = 2500;

/** Shown only while the host is queued: it reads the queue of every site. */
export function QueuePlace({ hostId }: { hostId: string }) {
  const trpc = useTRPC();
  const queue = useQuery(trpc.queue.get.queryOptions());
  useLiveRefresh(() => queue.refetch(), { everyMs: refreshMs });
  if (queue.isError) return <ProblemNotice error={queue.error} before="The queue could not be read." onRetry={() => void queue.refetch()} />;
  const place = queue.data === undefined ? null : queuePlace(queue.data, hostId);
  if (place === null) return null;
  return (
    <p className="says">
      {place.words}{" "}
      <Link className="link" href="/cleaning/queue">
        {place.braked ? "Look at the brake" : "Queue and limits"}
      </Link>
    </p>
  );
}
