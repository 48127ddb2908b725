// Time axis labels on the fleet page: clock times for a day, dates for longer. Buckets match the server's (bucketsOf in server/usecases/fleet/fleet-scope.ts).
import { formatClock } from "@/components/ui/format/times";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";

const hourMs = 3_600_000;
const bucketHours = { 24: 1, 168: 6, 720: 24 } as const satisfies Record<FleetFilter["hours"], number>;

export const bucketMsOf = (span: FleetFilter["hours"]): number => bucketHours[span] * hourMs;

/** "15:00", "20 Nov 12:00", "20 Nov". Pure. */
export function formatMark(atMs: number, span: FleetFilter["hours"], timeZone: string): string {
  const clock = formatClock(atMs, timeZone);
  if (span === 24) return clock;
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone }).format(atMs);
  return span === 168 ? `${day} ${clock}` : day;
}

const dayMs = 24 * hourMs;

/** An expected time: a clock time within a day, with the date beyond. Pure. */
export const formatExpected = (at: Date, nowMs: number, timeZone: string): string =>
  formatMark(at.getTime(), at.getTime() - nowMs < dayMs ? 24 : 168, timeZone);
