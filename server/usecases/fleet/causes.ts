// Why hosts are not back: failures by cause and states over their limit, most frequent first (a Pareto chart).
import { describeState } from "@/server/domain/lifecycle/state-table";
import { isFailed } from "@/server/domain/lifecycle/states";
import { hostGroup } from "@/server/domain/hosts/host-groups";
import type { FleetCause } from "@/server/contract/fleet/fleet-answers";
import type { StateCount } from "@/server/usecases/fleet/host-counts";

/** Summed over sites. Pure. */
export function causes(counts: readonly StateCount[]): readonly FleetCause[] {
  const found = new Map<string, Omit<FleetCause, "cumulativePercent">>();
  for (const { state, hosts, limitPassed } of counts) {
    const cause = isFailed(state) ? state.slice("Failed/".length) : null;
    const over = cause === null && hostGroup(state, true) === "overLimit";
    const count = cause !== null ? hosts : over ? limitPassed : 0;
    if (count === 0) continue;
    const row = found.get(state) ?? {
      label: cause ?? state,
      words: describeState(state).checkNext,
      kind: cause === null ? ("overLimit" as const) : ("failed" as const),
      count: 0,
      filter: cause === null ? `state:${state} sla:over` : `state:${state}`,
    };
    found.set(state, { ...row, count: row.count + count });
  }
  const rows = [...found.values()].sort((a, b) => b.count - a.count || a.label.localeCompare(b.label));
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  let sum = 0;
  return rows.map((row) => {
    sum += row.count;
    return { ...row, cumulativePercent: (sum / total) * 100 };
  });
}
