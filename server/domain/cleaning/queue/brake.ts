// The brake: when many hosts with something in common fail, new starts of that group pause (docs/cleaning.md#the-brake).
import type { Policy } from "@/server/domain/cleaning/policy";

/** What hosts may have in common, from the most telling to the least. */
export const brakeDimensions = ["driveFirmware", "image", "step", "model"] as const;
export type BrakeDimension = (typeof brakeDimensions)[number];

/** Whether a stored name is a dimension of this version. */
export const isBrakeDimension = (value: string): value is BrakeDimension =>
  brakeDimensions.some((name) => name === value);

export interface Group {
  readonly dimension: BrakeDimension;
  readonly value: string;
}

/** One cleaning within the window. */
export interface Trip {
  readonly hostId: string;
  readonly failed: boolean;
  readonly groups: readonly Group[];
}

export interface FoundBrake extends Group {
  readonly failed: number;
  readonly started: number;
  readonly message: string;
}

/** A host that waits to begin, by what it is known to have. */
export type BrakeFacts = Readonly<Record<BrakeDimension, readonly string[]>>;

const dimensionWords: Record<BrakeDimension, string> = {
  driveFirmware: "drive firmware",
  image: "image version",
  step: "clean step",
  model: "model",
};

/** "drive firmware JCV10100", for people. */
export const groupWords = ({ dimension, value }: Group): string => `${dimensionWords[dimension]} ${value}`;

const keyOf = ({ dimension, value }: Group): string => `${dimension} ${value}`;

/**
 * The groups to brake: over the policy's share and number of failed hosts. Of groups that explain the same failures the most telling one is taken,
 * and its failures explain no further one, so that one cause makes one alert. Pure.
 */
export function findBrakes(trips: readonly Trip[], limits: Policy["brake"]): readonly FoundBrake[] {
  const byHost = new Map<string, Trip>();
  // A host that failed and was retried counts once, as failed.
  for (const trip of trips) if (byHost.get(trip.hostId)?.failed !== true) byHost.set(trip.hostId, trip);
  let failures = [...byHost.values()].filter((trip) => trip.failed);
  const found: FoundBrake[] = [];
  for (;;) {
    const next = mostTelling([...byHost.values()], failures, limits);
    if (next === null) return found;
    const explained = failures.filter((trip) =>
      trip.groups.some((group) => keyOf(group) === keyOf(next.group)),
    );
    const common = commonGroups(explained).filter((group) => keyOf(group) !== keyOf(next.group));
    const besides =
      common.length === 0 ? "" : ` All of them have in common: ${common.map(groupWords).join(", ")}.`;
    found.push({
      ...next.group,
      failed: next.failed,
      started: next.started,
      message: `${next.failed} of ${next.started} hosts with ${groupWords(next.group)} failed.${besides}`,
    });
    failures = failures.filter((trip) => !explained.includes(trip));
  }
}

interface Candidate {
  readonly group: Group;
  readonly failed: number;
  readonly started: number;
}

function mostTelling(
  trips: readonly Trip[],
  failures: readonly Trip[],
  limits: Policy["brake"],
): Candidate | null {
  const groups = new Map(failures.flatMap((trip) => trip.groups).map((group) => [keyOf(group), group]));
  const candidates = [...groups].flatMap(([key, group]): Candidate[] => {
    const has = (trip: Trip): boolean => trip.groups.some((own) => keyOf(own) === key);
    const failed = failures.filter(has).length;
    const started = trips.filter(has).length;
    return failed >= limits.hosts && (failed * 100) / started > limits.percent
      ? [{ group, failed, started }]
      : [];
  });
  const rank = ({ group }: Candidate): number => brakeDimensions.indexOf(group.dimension);
  // Explaining more failures first; then holding up fewer hosts that do not fail; then the more telling dimension.
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

function commonGroups(trips: readonly Trip[]): readonly Group[] {
  const [first, ...others] = trips;
  return (first?.groups ?? []).filter((group) =>
    others.every((trip) => trip.groups.some((own) => keyOf(own) === keyOf(group))),
  );
}

/** The brake that holds a host back, or null. Pure. */
export function brakeOn<B extends Group>(brakes: readonly B[], facts: BrakeFacts): B | null {
  return brakes.find(({ dimension, value }) => facts[dimension].includes(value)) ?? null;
}
