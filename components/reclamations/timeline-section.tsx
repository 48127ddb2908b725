"use client";
// A reclamation's timeline of states, steps, devices and restarts, as a chart and as a table.
import { ChartFrame } from "@/components/ui/charts/chart-frame";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { formatTimer, formatDuration } from "@/components/ui/format/duration";
import { Gantt, type GanttLane } from "@/components/ui/charts/gantt";
import { formatMoment } from "@/components/ui/format/times";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import type { Tone } from "@/components/ui/tone";
import type { ReclamationDetail } from "@/server/surfaces/trpc/types";
import { plannedEnd, withPlanned, type ShownLane } from "@/components/reclamations/planned-lanes";

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
export function TimelineSection({
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
