// Labels for weeks, Monday to Sunday, in the viewer's time zone. Pure.
import { formatDay } from "@/components/ui/format/times";

const dayMs = 86_400_000;

/** The Monday of the week that contains a moment, as midnight UTC of that date. */
function mondayOf(at: Date | number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, year: "numeric", month: "numeric", day: "numeric" },
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const midnight = Date.UTC(part("year"), part("month") - 1, part("day"));
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * dayMs;
}

/** "This week, 23 Nov to 29 Nov". Weeks of another year include the year, so that labels stay unique. */
export function formatWeek(at: Date | number, nowMs: number, timeZone: string): string {
  const monday = mondayOf(at, timeZone);
  const away = Math.round((monday - mondayOf(nowMs, timeZone)) / (7 * dayMs));
  const days = `${formatDay(monday, "UTC")} to ${formatDay(monday + 6 * dayMs, "UTC")}`;
  if (away === 0) return `This week, ${days}`;
  if (away === 1) return `Next week, ${days}`;
  const year = new Date(monday + 6 * dayMs).getUTCFullYear();
  return year === new Date(nowMs).getUTCFullYear() ? days : `${days} ${year}`;
}
