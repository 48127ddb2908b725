// How many hosts are in which state of which site: one grouped index-only scan, kept for a second (design: datapath.md, Counts).
import { hostGroup } from "@/server/domain/hosts/host-groups";
import type { HostGroup } from "@/server/domain/hosts/host-groups";
import { isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import type { Database } from "@/server/db/prisma";
import { perDatabase } from "@/server/usecases/timed-cache";

export interface StateCount {
  readonly siteId: string;
  readonly state: State;
  readonly hosts: number;
  /** Those among them whose limit has passed. */
  readonly limitPassed: number;
  readonly allocatable: number;
}

const cacheOf = perDatabase("stateCounts", { ttlMs: 1_000, max: 1 });

export function readStateCounts(database: Database): Promise<readonly StateCount[]> {
  return cacheOf(database).get("all", async () => {
    const rows = await database.$queryRaw<{ site_id: string; state: string; hosts: number; limit_passed: number; allocatable: number }[]>`
      SELECT site_id::text, state, count(*)::int AS hosts, (count(*) FILTER (WHERE limit_at < now()))::int AS limit_passed, (count(*) FILTER (WHERE allocatable))::int AS allocatable
      FROM host_run GROUP BY site_id, state`;
    return rows.flatMap(({ site_id, state, hosts, limit_passed, allocatable }) => (isState(state) ? [{ siteId: site_id, state, hosts, limitPassed: limit_passed, allocatable }] : []));
  });
}

const none = { ready: 0, provider: 0, working: 0, waiting: 0, overLimit: 0, failed: 0, inUse: 0 } as const satisfies Record<HostGroup, number>;

/** Each host counted in its one group. Pure. */
export function groupCounts(counts: readonly StateCount[]): Record<HostGroup, number> {
  const groups: Record<HostGroup, number> = { ...none };
  for (const { state, hosts, limitPassed } of counts) {
    groups[hostGroup(state, false)] += hosts - limitPassed;
    groups[hostGroup(state, true)] += limitPassed;
  }
  return groups;
}
