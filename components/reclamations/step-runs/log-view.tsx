"use client";
// The agent's log, verbatim; it can be scrolled by keyboard.
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { formatMoment } from "@/components/ui/format/times";

export interface LogLine {
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
export function LogView({ lines, label }: { lines: readonly LogLine[]; label: string }) {
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
