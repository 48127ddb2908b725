// Values as text: times, durations, yes and no; and removal of terminal control characters.

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const two = (value: number): string => String(value).padStart(2, "0");

/** "20 s", "38 min", "17 h 02 min", "3 d 04 h". Negative values read as 0. */
export function durationText(ms: number): string {
  const age = Math.max(0, ms);
  if (age < minuteMs) return `${Math.floor(age / secondMs)} s`;
  if (age < hourMs) return `${Math.floor(age / minuteMs)} min`;
  if (age < dayMs) return `${Math.floor(age / hourMs)} h ${two(Math.floor((age % hourMs) / minuteMs))} min`;
  return `${Math.floor(age / dayMs)} d ${two(Math.floor((age % dayMs) / hourMs))} h`;
}

const units: ReadonlyMap<string, number> = new Map([
  ["s", secondMs],
  ["m", minuteMs],
  ["min", minuteMs],
  ["h", hourMs],
  ["d", dayMs],
]);

/** Parses `90s`, `15m`, `2h`, `1d` into ms; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})\s*(s|min|m|h|d)$/.exec(text.trim());
  const unitMs = units.get(match?.[2] ?? "");
  return unitMs === undefined ? null : Number(match?.[1]) * unitMs;
}

/** `+01:00`: this machine's zone offset at that time. */
function offsetOf(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** `2026-11-21 14:43:19+01:00` in this machine's zone, or with a Z in UTC (RFC 3339). */
export function formatTime(at: Date, utc: boolean): string {
  if (utc) return `${at.toISOString().slice(0, 19).replace("T", " ")}Z`;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}${offsetOf(at)}`;
}

/** A single line without control characters: texts may come from hosts and their BMCs, and must not steer the terminal. */
export function plain(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, "; ")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, "?");
}

export const yesNo = (value: boolean): string => (value ? "yes" : "no");
