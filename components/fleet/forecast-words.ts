// The forecast of hosts that come back, in words: always with how many returns it rests on.
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import type { FleetSummary } from "@/server/surfaces/trpc/types";

/** "half of them by 15:40, nine tenths by 17:30; from 306 returns"; null: nothing comes back. Pure. */
export function forecastWords(
  { hosts, unknown, measured, halfAt, mostAt }: FleetSummary["forecast"],
  clock: (at: Date) => string,
): string | null {
  if (hosts === 0) return null;
  if (measured === 0) return "no forecast: no return was measured in 30 d";
  const basis = `from ${formatCounted(measured, "return")}`;
  if (halfAt === null)
    return `no forecast: ${formatCount(unknown)} of ${formatCount(hosts)} wait for a person or take longer than any return measured`;
  const most = mostAt === null ? "" : `, nine tenths by ${clock(mostAt)}`;
  return `half of them by ${clock(halfAt)}${most}; ${basis}`;
}
