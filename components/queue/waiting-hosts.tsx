"use client";
// Who waits for a place at one site, in the order in which they begin; read page by page.
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import { Age } from "@/components/ui/time/time";
import type { QueueLine, SiteQueue } from "@/server/surfaces/trpc/types";
import { queueQuery } from "@/components/queue/queue-query";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 2000;
const number = (value: number) => value.toLocaleString("en");

/** Each host once: one that moved up between two readings is in two pages. */
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
    <>
      <table className="t tight queue" aria-label={`Queue of site ${site.site}`}>
        <colgroup>
          <col className="col-place" />
          <col className="col-host" />
          <col />
          <col className="col-since" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">Host</th>
            <th scope="col">Waits because</th>
            <th scope="col" className="r">
              Since
            </th>
          </tr>
        </thead>
        <tbody>
          {hosts.map((host) => (
            <tr key={host.hostId}>
              <td data-m="b">
                <Changed of={host.place}>
                  {host.place === null ? (
                    host.braked ? (
                      <Mark tone="waiting" label="held back by a brake" />
                    ) : (
                      "–"
                    )
                  ) : (
                    number(host.place)
                  )}
                </Changed>
              </td>
              <td data-m="a">
                <Link className="b" href={routes.host(host.name)} prefetch={false}>
                  {host.name}
                </Link>
              </td>
              <td className="n11" data-m="c" title={host.reason}>
                {host.reason}
              </td>
              <td className="r n10" data-m="d">
                <Age at={host.since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {list.hasNextPage ? (
        <p className="after">
          <span className="n10">
            The first {number(hosts.length)} of {number(site.waiting)}.
          </span>{" "}
          <Button kind="plain" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </p>
      ) : null}
    </>
  );
}
