// Points in time in a viewer's zone. Durations are in duration.ts; both follow docs/design/console.md#times-and-durations.

/** A formatter costs more to create than to use, so there is one per zone and form. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string, form: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  const made = formatters.get(key) ?? new Intl.DateTimeFormat("en-GB", { timeZone, ...options });
  formatters.set(key, made);
  return made;
}

/** "14:02". */
export const formatClock = (at: Date | number, timeZone: string): string =>
  formatter(timeZone, "clock", { hour: "2-digit", minute: "2-digit" }).format(at);

/** "14:02:07". */
export const formatClockSeconds = (at: Date | number, timeZone: string): string =>
  formatter(timeZone, "seconds", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at);

/** "22 Nov". */
export const formatDay = (at: Date | number, timeZone: string): string =>
  formatter(timeZone, "day", { day: "numeric", month: "short" }).format(at);

const formatDate = (at: Date | number, timeZone: string): string =>
  formatter(timeZone, "date", { day: "numeric", month: "short", year: "numeric" }).format(at);

/** "14:02:07"; another day: "21 Nov, 14:02:07"; another year: "31 Dec 2025, 14:02:07". */
export function formatMoment(at: Date | number, nowMs: number, timeZone: string): string {
  const time = formatClockSeconds(at, timeZone);
  const date = formatDate(at, timeZone);
  const today = formatDate(nowMs, timeZone);
  if (date === today) return time;
  return `${date.slice(-4) === today.slice(-4) ? formatDay(at, timeZone) : date}, ${time}`;
}

/** "2026-11-22 14:02:07 UTC", for a tooltip. */
export const formatUtc = (at: Date): string => `${at.toISOString().replace("T", " ").slice(0, 19)} UTC`;
