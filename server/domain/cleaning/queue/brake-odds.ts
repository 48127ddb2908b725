// How often chance alone puts so many failed hosts into one group (docs/cleaning.md#the-brake). Pure.

/** Chance alone may put a brake on at most this often, per look at all groups. A site is looked at all day, so one in a hundred would be an alarm a day. */
export const brakeOdds = 1 / 10_000;

/** A group with at least this share of the hosts tells no host from another. */
export const nearlyAll = 0.9;

const lnChoose = (n: number, k: number): number => {
  let sum = 0;
  for (let index = 1; index <= k; index += 1) sum += Math.log((n - k + index) / index);
  return sum;
};

export interface Counted {
  /** Hosts that were cleaned, and how many of them failed. */
  readonly hosts: number;
  readonly failures: number;
  /** The same within the group. */
  readonly started: number;
  readonly failed: number;
}

/**
 * The chance of at least `failed` failures in the group if failures fall on any host alike: the upper tail of the hypergeometric distribution
 * (Fisher's exact test, one-sided).
 */
export function chanceOf({ hosts, failures, started, failed }: Counted): number {
  const all = lnChoose(hosts, failures);
  const most = Math.min(started, failures);
  let sum = 0;
  for (let count = Math.max(failed, failures - (hosts - started)); count <= most; count += 1)
    sum += Math.exp(lnChoose(started, count) + lnChoose(hosts - started, failures - count) - all);
  return Math.min(1, sum);
}

/** Whether the group fails more than chance explains, after a correction for the number of groups that were tried (Bonferroni). */
export const isBeyondChance = (counted: Counted, tried: number): boolean =>
  chanceOf(counted) * tried <= brakeOdds;
