"use client";
// The tab for one reclamation of a host: stages, step runs, timeline, the agent's log, and the gates in short.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { HostExceptions } from "@/components/assurance/exceptions/host-exceptions";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { GatesTable } from "@/components/reclamations/gates-table";
import { gateSum, lookOf } from "@/components/reclamations/gate-look";
import { RunsTable } from "@/components/reclamations/step-runs/runs-table";
import { Stepper } from "@/components/reclamations/stepper";
import { useTRPC } from "@/components/trpc/trpc";
import { SignedFile } from "@/components/assurance/proof/signed-file";
import { formatCount } from "@/server/domain/numbers";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { ProofTime } from "@/components/ui/time/time";
import { usePrinting } from "@/components/ui/media/use-printing";
import type { GateLine, HostDetail, ReclamationDetail } from "@/server/surfaces/trpc/types";
import { reclamationQuery } from "@/components/reclamations/reclamation-query";
import { isManual, reclamationKindLabel } from "@/components/reclamations/reclamation-labels";
import { standingText } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import { Mark } from "@/components/ui/mark";
import { cleanupNames } from "@/server/domain/cleaning/cleanup-summary";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { formatMoment } from "@/components/ui/format/times";
import type { Tone } from "@/components/ui/tone";
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { formatDuration, formatTimer } from "@/components/ui/format/duration";
import { Gantt, type GanttLane } from "@/components/ui/charts/gantt";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { plannedEnd, type ShownLane, withPlanned } from "@/components/reclamations/planned-lanes";

type Timeline = ReclamationDetail["timeline"];

/** Space on the right for a label that does not fit into the last bar. */
const roomShare = 0.04;
const shortestMs = 10_000;
/** The maximum share of the axis for the time spent waiting for a person, relative to the time before it. */
const restShare = 0.4;

/** Since when the reclamation has been waiting for a person; undefined while it makes progress. */
function restsSince(timeline: Timeline): number | undefined {
  const last = timeline.lanes[0]?.bars.at(-1);
  return last === undefined || last.to !== null || last.tone === "working" ? undefined : last.from.getTime();
}

/** Neutral lanes have no mark. */
const markTone = (tone: Tone | null | undefined): Tone | undefined =>
  tone === null || tone === "neutral" ? undefined : tone;

const toLane = (lane: ShownLane, index: number): GanttLane => ({
  name: lane.name,
  strong: index === 0,
  tone: markTone(lane.bars.findLast(({ planned }) => !planned)?.tone),
  bars: lane.bars.map((bar) => ({
    fromMs: bar.from.getTime(),
    toMs: bar.to?.getTime(),
    words: index === 0 && bar.to === null && bar.tone !== "working" ? `${bar.words}, until now` : bar.words,
    planned: bar.planned,
    tone:
      bar.to === null || bar.tone === "failed" || bar.tone === "attention"
        ? (bar.tone ?? undefined)
        : undefined,
  })),
});

/** Follows the clock while the reclamation is in progress; expected steps are drawn after now, dashed. */
function TimelineSection({
  detail: { timeline, stepRuns },
}: {
  detail: Pick<ReclamationDetail, "timeline" | "stepRuns">;
}) {
  // Times newer than the clock's last tick must not lie after "now".
  const now = Math.max(
    useNow(),
    ...timeline.lanes.flatMap(({ bars }) => bars.map(({ from, to }) => (to ?? from).getTime())),
  );
  const zone = useTimeZone();
  const fromMs = timeline.from.getTime();
  const endMs = timeline.to?.getTime() ?? now;
  const spanMs = Math.max(shortestMs, endMs - fromMs);
  const restMs = restsSince(timeline);
  const cutMs =
    restMs === undefined
      ? endMs
      : Math.min(endMs, restMs + Math.max(shortestMs, (restMs - fromMs) * restShare));
  const shownMs = Math.max(shortestMs, cutMs - fromMs);
  const shownLanes = withPlanned(timeline.lanes, timeline.planned, timeline.to === null ? stepRuns : [], now);
  const expectedMs = plannedEnd(shownLanes);
  const lanes = shownLanes.map(toLane);
  const [stateLane, ...others] = lanes;
  const shown = stateLane === undefined ? [] : [{ ...stateLane, tone: undefined }, ...others];
  const longest = timeline.lanes[0]?.bars.reduce<{ words: string; ms: number } | undefined>((most, bar) => {
    const ms = (bar.to?.getTime() ?? now) - bar.from.getTime();
    return most === undefined || ms > most.ms ? { words: bar.words, ms } : most;
  }, undefined);
  const summary = `${formatDuration(spanMs)} ${timeline.to === null ? "so far" : "in all"}${longest === undefined ? "" : `; longest in ${longest.words.split("/").at(-1)}, ${formatTimer(longest.ms)}`}${expectedMs === null ? "" : `; its steps end about ${formatMoment(new Date(expectedMs), now, zone).slice(0, -":00".length)}; dashed is expected`}`;
  const chartEndMs = cutMs < endMs ? cutMs : Math.max(fromMs + shownMs, expectedMs ?? 0);
  if (shown.length === 0) return null;
  return (
    <ChartFrame
      title="Timeline"
      sum={summary}
      chart={
        <Gantt
          fromMs={fromMs}
          toMs={cutMs < endMs ? cutMs : fromMs + (chartEndMs - fromMs) * (1 + roomShare)}
          nowMs={timeline.to === null && cutMs === endMs ? now : undefined}
          timeZone={zone}
          lanes={shown}
          summary={`Timeline: ${summary}. The same as a table is behind the button.`}
        />
      }
      table={
        <DataTable
          caption="Timeline"
          columns={columns}
          rows={shownLanes.flatMap((lane) =>
            lane.bars.map((bar, index) => ({ id: `${lane.name} ${index}`, lane: lane.name, bar, now })),
          )}
          rowId={({ id }) => id}
        />
      }
    />
  );
}

interface TimelineRow {
  readonly id: string;
  readonly lane: string;
  readonly bar: ShownLane["bars"][number];
  readonly now: number;
}

const column = columnsOf<TimelineRow>();

const columns = [
  column.text("lane", "What", ({ lane }) => lane, { narrow: "bottom-start" }),
  column.name("part", "Part", ({ bar }) => bar.words, { width: "40%" }),
  column.time("from", "From", ({ bar }) => bar.from, { align: "end", narrow: "bottom-end" }),
  column.time("to", "To", ({ bar }) => bar.to, { align: "end", none: "now" }),
  column.cell(
    "took",
    "Took",
    ({ bar, now }) => formatTimer((bar.to?.getTime() ?? now) - bar.from.getTime()),
    { align: "end", narrow: "top-end" },
  ),
];

type TestLine = ReclamationDetail["tests"][number];

const tones = {
  passed: "good",
  failed: "failed",
  skipped: "attention",
  "not run": "neutral",
} as const satisfies Record<TestLine["result"], Tone>;

/** Empty on a site without tests. */
export function TestsSection({ tests }: Pick<ReclamationDetail, "tests">) {
  if (tests.length === 0) return null;
  const count = (result: TestLine["result"]) => tests.filter((test) => test.result === result).length;
  const sum = (["passed", "failed", "skipped", "not run"] as const)
    .filter((result) => count(result) > 0)
    .map((result) => `${count(result)} ${result}`)
    .join(", ");
  return (
    <section>
      <div className="sec">
        <h2>Validation tests</h2>
        <span className="sum cut">{sum}</span>
      </div>
      <ul className="gates two-col">
        {tests.map(({ name, result }) => (
          <li key={name}>
            <Mark tone={tones[result]} none={result === "not run"} label="" />
            <span className="mono">{name}</span>
            <span className="evidence">{result}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// The agent's log, verbatim; it can be scrolled by keyboard.
interface LogLine {
  at: Date;
  text: string;
}

/** Agent lines start with the agent's own time, which is when it happened; `at` is when the line reached the server. */
const ownTime = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)\s+/;

function parts({ at, text }: LogLine): { at: Date; text: string } {
  const own = ownTime.exec(text);
  return own?.[1] === undefined ? { at, text } : { at: new Date(own[1]), text: text.slice(own[0].length) };
}

/** Newest at the bottom. */
function LogView({ lines, label }: { lines: readonly LogLine[]; label: string }) {
  const now = useNow();
  const zone = useTimeZone();
  return (
    <div className="log" tabIndex={0} role="log" aria-label={label}>
      {lines.map(parts).map((line, index) => (
        <div key={index}>
          <span className="log-time">{formatMoment(line.at, now, zone)}</span> {line.text}
        </div>
      ))}
    </div>
  );
}

/** Empty until a step that NICo reports has finished. */
function CleanupSection({ cleanup }: Pick<ReclamationDetail, "cleanup">) {
  const lines = cleanupNames.flatMap((name) => {
    const line = cleanup[name];
    return line === undefined ? [] : [{ name, ...line }];
  });
  if (lines.length === 0) return null;
  return (
    <section>
      <div className="sec">
        <h2>Cleanup summary</h2>
        <span className="sum cut">as NICo reports it</span>
      </div>
      <ul className="gates two-col">
        {lines.map(({ name, result, message }) => (
          <li key={name}>
            <Mark tone={result === "OK" ? "good" : "failed"} none={false} label="" />
            <span className="mono">{name}</span>
            <span className="evidence">{result === "OK" ? result : `${result}: ${message}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One line per gate, in the order of evaluation. */
function GateList({ gates, columns = 1 }: { gates: readonly GateLine[]; columns?: 1 | 2 }) {
  return (
    <ul className={columns === 2 ? "gates two-col" : "gates"}>
      {gates.map((line) => {
        const { gate, reason, soFar } = line;
        const { tone, none, words } = lookOf(line);
        return (
          <li key={gate}>
            <Mark tone={tone} none={none} label={words} />
            <span>{gate}</span>
            <span className="evidence cut" title={soFar?.words ?? reason}>
              {soFar?.words ?? reason}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const refreshMs = 700;

/** The current or last reclamation, or an earlier one by id. */
export function ReclamationTab({
  host,
  reclamationId,
}: {
  host: HostDetail;
  reclamationId: string | undefined;
}) {
  const trpc = useTRPC();
  const detail = useSuspenseQuery(
    trpc.host.reclamation.queryOptions(reclamationQuery(host.id, reclamationId)),
  );
  const gates = useSuspenseQuery(trpc.host.gates.queryOptions(reclamationQuery(host.id, reclamationId)));
  useLiveRefresh(() => Promise.all([detail.refetch(), gates.refetch()]), {
    hostId: host.id,
    everyMs: refreshMs,
  });
  if (detail.data === null) {
    return (
      <Empty title="No reclamations yet">
        A reclamation begins when a tenant releases the instance on it, or when it is provided from
        Manageable. Its steps, devices and gates are shown here.
      </Empty>
    );
  }
  const past = reclamationId !== undefined && detail.data.reclamation.id !== host.reclamation?.id;
  return (
    <>
      {past ? (
        <PastNotice detail={detail.data} host={host} />
      ) : host.stages.length === 0 ? null : (
        <Stepper stages={host.stages} />
      )}
      {isManual(detail.data.reclamation) ? <ManualNotice detail={detail.data} /> : null}
      <Runs detail={detail.data} />
      {past || host.failure === null ? null : <HostExceptions host={host} quiet />}
      <CleanupSection cleanup={detail.data.cleanup} />
      <TestsSection tests={detail.data.tests} />
      <TimelineSection detail={detail.data} />
      <LogAndGates
        detail={detail.data}
        gates={isManual(detail.data.reclamation) ? [] : gates.data}
        host={host}
      />
    </>
  );
}

function PastNotice({ detail: { reclamation }, host }: { detail: ReclamationDetail; host: HostDetail }) {
  return (
    <div className="after">
      <Notice tone="neutral">
        This is {reclamation.number}, an earlier reclamation: {reclamationKindLabel(reclamation.kind)}, began{" "}
        <ProofTime at={reclamation.startedAt} />
        {reclamation.endedAt === null ? null : (
          <>
            , ended <ProofTime at={reclamation.endedAt} /> with outcome {reclamation.outcome}
            {reclamation.standing == null ? null : `: ${standingText[reclamation.standing].toLowerCase()}`}
          </>
        )}
        .{" "}
        <Link className="link" href={routes.host(host.name)}>
          Show the newest
        </Link>
      </Notice>
    </div>
  );
}

/** A manual cleaning has no stages; it only runs its list. */
function ManualNotice({ detail: { reclamation, requestedByName } }: { detail: ReclamationDetail }) {
  const { number, runbookName, bulkId, startedAt, outcome } = reclamation;
  return (
    <div className="after">
      <Notice tone="neutral">
        Manual cleaning {number}, requested by {requestedByName ?? "a deleted account"} at{" "}
        <ProofTime at={startedAt} />
        {runbookName === null ? "" : `, from the runbook ${runbookName}`}.{" "}
        {outcome === null
          ? "Its steps run in the order given; the host is Manageable afterwards."
          : `It ended with outcome ${outcome}.`}{" "}
        It proves no gate and pays no debt.
        {bulkId === null ? null : (
          <>
            {" "}
            <Link className="link" href={routes.cleaning.run(bulkId)}>
              All hosts of this run
            </Link>
          </>
        )}
      </Notice>
    </div>
  );
}

function Runs({ detail }: { detail: ReclamationDetail }) {
  const voided = detail.voided.map(({ reason, message, at }) => (
    <p key={`${reason} ${at}`} className="text-quiet text-compact after">
      Erases before <ProofTime at={new Date(at)} /> are void and will be repeated: {message}.
    </p>
  ));
  if (detail.stepRuns.length === 0 && voided.length > 0) return <>{voided}</>;
  if (detail.stepRuns.length === 0) {
    return (
      <Empty title="No plan yet">
        The clean steps are planned when the host is admitted to cleaning and its devices are known. They are
        listed here in order.
      </Empty>
    );
  }
  return (
    <>
      <RunsTable runs={detail.stepRuns} disabled={detail.disabled} />
      {voided}
      {detail.managers.length === 0 ? null : (
        <p className="text-quiet text-compact after">
          Planned with hardware managers {detail.managers.join(", ")}.
        </p>
      )}
    </>
  );
}

function LogAndGates({
  detail: { log, reclamation },
  gates,
  host,
}: {
  detail: ReclamationDetail;
  gates: readonly GateLine[];
  host: HostDetail;
}) {
  const printing = usePrinting();
  const shown = log.lines.length;
  return (
    <div className="cols two ruled">
      <section>
        <div className="sec">
          <h2>Agent log</h2>
          <span className="sum cut">{log.bootEpoch === null ? "" : `boot epoch ${log.bootEpoch}`}</span>
          <span className="end text-quiet">
            {log.total === null
              ? `last ${formatCount(shown)} lines`
              : log.total > shown
                ? `last ${formatCount(shown)} of ${formatCount(log.total)} lines`
                : null}
          </span>
        </div>
        {shown === 0 ? (
          <p className="text-quiet">No log from the agent in this reclamation yet.</p>
        ) : (
          <LogView lines={log.lines} label="Agent log" />
        )}
      </section>
      <section>
        <div className="sec">
          <h2>Gates</h2>
          {gates.length === 0 ? null : (
            <>
              <span className="sum cut">
                {reclamation.standing == null ? "" : `${standingText[reclamation.standing]}: `}
                {gateSum(gates)}
              </span>
              <span className="end">
                <SignedFile text={reclamation.number} />{" "}
                <Link href={routes.host(host.name, { tab: "gates" })} scroll={false}>
                  Evidence
                </Link>
              </span>
            </>
          )}
        </div>
        {gates.length === 0 ? (
          <p className="text-quiet">None: a manual cleaning proves nothing.</p>
        ) : printing ? (
          <GatesTable gates={gates} host={host} />
        ) : (
          <GateList gates={gates} />
        )}
      </section>
    </div>
  );
}
