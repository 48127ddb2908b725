"use client";
// A site's queued hosts in the order in which they will start, loaded page by page.
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/components/ui/format/numbers";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import type { QueueLine, SiteQueue } from "@/server/surfaces/trpc/types";
import { queueQuery } from "@/components/cleaning/queue/queue-query";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 2000;
/** Deduplicated: a host that moved up between two page reads is on both pages. */
function uniqueHosts(pages: readonly { readonly hosts: readonly QueueLine[] }[]): QueueLine[] {
  return [...new Map(pages.flatMap((page) => page.hosts).map((host) => [host.hostId, host])).values()];
}

export function WaitingHosts({ site }: { site: SiteQueue }) {
  const trpc = useTRPC();
  const list = useSuspenseInfiniteQuery(
    trpc.queue.hosts.infiniteQueryOptions(queueQuery(site.siteId), {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs });
  const hosts = uniqueHosts(list.data.pages);
  return (
    <DataTable
      caption={`Queue of site ${site.site}`}
      columns={columns}
      rows={hosts}
      rowId={({ hostId }) => hostId}
      paging={{
        label: "Show more",
        hasMore: list.hasNextPage,
        busy: list.isFetchingNextPage,
        onMore: () => void list.fetchNextPage(),
        note: (
          <span className="text-quiet">
            The first {formatCount(hosts.length)} of {formatCount(site.waiting)}.
          </span>
        ),
      }}
    />
  );
}

const columns: readonly TableColumn<QueueLine>[] = [
  {
    id: "place",
    label: "Place",
    width: 52,
    narrow: "top-end",
    cell: ({ place, braked }) => (
      <Changed of={place}>
        {place !== null ? (
          formatCount(place)
        ) : braked ? (
          <Mark tone="waiting" label="held back by a brake" />
        ) : (
          "–"
        )}
      </Changed>
    ),
  },
  {
    id: "host",
    label: "Host",
    width: 140,
    narrow: "top-start",
    rowHeader: true,
    cell: ({ name }) => (
      <Link className="text-medium" href={routes.host(name)} prefetch={false}>
        {name}
      </Link>
    ),
  },
  {
    id: "reason",
    label: "Reason",
    narrow: "bottom-start",
    className: "text-soft",
    title: ({ reason }) => reason,
    cell: ({ reason }) => reason,
  },
  {
    id: "since",
    label: "Since",
    width: 88,
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
    cell: ({ since }) => <Age at={since} />,
  },
];
