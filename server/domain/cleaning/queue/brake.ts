// The brake: if many hosts with something in common fail, new cleanings of that group pause (docs/cleaning.md#the-brake).
import { formatCounted } from "@/server/domain/numbers";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { brakeOdds, isBeyondChance, nearlyAll } from "@/server/domain/cleaning/queue/brake-odds";
import { isInPart } from "@/server/domain/cleaning/queue/narrowed";
import type { Part, PartFacts } from "@/server/domain/cleaning/queue/narrowed";

/** What hosts can have in common, from most to least specific. */
export const brakeDimensions = ["driveFirmware", "image", "step", "model"] as const;
export type BrakeDimension = (typeof brakeDimensions)[number];

export const isBrakeDimension = (value: string): value is BrakeDimension =>
  brakeDimensions.some((name) => name === value);

export interface Group {
  readonly dimension: BrakeDimension;
  readonly value: string;
}

/** One cleaning within the window. */
export interface RecentCleaning {
  readonly hostId: string;
  readonly failed: boolean;
  readonly groups: readonly Group[];
  readonly reclamationId?: string;
  /** The drives whose erase failed. Omitted: it was no drive, or nobody knows which. */
  readonly drives?: readonly string[];
}

export interface FoundBrake extends Group {
  readonly failed: number;
  readonly started: number;
  readonly message: string;
}

/** A queued host, by what it is known to have. */
export interface BrakeFacts extends PartFacts {
  readonly has: Readonly<Record<BrakeDimension, readonly string[]>>;
}

/** A brake in force, with the parts of its group that it still holds; null: all of it. */
export interface HoldingBrake extends Group {
  readonly narrowedTo: readonly Part[] | null;
}

const dimensionLabels: Record<BrakeDimension, string> = {
  driveFirmware: "drive firmware",
  image: "image version",
  step: "clean step",
  model: "model",
};

/** "drive firmware JCV10100", for messages. */
export const formatGroup = ({ dimension, value }: Group): string => `${dimensionLabels[dimension]} ${value}`;

/** What a person can do about a brake, wherever it is offered. A brake that asks is dismissed or put on. */
export const brakeActs = {
  lift: "Lift the brake",
  dismiss: "Dismiss the brake",
  engage: "Put the brake on",
  narrow: "Release the rest",
} as const;

const lists = new Intl.ListFormat("en");

/** What a person is asked about a brake that would take the last capacity of these SKUs. */
export const formatQuestion = (message: string, skus: readonly string[]): string =>
  `${message} A brake would leave no host of ${skus.length === 1 ? "SKU" : "SKUs"} ${lists.format(skus)} that is or can become Ready, so it is not on until a person decides.`;

/** Which parts a brake that is narrowed again lets go, for the person who does it; empty: none. Ends with a space. */
export function formatLetGo(before: readonly Part[] | null, to: readonly Part[]): string {
  const kept = new Set(to.map(keyOf));
  const letGo = (before ?? []).filter((part) => !kept.has(keyOf(part)));
  return letGo.length === 0
    ? ""
    : `It holds hosts with ${lists.format(letGo.map(formatGroup))} now: they begin, too, unless they have ${lists.format(to.map(formatGroup))}. `;
}

const keyOf = ({ dimension, value }: Group): string => `${dimension} ${value}`;

/** How common groups are among all hosts of the site, cleaned recently or not. */
export interface SiteShare {
  readonly hosts: number;
  /** Number of them in a group; null: unknown, so the cleanings within the window decide. */
  readonly having: (group: Group) => number | null;
}

/** For a site of which only the cleanings within the window are known. */
export const unknownShare: SiteShare = { hosts: 0, having: () => null };

/** Whether so many hosts belong to the group that it does not distinguish failed hosts, and braking it would pause the whole site. */
function isNearlyEverys(group: Group, trips: readonly RecentCleaning[], share: SiteShare): boolean {
  const having = share.having(group);
  return having === null
    ? trips.filter((trip) => hasGroup(trip, group)).length >= nearlyAll * trips.length
    : having >= nearlyAll * share.hosts;
}

const hasGroup = (trip: RecentCleaning, group: Group): boolean =>
  trip.groups.some((own) => keyOf(own) === keyOf(group));

const failsOnMost = ({ failed, started }: Candidate): boolean => failed * 2 > started;

/** What nearly every host has, and that still may be the cause: it is what the cleaning runs. */
const isRun = ({ dimension }: Group): boolean => dimension === "step" || dimension === "image";

/**
 * Each cause of a failure once: a host that failed and was retried counts once, as failed, and so do hosts on which the same drive failed, because
 * it was moved from one to the other. Pure.
 */
function countedOnce(trips: readonly RecentCleaning[]): readonly RecentCleaning[] {
  const joined = new Map<string, string>();
  const root = (key: string): string => {
    const next = joined.get(key);
    return next === undefined ? key : root(next);
  };
  for (const { hostId, failed, drives = [] } of trips)
    for (const drive of failed ? drives : []) {
      const [one, other] = [root(`host ${hostId}`), root(`drive ${drive}`)];
      if (one !== other) joined.set(one, other);
    }
  const together = new Map<string, RecentCleaning[]>();
  for (const trip of trips) {
    const key = root(`host ${trip.hostId}`);
    together.set(key, [...(together.get(key) ?? []), trip]);
  }
  return [...together].map(([hostId, all]) => {
    const failed = all.some((trip) => trip.failed);
    const groups = all.filter((trip) => trip.failed === failed).flatMap((trip) => trip.groups);
    return { hostId, failed, groups: [...new Map(groups.map((group) => [keyOf(group), group])).values()] };
  });
}

/** Groups with enough failed hosts to need their share among the site's hosts looked up. Pure. */
export function suspects(trips: readonly RecentCleaning[], limits: Policy["brake"]): readonly Group[] {
  const groups = new Map<string, { readonly group: Group; readonly hosts: Set<string> }>();
  for (const { hostId, failed, groups: own } of trips) {
    if (!failed) continue;
    for (const group of own) {
      const known = groups.get(keyOf(group)) ?? { group, hosts: new Set<string>() };
      groups.set(keyOf(group), known);
      known.hosts.add(hostId);
    }
  }
  return [...groups.values()].flatMap(({ group, hosts }) => (hosts.size >= limits.hosts ? [group] : []));
}

/**
 * The groups to brake: above the policy's percentage and number of failed hosts, and either beyond chance or failing on most hosts. Of several groups
 * that explain the same failures, only the most specific is braked, and failures explained by it count for no other group, so that one cause gives
 * one alert. Pure.
 */
export function findBrakes(
  recent: readonly RecentCleaning[],
  limits: Policy["brake"],
  share: SiteShare = unknownShare,
): readonly FoundBrake[] {
  const trips = countedOnce(recent);
  let failures = trips.filter((trip) => trip.failed);
  const found: FoundBrake[] = [];
  for (;;) {
    const next = mostTelling(trips, failures, limits, share);
    if (next === null) return found;
    const explained = failures.filter((trip) => hasGroup(trip, next.group));
    const common = commonGroups(explained).filter((group) => keyOf(group) !== keyOf(next.group));
    found.push({
      ...next.group,
      failed: next.failed,
      started: next.started,
      message: messageOf(next, common, trips, share),
    });
    failures = failures.filter((trip) => !explained.includes(trip));
  }
}

/** What the failed hosts have in common that the rest of the site does not. */
function messageOf(
  { group, failed, started, others, beyondChance }: Candidate,
  common: readonly Group[],
  trips: readonly RecentCleaning[],
  share: SiteShare,
): string {
  const everywhere = common.filter((other) => isNearlyEverys(other, trips, share));
  const telling = common.filter((other) => !everywhere.includes(other));
  const having = share.having(group);
  const parts = [
    `${failed} of ${formatCounted(started, "host")} with ${formatGroup(group)} failed.`,
    ...(beyondChance
      ? [
          `Of ${formatCounted(others.started, "host")} without it, ${others.failed} failed. Chance does that less than once in ${Math.round(1 / brakeOdds).toLocaleString("en")} looks.`,
        ]
      : []),
    ...(telling.length === 0
      ? []
      : [`What they all have in common: ${telling.map(formatGroup).join(", ")}.`]),
    ...(having === null || having > share.hosts
      ? []
      : [
          `Of the other ${formatCounted(Math.max(0, share.hosts - failed), "host")} of the site, ${Math.max(0, having - failed)} have ${formatGroup(group)}.`,
        ]),
    ...(everywhere.length === 0
      ? []
      : [
          `All or nearly all hosts have ${everywhere.map(formatGroup).join(", ")}, which does not explain it.`,
        ]),
  ];
  return parts.join(" ");
}

interface Candidate {
  readonly group: Group;
  readonly failed: number;
  readonly started: number;
  readonly everywhere: boolean;
  readonly beyondChance: boolean;
  /** Cleaned hosts outside of the group. */
  readonly others: { readonly started: number; readonly failed: number };
}

/** Whether the failures say something about the group, and not only about the site. */
const isTelling = (candidate: Candidate): boolean =>
  candidate.everywhere
    ? isRun(candidate.group) && failsOnMost(candidate)
    : candidate.beyondChance || failsOnMost(candidate);

function mostTelling(
  trips: readonly RecentCleaning[],
  failures: readonly RecentCleaning[],
  limits: Policy["brake"],
  share: SiteShare,
): Candidate | null {
  const groups = new Map(failures.flatMap((trip) => trip.groups).map((group) => [keyOf(group), group]));
  const candidates = [...groups.values()].flatMap((group): Candidate[] => {
    const failed = failures.filter((trip) => hasGroup(trip, group)).length;
    const started = trips.filter((trip) => hasGroup(trip, group)).length;
    if (failed < limits.hosts || (failed * 100) / started <= limits.percent) return [];
    const counted = { hosts: trips.length, failures: failures.length, started, failed };
    const candidate = {
      group,
      failed,
      started,
      everywhere: isNearlyEverys(group, trips, share),
      beyondChance: isBeyondChance(counted, groups.size),
      others: { started: trips.length - started, failed: failures.length - failed },
    };
    return isTelling(candidate) ? [candidate] : [];
  });
  // An image that every host has says less than the step that fails.
  const rank = ({ group, everywhere }: Candidate): number =>
    everywhere && group.dimension === "image"
      ? brakeDimensions.length
      : brakeDimensions.indexOf(group.dimension);
  // First by number of explained failures, then by fewer hosts held up without having failed, then by the more specific dimension.
  return (
    candidates.sort(
      (a, b) =>
        b.failed - a.failed ||
        a.started - b.started ||
        rank(a) - rank(b) ||
        keyOf(a.group).localeCompare(keyOf(b.group)),
    )[0] ?? null
  );
}

function commonGroups(trips: readonly RecentCleaning[]): readonly Group[] {
  const [first, ...others] = trips;
  return (first?.groups ?? []).filter((group) => others.every((trip) => hasGroup(trip, group)));
}

/** The reclamations whose failures each brake stands for: those of its group that none before it explains. Pure. */
export function failuresOf<B extends Group>(
  recent: readonly RecentCleaning[],
  found: readonly B[],
): readonly (B & { readonly failures: readonly string[] })[] {
  let left = recent.filter(({ failed }) => failed);
  return found.map((brake) => {
    const own = left.filter((trip) => hasGroup(trip, brake));
    left = left.filter((trip) => !own.includes(trip));
    return {
      ...brake,
      failures: own.flatMap(({ reclamationId }) => (reclamationId === undefined ? [] : [reclamationId])),
    };
  });
}

/** The brake that holds a host back, or null. Pure. */
export function brakeOn<B extends HoldingBrake>(brakes: readonly B[], facts: BrakeFacts): B | null {
  return (
    brakes.find(
      ({ dimension, value, narrowedTo }) =>
        facts.has[dimension].includes(value) && isInPart(narrowedTo, facts),
    ) ?? null
  );
}
