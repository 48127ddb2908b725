"use client";
// Admission on the fleet page: how many wait for a place, the limits of each site, and the brakes.
import { useSuspenseQuery } from "@tanstack/react-query";
import { hostsHref } from "@/components/hosts/hosts-view";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import Link from "next/link";
import { reachOf } from "@/server/domain/access/access";
import { BrakeNotices } from "./brake-notices";
import { LimitsTable } from "./limits-table";

const refreshMs = 2500;
const number = (value: number) => value.toLocaleString("en");

export function AdmissionSection() {
  const trpc = useTRPC();
  const me = useMe();
  const { data: queue, refetch } = useSuspenseQuery(trpc.queue.get.queryOptions());
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const waiting = queue.sites.reduce((sum, site) => sum + site.waiting, 0);
  const atWork = queue.sites.reduce((sum, site) => sum + site.atWork, 0);
  const whyNot = reachOf(me.role, "brake.lift") === "any" ? undefined : `The role ${me.role} may not lift a brake`;
  return (
    <>
      <div className="sec">
        <h2>Admission</h2>
        <span className="sum cut">
          {number(atWork)} at work, {waiting === 0 ? "nobody waits for a place" : `${number(waiting)} wait for a place`}
        </span>
        {waiting === 0 ? null : (
          <span className="end">
            <Link href={hostsHref("state:WaitingForCleanup/Queued")}>Open them</Link>
          </span>
        )}
      </div>
      <BrakeNotices brakes={queue.brakes} whyNot={whyNot} />
      {queue.sites.map((site) => (
        <LimitsTable key={site.siteId} queue={site} />
      ))}
    </>
  );
}
