// The fleet page in one answer: six reads side by side, most of them shared by all who look within a second.
import { hostSets } from "@/server/domain/hosts/host-groups";
import type { HostGroup } from "@/server/domain/hosts/host-groups";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readCapacity } from "@/server/usecases/fleet/capacity";
import { causes } from "@/server/usecases/fleet/causes";
import type { FleetSummary } from "@/server/contract/answers/fleet";
import { groupCounts, overdueFilter, readHostCounts } from "@/server/usecases/fleet/host-counts";
import { readReturns } from "@/server/usecases/fleet/returns";
import { readWaitingLongest, waitingFilter } from "@/server/usecases/fleet/waiting-longest";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const sum = (groups: Record<HostGroup, number>, of: readonly HostGroup[]): number =>
  of.reduce((total, group) => total + groups[group], 0);

export async function fleetSummary({ database }: Backend, actor: Actor): Promise<Outcome<FleetSummary>> {
  const scope = scopeOf(actor, "fleet.read");
  if (!scope.ok) return scope;
  const at = new Date();
  const [{ states: counts, overdue }, sites, returns, capacity, waitingLongest] = await Promise.all([
    readHostCounts(database),
    database.site.findMany({ orderBy: { name: "asc" }, select: { id: true, name: true } }),
    readReturns(database, at),
    readCapacity(database),
    readWaitingLongest(database),
  ]);
  const groups = groupCounts(counts);
  return done({
    at,
    hosts: counts.reduce((total, { hosts }) => total + hosts, 0),
    counts: groups,
    sites: sites.map(({ id, name }) => {
      const own = counts.filter(({ siteId }) => siteId === id);
      return {
        id,
        name,
        hosts: own.reduce((total, { hosts }) => total + hosts, 0),
        counts: groupCounts(own),
      };
    }),
    ready: {
      count: groups.ready,
      allocatable: counts.reduce((total, { allocatable }) => total + allocatable, 0),
      filter: "is:ready",
    },
    comingBack: { count: sum(groups, hostSets.comingBack.groups), filter: "is:comingBack" },
    needPerson: {
      count: groups.failed + groups.overLimit,
      failed: groups.failed,
      overLimit: groups.overLimit,
      filter: "is:needPerson",
    },
    overdue: { count: overdue, filter: overdueFilter },
    ...returns,
    causes: causes(counts),
    waitingLongest,
    waitingTotal: groups.failed + groups.waiting + groups.overLimit,
    waitingFilter,
    capacity,
  });
}
