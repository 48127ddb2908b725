// The fleet page in one answer: concurrent reads, most of them shared by everybody who looks at the same part of the fleet within seconds.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { hostSets } from "@/server/domain/hosts/host-groups";
import type { HostGroup } from "@/server/domain/hosts/host-groups";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { readCapacity } from "@/server/usecases/fleet/capacity";
import { causes } from "@/server/usecases/fleet/causes";
import { readOtherStates } from "@/server/db/other-states";
import type { Database } from "@/server/db/prisma";
import { readForecast } from "@/server/usecases/fleet/expected-back";
import { findScope } from "@/server/usecases/fleet/fleet-scope";
import { readTrends } from "@/server/usecases/fleet/trends";
import type { FleetSummary } from "@/server/contract/fleet/fleet-answers";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import {
  groupCounts,
  leasesOverdueFilter,
  overdueFilter,
  readHostCounts,
} from "@/server/usecases/fleet/host-counts";
import type { StateCount } from "@/server/usecases/fleet/host-counts";
import { readReturns } from "@/server/usecases/fleet/returns";
import { readWaitingLongest, waitingFilter } from "@/server/usecases/fleet/waiting-longest";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const sum = (groups: Record<HostGroup, number>, of: readonly HostGroup[]): number =>
  of.reduce((total, group) => total + groups[group], 0);

/** The hosts of one site. */
const countedAt =
  (counts: readonly StateCount[]) =>
  ({ id, name }: { readonly id: string; readonly name: string }) => {
    const own = counts.filter(({ siteId }) => siteId === id);
    return {
      id,
      name,
      hosts: own.reduce((total, { hosts }) => total + hosts, 0),
      counts: groupCounts(own),
    };
  };

/** Choices for the filters. */
async function readChoices(database: Database) {
  const rows = await queryRows(
    database,
    sql<{ kind: "site" | "sku" | "tenant"; id: string; name: string }>`
    SELECT 'site' AS kind, id::text, name FROM site UNION ALL SELECT 'sku', '', name FROM sku UNION ALL SELECT 'tenant', org, name FROM tenant ORDER BY name`,
  );
  const of = (wanted: "site" | "sku" | "tenant") => rows.filter(({ kind }) => kind === wanted);
  const sites = of("site").map(({ id, name }) => ({ id, name }));
  return {
    sites,
    choices: {
      sites: sites.map(({ name }) => name),
      skus: of("sku").map(({ name }) => name),
      tenants: of("tenant").map(({ id, name }) => ({ org: id, name })),
    },
  };
}

export async function fleetSummary(
  { database }: Backend,
  actor: Actor,
  filter: FleetFilter,
): Promise<Outcome<FleetSummary>> {
  const scope = scopeOf(actor, "fleet.read");
  if (!scope.ok) return scope;
  const found = await findScope(database, filter);
  if (!found.ok) return found;
  const part = found.value;
  const others = await readOtherStates(database);
  const at = new Date();
  const [
    { states: counts, overdue, leasesOverdue },
    { sites, choices },
    returns,
    capacity,
    trends,
    expected,
    waitingLongest,
  ] = await Promise.all([
    readHostCounts(database, part),
    readChoices(database),
    readReturns(database, part, at),
    readCapacity(database, part),
    readTrends(database, part, at),
    readForecast(database, part, at, others),
    readWaitingLongest(database, part, others),
  ]);
  const groups = groupCounts(counts);
  return done({
    at,
    choices,
    forecast: expected,
    ...trends,
    ...capacity,
    hosts: counts.reduce((total, { hosts }) => total + hosts, 0),
    counts: groups,
    sites: sites.filter(({ id }) => part.siteId === null || part.siteId === id).map(countedAt(counts)),
    ready: {
      count: groups.ready,
      allocatable: counts.reduce((total, { allocatable }) => total + allocatable, 0),
      filter: `is:ready${part.terms}`,
    },
    comingBack: { count: sum(groups, hostSets.comingBack.groups), filter: `is:comingBack${part.terms}` },
    needPerson: {
      count: groups.failed + groups.overLimit,
      failed: groups.failed,
      overLimit: groups.overLimit,
      filter: `is:needPerson${part.terms}`,
    },
    overdue: { count: overdue, filter: `${overdueFilter}${part.terms}` },
    leasesOverdue: { count: leasesOverdue, filter: `${leasesOverdueFilter}${part.terms}` },
    ...returns,
    causes: causes(counts).map((cause) => ({ ...cause, filter: `${cause.filter}${part.terms}` })),
    waitingLongest,
    waitingTotal: groups.failed + groups.waiting + groups.overLimit,
    waitingFilter: `${waitingFilter}${part.terms}`,
  });
}
