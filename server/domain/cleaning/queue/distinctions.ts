// What the hosts that failed have in common and the rest of the site has not (docs/cleaning.md#the-brake).
import { isBeyondChance, nearlyAll } from "@/server/domain/cleaning/queue/brake-odds";

export const properties = [
  "driveFirmware",
  "driveModel",
  "firmware",
  "image",
  "model",
  "sku",
  "rack",
  "segment",
  "powerDomain",
] as const;
export type Property = (typeof properties)[number];

export const propertyLabels = {
  driveFirmware: "drive firmware",
  driveModel: "drive model",
  firmware: "firmware",
  image: "agent image",
  model: "model",
  sku: "SKU",
  rack: "rack",
  segment: "network segment",
  powerDomain: "power domain",
} as const satisfies Record<Property, string>;

/** On how many hosts a value was found: of those that failed, and of the rest. */
export interface Having {
  readonly property: Property;
  readonly value: string;
  readonly failed: number;
  readonly others: number;
}

export interface Sizes {
  readonly failed: number;
  readonly others: number;
}

export interface Distinction extends Having {
  /** So many of those that failed have it by chance less than once in 10,000 looks. */
  readonly beyondChance: boolean;
}

export interface Compared {
  /** What tells the hosts that failed from the rest, the most telling first. */
  readonly telling: readonly Distinction[];
  /** What those that failed have, and nearly all others, too: it explains nothing. */
  readonly everywhere: readonly Having[];
}

const share = (part: number, of: number): number => (of === 0 ? 0 : part / of);

/**
 * A value tells something if nearly all hosts that failed have it, or more than chance explains, if they have it more often than the rest, and if not
 * nearly all hosts have it. Without a rest nothing does. Pure.
 */
export function compare(found: readonly Having[], sizes: Sizes): Compared {
  const all = sizes.failed + sizes.others;
  const isCommon = ({ failed }: Having) => sizes.failed > 0 && failed >= nearlyAll * sizes.failed;
  const isEverywhere = ({ failed, others }: Having) => failed + others >= nearlyAll * all;
  const lead = ({ failed, others }: Having) => share(failed, sizes.failed) - share(others, sizes.others);
  const telling = found
    .filter((having) => sizes.others > 0 && !isEverywhere(having) && lead(having) > 0)
    .map((having): Distinction => {
      const { failed, others } = having;
      const counted = { hosts: all, failures: sizes.failed, started: failed + others, failed };
      return { ...having, beyondChance: isBeyondChance(counted, found.length) };
    })
    .filter((having) => isCommon(having) || having.beyondChance)
    .toSorted(
      (a, b) =>
        lead(b) - lead(a) ||
        properties.indexOf(a.property) - properties.indexOf(b.property) ||
        a.value.localeCompare(b.value, "en"),
    );
  return { telling, everywhere: found.filter((having) => isCommon(having) && isEverywhere(having)) };
}
