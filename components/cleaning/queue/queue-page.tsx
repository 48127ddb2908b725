"use client";
// The queue: waiting hosts in order and what each waits for, the limits of each site, and the brakes.
import { useSuspenseQuery } from "@tanstack/react-query";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/components/ui/format/numbers";
import { Empty } from "@/components/ui/empty";
import { Time } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import type { BrakeLine, SiteQueue } from "@/server/surfaces/trpc/types";
import { BrakesInForce } from "@/components/cleaning/queue/admission-section";
import { ChangeLimits } from "@/components/cleaning/queue/limits-dialog";
import { LimitsTable } from "@/components/cleaning/queue/limits-table";
import { Unreadable } from "@/components/ui/unreadable";
import { queueEveryMs } from "@/components/cleaning/queue/queue-query";
import { WaitingHosts } from "@/components/cleaning/queue/waiting-hosts";

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
              {site.waiting === 0 ? (
                <Empty title="The queue is empty">
                  A released host waits here when a limit is reached or a brake holds it back; it is shut off
                  from its tenant before that.
                </Empty>
              ) : (
                <WaitingHosts site={site} />
              )}
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
