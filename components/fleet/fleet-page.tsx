"use client";
// The fleet in one glance: is anything wrong, is throughput fine, what comes back, who waits longest.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { useNewestMe } from "@/components/frame/me";
import { AdmissionSection, BrakesInForce } from "@/components/queue/admission-section";
import { formatCount, formatCounted, formatPercent } from "@/components/ui/format/numbers";
import { Changed } from "@/components/ui/changed";
import { formatDuration } from "@/components/ui/format/duration";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import type { FleetSummary } from "@/server/surfaces/trpc/types";
import { CapacitySection } from "@/components/fleet/capacity-section";
import { CausesTable } from "@/components/fleet/causes-table";
import { DurationsSection } from "@/components/fleet/durations-section";
import { BigDuration, Figure } from "@/components/fleet/figure";
import { ReturnsSection } from "@/components/fleet/returns-section";
import { StatesSection } from "@/components/fleet/states-section";
import { WaitingTable } from "@/components/fleet/waiting-table";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 2500;
/** Every number leads to the hosts behind it. */
export function FleetPage() {
  const trpc = useTRPC();
  const { data: fleet, refetch } = useSuspenseQuery(trpc.fleet.summary.queryOptions());
  useLiveRefresh(refetch, { everyMs: refreshMs });
  return (
    <>
      <div className="head">
        <h1>Fleet</h1>
        <span className="what">{fleetWords(fleet)}</span>
      </div>
      <BrakesInForce />
      <Figures fleet={fleet} />
      <div className="cols two">
        <section>
          <StatesSection sites={fleet.sites} />
          <CapacitySection capacity={fleet.capacity} />
        </section>
        <section>
          <Causes fleet={fleet} />
        </section>
      </div>
      <div className="cols two ruled">
        <section>
          <ReturnsSection
            hours={fleet.returnsPerHour.map(({ hour, released, returned }) => ({
              atMs: hour.getTime(),
              released,
              returned,
            }))}
          />
        </section>
        <section>
          <DurationsSection steps={fleet.stepDurations} />
        </section>
      </div>
      <section className="ruled">
        <Waiting fleet={fleet} />
      </section>
      <section className="ruled">
        <AdmissionSection />
      </section>
    </>
  );
}

function fleetWords({ hosts, sites, counts }: FleetSummary): string {
  const at = `${formatCount(counts.working)} in progress, ${formatCount(counts.waiting)} waiting, ${formatCount(counts.inUse)} in use`;
  return `${formatCounted(sites.length, "site")}, ${formatCount(hosts)} hosts; ${at}`;
}

function Figures({ fleet }: { fleet: FleetSummary }) {
  return (
    <dl className="figures">
      <ReadyFigure fleet={fleet} />
      <ComingBackFigure fleet={fleet} />
      <AttentionFigure fleet={fleet} />
      <TimeToReadyFigure {...fleet.timeToReady} />
    </dl>
  );
}

const Count = ({ of }: { of: number }) => <Changed of={of}>{formatCount(of)}</Changed>;

function ReadyFigure({ fleet: { hosts, ready } }: { fleet: FleetSummary }) {
  const { me } = useNewestMe();
  const stopped = me.allocationStopped !== null;
  const keptOut = ready.count - ready.allocatable;
  const are = (count: number) => (count === 1 ? "is" : "are");
  const share = `${formatPercent(hosts === 0 ? 0 : (100 * ready.count) / hosts, 1)} of ${formatCounted(hosts, "host")}`;
  return (
    <Figure
      words="Ready to allocate"
      value={<Count of={stopped ? 0 : ready.allocatable} />}
      href={routes.hosts({ q: ready.filter })}
      sub={
        stopped
          ? `allocation is stopped; ${formatCounted(ready.count, "host")} ${are(ready.count)} Ready`
          : keptOut > 0
            ? `${share}; ${keptOut} more ${are(keptOut)} Ready but not allocatable`
            : share
      }
    />
  );
}

function ComingBackFigure({ fleet: { comingBack, counts } }: { fleet: FleetSummary }) {
  return (
    <Figure
      words="Coming back"
      value={<Count of={comingBack.count} />}
      href={routes.hosts({ q: comingBack.filter })}
      sub={`${formatCount(counts.working)} in progress, ${formatCount(counts.waiting)} waiting, ${formatCount(counts.overLimit)} over their limit`}
    />
  );
}

function AttentionFigure({ fleet: { needPerson, overdue } }: { fleet: FleetSummary }) {
  const { count, failed, overLimit, filter } = needPerson;
  return (
    <Figure
      words="Need attention"
      value={
        count === 0 ? (
          <Count of={0} />
        ) : (
          <span className="marked-text need">
            <Mark tone={failed > 0 ? "failed" : "attention"} />
            <Count of={count} />
          </span>
        )
      }
      href={routes.hosts({ q: filter })}
      sub={
        <>
          {failed} failed, {overLimit} over their limit
          {overdue.count === 0 ? null : (
            <>
              ;{" "}
              <Link className="link" href={routes.hosts({ q: overdue.filter })}>
                {formatCount(overdue.count)} overdue
              </Link>
            </>
          )}
        </>
      }
    />
  );
}

function TimeToReadyFigure({ p50Ms, p95Ms, returns, weekAgo, p50ByHourMs }: FleetSummary["timeToReady"]) {
  const p50ByHour = p50ByHourMs.filter((ms) => ms !== null);
  const before =
    weekAgo === null ? "" : `; a week ago ${formatDuration(weekAgo.p50Ms)}, ${formatDuration(weekAgo.p95Ms)}`;
  return (
    <Figure
      words="Time to ready, p50 and p95"
      long
      value={
        p50Ms === null && p95Ms === null ? (
          <small>no return in 24 h</small>
        ) : (
          <>
            <BigDuration ms={p50Ms} />
            <span className="second">
              <BigDuration ms={p95Ms} />
            </span>
          </>
        )
      }
      day={p50ByHour.length < 2 ? undefined : p50ByHour}
      sub={`${formatCounted(returns, "return")}${before}`}
    />
  );
}

function Causes({ fleet }: { fleet: FleetSummary }) {
  const { count, filter } = fleet.needPerson;
  return (
    <>
      <div className="sec">
        <h2>Why hosts are not back</h2>
        <span className="sum cut">{formatCounted(count, "host")}, by cause</span>
        {count === 0 ? null : (
          <span className="end">
            <Link href={routes.hosts({ q: filter })}>
              {count === 1 ? "Open it" : `Open all ${formatCount(count)}`}
            </Link>
          </span>
        )}
      </div>
      {fleet.causes.length === 0 ? (
        <Empty title="No failures, no overdue hosts">
          A host that fails, or stays longer in a state than it should, is counted here by its cause.
        </Empty>
      ) : (
        <CausesTable causes={fleet.causes} />
      )}
    </>
  );
}

function Waiting({ fleet }: { fleet: FleetSummary }) {
  return (
    <>
      <div className="sec">
        <h2>Waiting longest</h2>
        <span className="sum cut">of {formatCount(fleet.waitingTotal)} that wait or failed</span>
      </div>
      {fleet.waitingLongest.length === 0 ? (
        <Empty title="No host waits">
          Hosts that failed or wait for something outside are listed here, the longest first, each with what
          to check next.
        </Empty>
      ) : (
        <WaitingTable hosts={fleet.waitingLongest} />
      )}
    </>
  );
}
