"use client";
// The queue: waiting hosts in order and what each waits for, the limits of each site, and the brakes.
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/server/domain/numbers";
import { Changed } from "@/components/ui/changed";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { usePagedList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { Time } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { BrakeLine, QueueLine, SiteQueue } from "@/server/surfaces/trpc/types";
import { BrakesInForce } from "@/components/cleaning/queue/admission-section";
import { ChangeLimits } from "@/components/cleaning/queue/limits-dialog";
import { LimitsTable } from "@/components/cleaning/queue/limits-table";
import { Unreadable } from "@/components/ui/unreadable";
import { queueEveryMs, queueQuery } from "@/components/cleaning/queue/queue-query";

const refreshMs = 2000;
export function QueuePage() {
  const trpc = useTRPC();
  const me = useMe();
  const { data: queue, refetch } = useSuspenseQuery({
    ...trpc.queue.get.queryOptions(),
    refetchInterval: queueEveryMs,
  });
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const sum = (count: (site: SiteQueue) => number) =>
    queue.sites.reduce((total, site) => total + count(site), 0);
  const whyNoLimits =
    reachOf(me.role, "cleaning.override") === "any" ? undefined : "Only a provider admin can change limits";
  const lifted = queue.brakes.filter(({ liftedAt }) => liftedAt !== null);
  return (
    <>
      <CleaningHead
        what={`${formatCount(sum((site) => site.atWork))} in progress; ${sum((site) => site.waiting) === 0 ? "none waiting" : `${formatCount(sum((site) => site.waiting))} waiting`}`}
      />
      <BrakesInForce />
      <Unreadable of={queue.unreadable.map((site) => `site ${site}`)} />
      {queue.sites.map((site) => (
        <section key={site.siteId} aria-label={`Site ${site.site}`}>
          <div className="sec">
            <h2>Site {site.site}</h2>
            <span className="sum cut">
              {formatCount(site.atWork)} in progress, {formatCount(site.waiting)} waiting
            </span>
          </div>
          <div className="cols two">
            <div>
              <WaitingHosts site={site} only={queue.sites.length === 1} />
            </div>
            <div>
              <LimitsTable queue={site} act={<ChangeLimits queue={site} whyNot={whyNoLimits} />} />
            </div>
          </div>
        </section>
      ))}
      {lifted.length === 0 ? null : <LiftedBrakes brakes={lifted} />}
    </>
  );
}

const column = columnsOf<QueueLine>();

const columns = [
  column.cell(
    "place",
    "Place",
    ({ place, braked }) => (
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
    { width: 52, narrow: "top-end", sort: ({ place }) => place },
  ),
  column.cell(
    "host",
    "Host",
    ({ name }) => (
      <Link className="text-medium" href={routes.host(name)} prefetch={false}>
        {name}
      </Link>
    ),
    { width: 140, narrow: "top-start", rowHeader: true, always: true, sort: ({ name }) => name },
  ),
  column.text("reason", "Reason", ({ reason }) => reason, { narrow: "bottom-start", className: "text-soft" }),
  column.age("since", "Since", ({ since }) => since, { width: 88, narrow: "bottom-end" }),
];

const hostsOf = ({ hosts }: { readonly hosts: readonly QueueLine[] }) => hosts;
const hostId = (host: QueueLine) => host.hostId;

/** A site's hosts in the order in which they will start. @param only it is the only site */
function WaitingHosts({ site, only }: { site: SiteQueue; only: boolean }) {
  const trpc = useTRPC();
  const read = useInfiniteQuery(
    trpc.queue.hosts.infiniteQueryOptions(queueQuery(site.siteId), {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  useLiveRefresh(() => read.refetch(), { everyMs: refreshMs });
  const list = usePagedList(read, { rowsOf: hostsOf, rowId: hostId });
  return (
    <ResourceTable
      name="queue"
      of={only ? undefined : `site ${site.site}`}
      prefix={only ? undefined : site.site}
      noun="host"
      caption={`Queue of site ${site.site}`}
      fullWidth={false}
      list={{ ...list, total: site.waiting }}
      columns={columns}
      rowId={hostId}
      namesOf={({ name }) => [name]}
      empty={
        <Empty title="The queue is empty">
          A released host waits here when a limit is reached or a brake holds it back; it is shut off from its
          tenant before that.
        </Empty>
      }
    />
  );
}

/** Brakes lifted within the last day. */
function LiftedBrakes({ brakes }: { brakes: readonly BrakeLine[] }) {
  return (
    <section aria-label="Brakes lifted">
      <div className="sec">
        <h2>Brakes lifted</h2>
        <span className="sum cut">in the last day</span>
      </div>
      <ul>
        {brakes.map((brake) => (
          <li key={brake.id}>
            {brake.message}{" "}
            <span className="text-quiet">
              Site {brake.site}, {brake.asks.length === 0 ? "on" : "asked"} since{" "}
              <Time at={brake.engagedAt} />, {brake.asks.length === 0 ? "lifted" : "dismissed"}{" "}
              {brake.liftedAt === null ? "" : <Time at={brake.liftedAt} />}
              {brake.liftedBy === null ? "" : ` by ${brake.liftedBy}`}.
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
