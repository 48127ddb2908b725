"use client";
// The fleet at a glance: is anything wrong, is throughput fine, what is coming back, who waits longest.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { SelfAuditAlert } from "@/components/audit-log/self-audit/self-audit-notice";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { useMe, useNewestMe } from "@/components/frame/me";
import { AdmissionSection, BrakesInForce } from "@/components/cleaning/queue/admission-section";
import { formatCount, formatCounted, formatPercent } from "@/server/domain/numbers";
import { Changed } from "@/components/ui/changed";
import { formatDuration } from "@/components/ui/format/duration";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { ErasesSection } from "@/components/fleet/erases-section";
import { FailuresSections } from "@/components/fleet/failures-sections";
import { FleetFilters } from "@/components/fleet/fleet-filters";
import { hoursLabels, parseFleetView } from "@/components/fleet/fleet-view";
import { formatExpected } from "@/components/fleet/charts/time-marks";
import { formatForecast } from "@/components/fleet/forecast-text";
import { FirmwareUpdates } from "@/components/fleet/firmware-updates";
import { RacksSection } from "@/components/fleet/racks-section";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import type { FleetSummary, WaitingHost } from "@/server/surfaces/trpc/types";
import { CausesTable } from "@/components/fleet/causes-table";
import { DurationsSection } from "@/components/fleet/durations-section";
import { BigDuration, Figure } from "@/components/fleet/figure";
import { ReturnsSection } from "@/components/fleet/returns-section";
import { StatesSection } from "@/components/fleet/states-section";
import { routes } from "@/server/domain/console/routes";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import { formatClock } from "@/components/ui/format/times";
import dynamic from "next/dynamic";
import { ChartFrame } from "@/components/ui/charts/chart-frame";

/** Its space is reserved while it loads. */
const CapacityChart = dynamic(() => import("@/components/fleet/charts/capacity-chart"), {
  ssr: false,
  loading: () => <div className="chart" style={{ height: 72 }} />,
});

/** One bar per half hour. */
function CapacitySection({ capacity }: { capacity: FleetSummary["capacity"] }) {
  const zone = useTimeZone();
  const { buckets, unknown } = capacity;
  const total = buckets.reduce((sum, { hosts }) => sum + hosts, 0);
  const unknownText = unknown === 0 ? "" : `; ${unknown} more without an estimate`;
  return (
    <ChartFrame
      title="Upcoming capacity"
      sum={`hosts that finish their erase, per half hour${unknownText}`}
      chart={
        total === 0 ? (
          <p className="text-quiet text-compact">No erase in progress reports an estimate{unknownText}.</p>
        ) : (
          <>
            <CapacityChart buckets={buckets} />
            <p className="visually-hidden">
              {buckets.map(({ until, hosts }) => `${hosts} by ${formatClock(until, zone)}`).join(", ")}
            </p>
          </>
        )
      }
      table={
        <DataTable
          caption="Upcoming capacity"
          rows={buckets}
          rowId={({ until }) => until.toISOString()}
          columns={[
            {
              id: "until",
              label: "Until",
              narrow: "top-start",
              rowHeader: true,
              cell: ({ until }) => formatClock(until, zone),
            },
            { id: "hosts", label: "Hosts", align: "end", narrow: "top-end", cell: ({ hosts }) => hosts },
          ]}
        />
      }
    />
  );
}

const steps = [
  {
    href: routes.settings.site(),
    words: "Site settings",
    what: "Set the network controller that switches the hosts, and the networks they boot from.",
  },
  {
    href: routes.settings.policy(),
    words: "Policy",
    what: "What the site requires before a host is Ready. Measured boot is required by default, and holds every host until Attestation is set to required or the gate is off.",
  },
  {
    href: routes.enrolments.create({ by: "list" }),
    words: "Enrol hosts",
    what: "Reclaim reads their BMCs and cleans them.",
  },
  {
    href: routes.skus(),
    words: "SKUs",
    what: "Create one per kind of host, from a sample host. Matching hosts get it automatically.",
  },
  {
    href: routes.settings.tenants(),
    words: "Tenants",
    what: "Each has a quota, and users who create instances.",
  },
] as const;

/** Empty for users who may not enrol hosts. */
function FirstSteps() {
  const { role } = useMe();
  if (reachOf(role, "host.enroll") !== "any") return null;
  return (
    <section className="first-steps" aria-label="First steps">
      <h2>First steps</h2>
      <p>No host is enrolled yet. To give a tenant its first host:</p>
      <ol>
        {steps.map(({ href, words, what }) => (
          <li key={href}>
            <Link className="link" href={href}>
              {words}
            </Link>{" "}
            <span className="text-quiet">{what}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A working host is listed here only if it is over its limit. */
const shownTone = ({ tone }: WaitingHost) => (tone === "working" ? "attention" : tone);

/** The hosts that wait longest, each with what to check next. */
function WaitingTable({ hosts }: { hosts: readonly WaitingHost[] }) {
  return <DataTable caption="Waiting longest" columns={columns} rows={hosts} rowId={(host) => host.hostId} />;
}

const column = columnsOf<WaitingHost>();

const columns = [
  column.cell(
    "host",
    "Host",
    (host) => (
      <span className="marked-text">
        <Mark tone={shownTone(host)} />
        <span className="cut">
          <Link className="text-medium" href={routes.host(host.name)}>
            {host.name}
          </Link>
        </span>
      </span>
    ),
    { width: 168, narrow: "top-start", rowHeader: true },
  ),
  column.cell("state", "State", (host) => host.state.split("/").at(-1), {
    width: 200,
    narrow: "bottom-start",
    title: (host) => host.state.replaceAll("/", " / "),
  }),
  column.age("since", "Since", (host) => host.since, { width: 96, narrow: "top-end" }),
  column.cell(
    "next",
    "Why, and what to check next",
    (host) => (
      <>
        {host.says} <span className="text-quiet">{host.checkNext}</span>
      </>
    ),
    { spaced: true, narrow: "line", title: (host) => `${host.says}. ${host.checkNext}` },
  ),
];

const refreshMs = 2500;
/** Every number links to the hosts behind it. */
export function FleetPage() {
  const trpc = useTRPC();
  const view = parseFleetView(useSearchParams());
  const { data: fleet, refetch } = useSuspenseQuery(trpc.fleet.summary.queryOptions(view));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  return (
    <>
      <div className="head">
        <h1>Fleet</h1>
        <span className="what">{formatFleet(fleet)}</span>
      </div>
      <FleetFilters view={view} choices={fleet.choices} />
      <SelfAuditAlert />
      <BrakesInForce />
      {fleet.hosts === 0 ? <FirstSteps /> : null}
      <Figures fleet={fleet} view={view} />
      <div className="cols two">
        <section>
          <StatesSection sites={fleet.sites} />
          <FirmwareUpdates />
          <CapacitySection capacity={fleet.capacity} />
          <ErasesSection erases={fleet.erases} />
        </section>
        <section>
          <Causes fleet={fleet} />
        </section>
      </div>
      <div className="cols two ruled">
        <section>
          <ReturnsSection
            span={view.hours}
            hours={fleet.returnsPerHour.map(({ hour, released, returned }) => ({
              atMs: hour.getTime(),
              released,
              returned,
            }))}
          />
        </section>
        <section>
          <DurationsSection steps={fleet.stepDurations} span={hoursLabels[view.hours]} />
        </section>
      </div>
      <FailuresSections view={view} />
      <section className="ruled">
        <RacksSection view={view} />
      </section>
      <section className="ruled">
        <Waiting fleet={fleet} />
      </section>
      <section className="ruled">
        <AdmissionSection />
      </section>
    </>
  );
}

function formatFleet({ hosts, sites, counts }: FleetSummary): string {
  const at = `${formatCount(counts.working)} in progress, ${formatCount(counts.waiting)} waiting, ${formatCount(counts.inUse)} in use`;
  return `${formatCounted(sites.length, "site")}, ${formatCount(hosts)} hosts; ${at}`;
}

function Figures({ fleet, view }: { fleet: FleetSummary; view: FleetFilter }) {
  return (
    <dl className="figures">
      <ReadyFigure fleet={fleet} />
      <ComingBackFigure fleet={fleet} />
      <AttentionFigure fleet={fleet} />
      <TimeToReadyFigure {...fleet.timeToReady} span={view.hours} />
    </dl>
  );
}

const Count = ({ of }: { of: number }) => <Changed of={of}>{formatCount(of)}</Changed>;

/** "; a week ago 12" */
const before = (count: number | undefined): string =>
  count === undefined ? "" : `; a week ago ${formatCount(count)}`;

/** The counts over the selected period, if there is more than one sample. */
const line = (fleet: FleetSummary, name: "ready" | "comingBack" | "needPerson") =>
  fleet.trends.length < 2 ? undefined : fleet.trends.map((point) => point[name]);

function ReadyFigure({ fleet }: { fleet: FleetSummary }) {
  const { hosts, ready, weekAgo } = fleet;
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
            : `${share}${before(weekAgo?.ready)}`
      }
      day={line(fleet, "ready")}
    />
  );
}

function ComingBackFigure({ fleet }: { fleet: FleetSummary }) {
  const { comingBack, counts, forecast, weekAgo } = fleet;
  return (
    <Figure
      words="Coming back"
      value={<Count of={comingBack.count} />}
      href={routes.hosts({ q: comingBack.filter })}
      sub={
        <>
          {`${formatCount(counts.working)} in progress, ${formatCount(counts.waiting)} waiting, ${formatCount(counts.overLimit)} over their limit${before(weekAgo?.comingBack)}`}
          <ForecastLine forecast={forecast} />
        </>
      }
      day={line(fleet, "comingBack")}
    />
  );
}

/** "half by 15:40, 90 % by 17:30; from 306 returns". */
function ForecastLine({ forecast }: { forecast: FleetSummary["forecast"] }) {
  const now = useNow();
  const zone = useTimeZone();
  const words = formatForecast(forecast, (at) => formatExpected(at, now, zone));
  return words === null ? null : <span className="block">{words}</span>;
}

/** Late hosts, whatever they are doing: "; 2 overdue". */
const Late = ({ count, filter, words }: FleetSummary["overdue"] & { words: string }) =>
  count === 0 ? null : (
    <>
      ;{" "}
      <Link className="link" href={routes.hosts({ q: filter })}>
        {formatCount(count)} {words}
      </Link>
    </>
  );

function AttentionFigure({ fleet }: { fleet: FleetSummary }) {
  const { needPerson, overdue, leasesOverdue, weekAgo } = fleet;
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
          {before(weekAgo?.needPerson)}
          <Late {...overdue} words="overdue" />
          <Late {...leasesOverdue} words="overdue in repair" />
        </>
      }
      day={line(fleet, "needPerson")}
    />
  );
}

function TimeToReadyFigure({
  p50Ms,
  p95Ms,
  returns,
  weekAgo,
  p50ByHourMs,
  span,
}: FleetSummary["timeToReady"] & { span: FleetFilter["hours"] }) {
  const p50ByHour = p50ByHourMs.filter((ms) => ms !== null);
  const earlier =
    weekAgo === null
      ? ""
      : `; ${span === 720 ? "30 d before" : "a week ago"} ${formatDuration(weekAgo.p50Ms)}, ${formatDuration(weekAgo.p95Ms)} from ${formatCounted(weekAgo.returns, "return")}`;
  return (
    <Figure
      words="Time to ready, p50 and p95"
      long
      value={
        p50Ms === null && p95Ms === null ? (
          <small>no returns in this period</small>
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
      sub={`${formatCounted(returns, "return")}${earlier}`}
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
          Hosts that failed or exceeded the time limit of a state are counted here by cause.
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
        <span className="sum cut">of {formatCount(fleet.waitingTotal)} waiting or failed</span>
      </div>
      {fleet.waitingLongest.length === 0 ? (
        <Empty title="No hosts are waiting">
          Hosts that failed or are waiting for something external are listed here, longest first, with what to
          check next.
        </Empty>
      ) : (
        <WaitingTable hosts={fleet.waitingLongest} />
      )}
    </>
  );
}
