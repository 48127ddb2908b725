// Which queued hosts may begin now: in order of release, within the limits of their site (docs/cleaning.md#admission).
import { formatCounted } from "@/server/domain/numbers";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { stateTable } from "@/server/domain/lifecycle/state-table";
import { allStates, topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";

export type AdmissionLimits = Policy["admission"];

/** A queued host. Lists of them have the oldest release first. */
export interface WaitingHost {
  readonly hostId: string;
  /** Null: hosts of the site without a segment count as one segment. */
  readonly segment: string | null;
  /** Null: in no power domain, so without such a limit. */
  readonly powerDomain: string | null;
  /** The tenant that released it; null: none, or its release was admitted before and counts already. */
  readonly tenantId: string | null;
  /** That tenant's quota; null: none. */
  readonly quota: number | null;
}

/** Current use, to compare with a site's limits. */
export interface AdmissionUse {
  readonly atWork: number;
  /** Boots within the last minute, plus admitted hosts that have not booted yet. */
  readonly boots: ReadonlyMap<string | null, number>;
  readonly powerDomains: ReadonlyMap<string, number>;
  /** Releases admitted within the last hour. */
  readonly tenants: ReadonlyMap<string, number>;
}

export interface Admission {
  readonly admitted: readonly string[];
  /** Why each of the other hosts waits, as text. */
  readonly waiting: ReadonlyMap<string, string>;
}

const slotTops: ReadonlySet<string> = new Set([
  "WaitingForCleanup",
  "ManualCleaning",
  "BomValidating",
  "Validation",
  "HostInit",
  "ReturnToAllocation",
]);

/** Whether a host in this state occupies a slot because an agent or BMC is working on it. Failures, holds and waiting for people free the slot. */
export function holdsSlot(state: State): boolean {
  return slotTops.has(topLevel(state)) && stateTable[state].tone === "working";
}

/** The states that occupy a slot, for the query that counts them. */
export const slotStates: readonly State[] = allStates().filter(holdsSlot);

/** A site without limits. */
export const noLimits: AdmissionLimits = {
  atWork: null,
  bootsPerMinute: null,
  perPowerDomain: null,
  segments: {},
  powerDomains: {},
  tenantReleasesPerHour: null,
};

/** Whether a site sets any limit. If not, hosts pass Queued in the same decision. */
export function isLimited(limits: AdmissionLimits): boolean {
  return (
    limits.atWork !== null ||
    limits.bootsPerMinute !== null ||
    limits.perPowerDomain !== null ||
    Object.keys(limits.segments).length > 0 ||
    Object.keys(limits.powerDomains).length > 0 ||
    limits.tenantReleasesPerHour !== null
  );
}

const count = <K>(map: ReadonlyMap<K, number>, key: K): number => map.get(key) ?? 0;

/**
 * Admits hosts in order. A host held back by its segment, power domain or tenant lets the next one pass; when the site is full, none pass.
 * Pure. The caller holds the site's lock, so that two calls never run concurrently.
 */
export function admit(
  waiting: readonly WaitingHost[],
  use: AdmissionUse,
  limits: AdmissionLimits,
): Admission {
  let atWork = use.atWork;
  const boots = new Map(use.boots);
  const domains = new Map(use.powerDomains);
  const tenants = new Map(use.tenants);
  const admitted: string[] = [];
  const held = new Map<string, string>();
  for (const host of waiting) {
    const reason = reasonToWait(host, { atWork, boots, powerDomains: domains, tenants }, limits);
    if (reason !== null) {
      held.set(host.hostId, reason);
      continue;
    }
    admitted.push(host.hostId);
    // safety: admission: those admitted now count
    atWork += 1;
    boots.set(host.segment, count(boots, host.segment) + 1);
    if (host.powerDomain !== null) domains.set(host.powerDomain, count(domains, host.powerDomain) + 1);
    if (host.tenantId !== null) tenants.set(host.tenantId, count(tenants, host.tenantId) + 1);
  }
  return { admitted, waiting: held };
}

/** The limit of a place: its own, or else the general one, which also applies to hosts without a place. */
const limitOf = (
  place: string | null,
  own: Readonly<Record<string, number>>,
  usual: number | null,
): number | null => (place !== null && Object.hasOwn(own, place) ? (own[place] ?? usual) : usual);

/** How many hosts of a segment may boot within a minute; null: no limit. Pure. */
export const segmentLimit = (segment: string | null, limits: AdmissionLimits): number | null =>
  limitOf(segment, limits.segments, limits.bootsPerMinute);

/** How many hosts of a power domain may be in progress; null: no limit. Pure. */
export const powerDomainLimit = (domain: string | null, limits: AdmissionLimits): number | null =>
  limitOf(domain, limits.powerDomains, limits.perPowerDomain);

function reasonToWait(host: WaitingHost, use: AdmissionUse, limits: AdmissionLimits): string | null {
  // safety: admission: hosts at work
  if (limits.atWork !== null && use.atWork >= limits.atWork)
    return formatCounted(
      limits.atWork,
      "host of the site is in progress",
      "hosts of the site are in progress",
    );
  const boots = segmentLimit(host.segment, limits);
  // safety: admission: boots of a segment
  if (boots !== null && count(use.boots, host.segment) >= boots) {
    const where = host.segment === null ? "the site" : `segment ${host.segment}`;
    return `${formatCounted(boots, `host of ${where} was`, `hosts of ${where} were`)} booted within a minute`;
  }
  const inDomain = powerDomainLimit(host.powerDomain, limits);
  if (
    host.powerDomain !== null &&
    inDomain !== null &&
    count(use.powerDomains, host.powerDomain) >= inDomain
  ) {
    const where = `of power domain ${host.powerDomain}`;
    return `${formatCounted(inDomain, `host ${where} is`, `hosts ${where} are`)} in progress`;
  }
  if (limits.tenantReleasesPerHour !== null && host.tenantId !== null && host.quota !== null) {
    const most = host.quota + limits.tenantReleasesPerHour;
    if (count(use.tenants, host.tenantId) >= most)
      return `${formatCounted(most, "release of its tenant was", "releases of its tenant were")} admitted within an hour`;
  }
  return null;
}
