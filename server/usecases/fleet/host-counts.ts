// How many hosts are in which state of which site: one grouped index-only scan, cached for a second (docs/design/datapath.md#counts).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { hostGroup } from "@/server/domain/hosts/host-groups";
import type { HostGroup } from "@/server/domain/hosts/host-groups";
import { isState, storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import type { Database } from "@/server/db/prisma";
import { isExcluded } from "@/server/usecases/hosts/list/host-filter-sql";
import { ofHosts, ofTrips, wholeFleet } from "@/server/usecases/fleet/fleet-scope";
import type { FleetScope } from "@/server/usecases/fleet/fleet-scope";
import { perDatabase } from "@/server/usecases/timed-cache";

export interface StateCount {
  readonly siteId: string;
  readonly state: StoredState;
  readonly hosts: number;
  /** How many of them are over the limit of their state. */
  readonly limitPassed: number;
  readonly allocatable: number;
}

const cacheOf = perDatabase<HostCounts>("stateCounts", { ttlMs: 1_000, max: 50 });

export interface HostCounts {
  readonly states: readonly StateCount[];
  /** Hosts whose open reclamation is over its total limit, as in `overdueMs` (domain/cleaning/clocks.ts). */
  readonly overdue: number;
  /** Hosts that a repair system has kept beyond the time it stated. */
  readonly leasesOverdue: number;
}

export function readHostCounts(database: Database, scope: FleetScope = wholeFleet): Promise<HostCounts> {
  return cacheOf(database).get(scope.key, async () => {
    const rows = await queryRows(
      database,
      sql<{
        site_id: string;
        state: string;
        hosts: number;
        limit_passed: number;
        allocatable: number;
        overdue: number;
        leases_overdue: number;
      }>`
      SELECT site_id::text, state, count(*)::int AS hosts, (count(*) FILTER (WHERE limit_at < now()))::int AS limit_passed, (count(*) FILTER (WHERE allocatable))::int AS allocatable,
        (SELECT count(*)::int FROM reclamation c WHERE c.ended_at IS NULL AND c.limit_at < coalesce(c.paused_at, now()) AND ${ofTrips(scope, "c")}
          AND NOT EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = c.host_id AND ${isExcluded})) AS overdue,
        (SELECT count(*)::int FROM repair_lease l JOIN host_run r ON r.host_id = l.host_id WHERE l.ended_at IS NULL AND l.until < now() AND ${ofHosts(scope)}) AS leases_overdue
      FROM host_run r WHERE ${ofHosts(scope)} GROUP BY site_id, state`,
    );
    const states = rows.map(({ site_id, state, hosts, limit_passed, allocatable }) => ({
      siteId: site_id,
      state: storedState(state),
      hosts,
      limitPassed: limit_passed,
      allocatable: isState(state) ? allocatable : 0,
    }));
    return { states, overdue: rows[0]?.overdue ?? 0, leasesOverdue: rows[0]?.leases_overdue ?? 0 };
  });
}

/** Matches overdue hosts on the hosts page. */
export const overdueFilter = "overdue:true";

/** Matches hosts there that a repair system has kept beyond the time it stated. */
export const leasesOverdueFilter = "owner:overdue";

const none = {
  ready: 0,
  provider: 0,
  working: 0,
  waiting: 0,
  overLimit: 0,
  failed: 0,
  inUse: 0,
} as const satisfies Record<HostGroup, number>;

/** Counts each host in exactly one group. Pure. */
export function groupCounts(counts: readonly StateCount[]): Record<HostGroup, number> {
  const groups: Record<HostGroup, number> = { ...none };
  for (const { state, hosts, limitPassed } of counts) {
    groups[hostGroup(state, false)] += hosts - limitPassed;
    groups[hostGroup(state, true)] += limitPassed;
  }
  return groups;
}
