"use client";
// Admission on the fleet page: brakes on top, then how many hosts wait for a slot under each site's limits.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import Link from "next/link";
import { reachOf } from "@/server/domain/access/access";
import { BrakeNotices } from "@/components/cleaning/queue/brake-notices";
import { Unreadable } from "@/components/ui/unreadable";
import { LimitsTable } from "@/components/cleaning/queue/limits-table";
import { queueEveryMs } from "@/components/cleaning/queue/queue-query";
import { routes } from "@/server/domain/console/routes";
import { formatCount } from "@/components/ui/format/numbers";

const refreshMs = 2500;
/** Brakes in force, above all figures: while one is on, its hosts do not come back. */
export function BrakesInForce() {
  const trpc = useTRPC();
  const me = useMe();
  const { data: queue } = useSuspenseQuery(trpc.queue.get.queryOptions());
  return (
    <div className="above">
      <BrakeNotices
        brakes={queue.brakes}
        whyNot={
          reachOf(me.role, "brake.lift") === "any" ? undefined : `The role ${me.role} may not lift a brake`
        }
      />
    </div>
  );
}

export function AdmissionSection() {
  const trpc = useTRPC();
  const { data: queue, refetch } = useSuspenseQuery({
    ...trpc.queue.get.queryOptions(),
    refetchInterval: queueEveryMs,
  });
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const waiting = queue.sites.reduce((sum, site) => sum + site.waiting, 0);
  const atWork = queue.sites.reduce((sum, site) => sum + site.atWork, 0);
  return (
    <>
      <div className="sec">
        <h2>Admission</h2>
        <span className="sum cut">
          {formatCount(atWork)} in progress,{" "}
          {waiting === 0 ? "none waiting" : `${formatCount(waiting)} waiting`}
        </span>
        {waiting === 0 ? null : (
          <span className="end">
            <Link href={routes.cleaning.queue()}>Open the queue</Link>
          </span>
        )}
      </div>
      <Unreadable of={queue.unreadable.map((site) => `site ${site}`)} />
      <div className="cols two">
        {queue.sites.map((site) => (
          <div key={site.siteId}>
            {queue.sites.length === 1 ? null : <p className="text-quiet text-compact">Site {site.site}</p>}
            <LimitsTable queue={site} />
          </div>
        ))}
      </div>
    </>
  );
}
