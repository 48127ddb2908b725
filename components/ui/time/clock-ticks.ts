// Round times for a time axis, in the viewer's zone.
import { formatCount } from "@/server/domain/numbers";
import { formatClock, formatClockSeconds, formatDay } from "@/components/ui/format/times";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Intervals between ticks that give round times. */
const steps = [
  second,
  2 * second,
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
] as const;

export interface ClockTick {
  ms: number;
  words: string;
}

/** A zone's offset from UTC in ms at a given time, so that ticks fall on its round times. */
function zoneOffsetMs(ms: number, timeZone: string): number {
  const part =
    new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
      .formatToParts(ms)
      .find(({ type }) => type === "timeZoneName")?.value ?? "";
  const match = /([+-])(\d{2}):(\d{2})/.exec(part);
  if (match === null) return 0;
  const [, sign, hours, minutes] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * hour + Number(minutes) * minute);
}

/** At most eight times between two times, excluding both. */
export function clockTicks(fromMs: number, toMs: number, timeZone: string, most = 8): ClockTick[] {
  const step =
    steps.find((candidate) => (toMs - fromMs) / candidate <= most) ??
    Math.ceil((toMs - fromMs) / most / day) * day;
  const offset = zoneOffsetMs(fromMs, timeZone);
  const format = step >= day ? formatDay : step < minute ? formatClockSeconds : formatClock;
  const ticks: ClockTick[] = [];
  const margin = (toMs - fromMs) * 0.02;
  for (let ms = Math.ceil((fromMs + offset) / step) * step - offset; ms < toMs - margin; ms += step) {
    if (ms > fromMs + margin) ticks.push({ ms, words: format(ms, timeZone) });
  }
  return ticks;
}

/** Round times from 0, in a unit that is stated separately; at most eight. */
export function spanTicks(
  toMs: number,
  most = 8,
): { readonly unit: "s" | "min" | "h"; readonly ticks: readonly ClockTick[] } {
  const step = steps.find((candidate) => toMs / candidate <= most) ?? Math.ceil(toMs / most / day) * day;
  const [unit, unitMs] =
    step >= hour
      ? (["h", hour] as const)
      : step >= minute
        ? (["min", minute] as const)
        : (["s", second] as const);
  const ticks: ClockTick[] = [];
  for (let ms = step; ms < toMs * 0.98; ms += step) ticks.push({ ms, words: formatCount(ms / unitMs) });
  return { unit, ticks };
}
