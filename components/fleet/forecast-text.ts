// The forecast of returning hosts in words, always with the number of returns it is based on.
import { formatCount, formatCounted } from "@/server/domain/numbers";
import type { FleetSummary } from "@/server/surfaces/trpc/types";

/** "half by 15:40, 90 % by 17:30; from 306 returns"; null if nothing is coming back. Pure. */
export function formatForecast(
  { hosts, unknown, measured, halfAt, mostAt }: FleetSummary["forecast"],
  clock: (at: Date) => string,
): string | null {
  if (hosts === 0) return null;
  if (measured === 0) return "no forecast: no returns in the last 30 d";
  const basis = `from ${formatCounted(measured, "return")}`;
  if (halfAt === null)
    return `no forecast: ${formatCount(unknown)} of ${formatCount(hosts)} need a person or have taken longer than any measured return`;
  const most = mostAt === null ? "" : `, 90 % by ${clock(mostAt)}`;
  return `half by ${clock(halfAt)}${most}; ${basis}`;
}
