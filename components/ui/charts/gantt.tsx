"use client";
// A Gantt chart: names at the left, one time axis, bars in SVG. Positions are percentages; only where words fit is measured.
import { useEffect, useRef, useState } from "react";
import { clockTicks, type ClockTick } from "@/components/ui/time/clock-ticks";
import { labelPlaces, type LabelPlace } from "@/components/ui/charts/label-places";
import { Mark } from "@/components/ui/mark";
import { usePrinting } from "@/components/ui/media/use-printing";
import type { Tone } from "@/components/ui/tone";

export interface GanttBar {
  fromMs: number;
  /** Undefined: until now. */
  toMs: number | undefined;
  words: string;
  /** The colour; a neutral bar is grey. */
  tone?: Tone | undefined;
  /** Darker grey: the thing itself, not its parts. */
  strong?: boolean;
  /** Dashed: expected. */
  planned?: boolean;
}

export interface GanttLane {
  name: string;
  /** The whole name where `name` is cut. */
  title?: string;
  tone?: Tone | undefined;
  strong?: boolean;
  bars: readonly GanttBar[];
}

interface GanttProps {
  fromMs: number;
  toMs: number;
  /** Where the line "now" stands; undefined when the time axis ended before. */
  nowMs: number | undefined;
  /** Of the times on the axis; with `ticks` the words over the names, such as "min". */
  timeZone: string;
  /** Where the axis has lines; not given: round times of the clock. */
  ticks?: readonly ClockTick[];
  lanes: readonly GanttLane[];
  /** What it shows, in words. */
  summary: string;
}

const lanePx = 24;
const barPx = 12;
/** How wide a character of a label is, about, and the room around the words. */
const characterPx = 6.1;
const aroundPx = 14;
/** Nearer to the word "now" a time of the axis has no room. */
const nowRoomPx = 44;
/** The width that is assumed until the real one is known. */
const usualPx = 930;

/** At least what a chart has on A4 upright beside its names: which labels fit is known before the page is laid out for paper. */
const paperPx = 450;

/** The width of an element in px, as it changes. */
function useWidthPx() {
  const element = useRef<SVGSVGElement>(null);
  const printing = usePrinting();
  const [widthPx, setWidthPx] = useState(usualPx);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidthPx(entry.contentRect.width);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, widthPx: printing ? Math.min(widthPx, paperPx) : widthPx };
}

/** What its words need of the axis. */
const roomOf = ({ words, strong = false }: GanttBar, widthPx: number) => ({
  needed: (words.length * characterPx + aroundPx) / widthPx,
  beside: strong,
});

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/** Lanes of 24 px under an axis of 20 px. */
export function Gantt({ fromMs, toMs, nowMs, timeZone, ticks, lanes, summary }: GanttProps) {
  const { element, widthPx } = useWidthPx();
  const span = Math.max(1, toMs - fromMs);
  const at = (ms: number) => Math.min(1, Math.max(0, (ms - fromMs) / span));
  const height = lanePx * (lanes.length + 1);
  const endOf = ({ toMs: endMs }: GanttBar) => at(endMs ?? nowMs ?? toMs);
  const labels = lanes.map(({ bars }) =>
    labelPlaces(bars.map((bar) => ({ ...roomOf(bar, widthPx), start: at(bar.fromMs), end: endOf(bar) }))),
  );
  return (
    <div className="gantt" role="img" aria-label={summary}>
      <div className="names" aria-hidden="true">
        <span>{timeZone}</span>
        {lanes.map((lane, index) => (
          <span
            key={`${lane.name} ${index}`}
            className={lane.strong === true ? "lane-strong" : undefined}
            title={lane.title ?? lane.name}
          >
            {lane.tone === undefined ? null : <Mark tone={lane.tone} />}
            <span className="cut">{lane.name}</span>
          </span>
        ))}
      </div>
      <svg ref={element} className="clip" width="100%" height={height} aria-hidden="true">
        {(ticks ?? clockTicks(fromMs, toMs, timeZone)).map((tick, index) => (
          <g key={tick.ms}>
            <line className="grid" x1={percent(at(tick.ms))} x2={percent(at(tick.ms))} y1="20" y2={height} />
            {nowMs !== undefined && Math.abs(at(tick.ms) - at(nowMs)) * widthPx < nowRoomPx ? null : (
              <text
                className={index % 2 === 0 ? "dim alt" : "dim"}
                x={percent(at(tick.ms))}
                y="14"
                textAnchor="middle"
              >
                {tick.words}
              </text>
            )}
          </g>
        ))}
        {nowMs === undefined ? null : (
          <NowLine x={percent(at(nowMs))} end={at(nowMs) > 0.97} height={height} />
        )}
        {lanes.map((lane, index) =>
          lane.bars.map((bar, place) => (
            <Bar
              key={`${index} ${place}`}
              bar={bar}
              y={lanePx * (index + 1) + 6}
              start={at(bar.fromMs)}
              end={endOf(bar)}
              label={labels[index]?.[place] ?? "none"}
            />
          )),
        )}
      </svg>
    </div>
  );
}

function NowLine({ x, end, height }: { x: string; end: boolean; height: number }) {
  return (
    <>
      <line className="nowline" x1={x} x2={x} y1="20" y2={height} />
      <text className="strong" x={x} y="14" textAnchor={end ? "end" : "middle"}>
        now
      </text>
    </>
  );
}

interface BarProps {
  bar: GanttBar;
  y: number;
  /** Shares of the axis. */
  start: number;
  end: number;
  label: LabelPlace;
}

function Bar({ bar, y, start, end, label: place }: BarProps) {
  const width = Math.max(end - start, 0.002);
  const coloured = bar.tone !== undefined && bar.tone !== "neutral" && bar.planned !== true;
  const className =
    bar.planned === true ? "plan" : coloured ? "fill-tone" : bar.strong === true ? "fill-dark" : "fill-pale";
  const inset = bar.planned === true ? 0.5 : 0;
  return (
    <g>
      <rect
        className={className}
        {...(coloured ? { "data-tone": bar.tone } : {})}
        x={percent(start)}
        y={y + inset}
        width={percent(width)}
        height={barPx - 2 * inset}
      >
        <title>{bar.words}</title>
      </rect>
      {place === "in" ? (
        <text className={coloured ? "inv inbar" : "strong inbar"} x={percent(start)} dx="6" y={y + 10}>
          {bar.words}
        </text>
      ) : place === "after" ? (
        <text className="out" x={percent(Math.max(end, start + 0.002))} dx="6" y={y + 10}>
          {bar.words}
        </text>
      ) : place === "before" ? (
        <text className="out" x={percent(start)} dx="-6" y={y + 10} textAnchor="end">
          {bar.words}
        </text>
      ) : null}
    </g>
  );
}
