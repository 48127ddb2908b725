"use client";
// A Gantt chart: names on the left, one time axis, bars in SVG. Positions are percentages; only the room for labels is measured.
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
  /** The colour; neutral bars are grey. */
  tone?: Tone | undefined;
  /** Darker grey, for the thing itself as opposed to its parts. */
  strong?: boolean;
  /** Dashed, for expected bars. */
  planned?: boolean;
}

export interface GanttLane {
  name: string;
  /** The full name if `name` is shortened. */
  title?: string;
  tone?: Tone | undefined;
  strong?: boolean;
  bars: readonly GanttBar[];
}

interface GanttProps {
  fromMs: number;
  toMs: number;
  /** The position of the "now" line; undefined if the time axis ended before. */
  nowMs: number | undefined;
  /** Time zone of the axis; with `ticks`, the text above the names, such as "min". */
  timeZone: string;
  /** Gridlines; by default round clock times. */
  ticks?: readonly ClockTick[];
  lanes: readonly GanttLane[];
  /** A text summary for screen readers. */
  summary: string;
}

const lanePx = 24;
const barPx = 12;
/** Approximate width of a label's character, and the padding around the label. */
const characterPx = 6.1;
const aroundPx = 14;
/** Axis times closer than this to the "now" label are left out. */
const nowRoomPx = 44;
/** The width assumed until the real one is measured. */
const usualPx = 930;

/** The minimum chart width on A4 portrait, beside the names. Labels must be placed before the page is laid out for paper. */
const paperPx = 450;

/** The width of an element in px, kept up to date. */
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

/** The share of the axis that a bar's label needs. */
const roomOf = ({ words, strong = false }: GanttBar, widthPx: number) => ({
  needed: (words.length * characterPx + aroundPx) / widthPx,
  beside: strong,
});

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/** Lanes of 24 px below an axis of the same height. */
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
