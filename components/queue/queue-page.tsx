"use client";
// The queue: who waits for a place in order and for what, the limits of each site, and the brakes.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CleaningHead } from "@/components/cleaning/cleaning-head";
import { hostHref } from "@/components/hosts/host-href";
import { hostsHref } from "@/components/hosts/hosts-view";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Changed } from "@/components/ui/changed";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { Age, Time } from "@/components/ui/time";
import { reachOf } from "@/server/domain/access/access";
import type { BrakeLine, SiteQueue } from "@/server/surfaces/trpc/types";
import { BrakeNotices } from "./brake-notices";
import { LimitsTable } from "./limits-table";

const refreshMs = 2000;
const number = (value: number) => value.toLocaleString("en");

export function QueuePage() {
  const trpc = useTRPC();
  const me = useMe();
  const { data: queue, refetch } = useSuspenseQuery(trpc.queue.get.queryOptions());
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const sum = (count: (site: SiteQueue) => number) => queue.sites.reduce((total, site) => total + count(site), 0);
  const lifted = queue.brakes.filter(({ liftedAt }) => liftedAt !== null);
  return (
    <>
      <CleaningHead what={`${number(sum((site) => site.atWork))} at work; ${sum((site) => site.waiting) === 0 ? "nobody waits for a place" : `${number(sum((site) => site.waiting))} wait for a place`}`} />
      <div className="above">
        <BrakeNotices brakes={queue.brakes} whyNot={reachOf(me.role, "brake.lift") === "any" ? undefined : `The role ${me.role} may not lift a brake`} />
      </div>
      {queue.sites.map((site) => (
        <section key={site.siteId} aria-label={`Site ${site.site}`}>
          <div className="sec">
            <h2>Site {site.site}</h2>
            <span className="sum cut">
              {number(site.atWork)} at work, {number(site.waiting)} waiting
            </span>
          </div>
          <div className="cols two">
            <div>{site.hosts.length === 0 ? <Empty title="Nobody waits for a place">A released host waits here when a limit is reached or a brake holds it back; it is shut off from its tenant before that.</Empty> : <WaitingHosts site={site} />}</div>
            <div>
              <LimitsTable queue={site} />
            </div>
          </div>
        </section>
      ))}
      {lifted.length === 0 ? null : <LiftedBrakes brakes={lifted} />}
    </>
  );
}

/** In the order in which they begin. */
function WaitingHosts({ site }: { site: SiteQueue }) {
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
            <th scope="col">Waits for</th>
            <th scope="col" className="r">
              Since
            </th>
          </tr>
        </thead>
        <tbody>
          {site.hosts.map((host) => (
            <tr key={host.hostId}>
              <td data-m="b">
                <Changed of={host.place}>{host.place === null ? <Mark tone="waiting" label="held back by a brake" /> : number(host.place)}</Changed>
              </td>
              <td data-m="a">
                <Link className="b" href={hostHref(host.name)}>
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
      {site.waiting > site.hosts.length ? (
        <p className="after">
          <Link className="link" href={hostsHref(`state:WaitingForCleanup/Queued site:${site.site}`)}>
            All {number(site.waiting)} that wait
          </Link>
        </p>
      ) : null}
    </>
  );
}

/** Those of the last day, which somebody lifted. */
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
            {brake.message} <span className="n10">Site {brake.site}, on since <Time at={brake.engagedAt} />, lifted {brake.liftedAt === null ? "" : <Time at={brake.liftedAt} />}{brake.liftedBy === null ? "" : ` by ${brake.liftedBy}`}.</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
