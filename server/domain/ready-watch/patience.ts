// How often a host that waits in Ready is looked at again before it is in doubt (docs/adr/0121-ready-lasts.md).

/** Readings of one host in a row that did not find it as it was proven. Times are monotonic, in milliseconds. */
export interface Unread {
  readonly sinceMs: number;
  readonly times: number;
  /** It was read and looked changed; false: it could not be read. */
  readonly looked: boolean;
}

/** A BMC that could not be read for so many intervals puts its host in doubt. */
const silentIntervals = 2;

/** The readings so far with one more. Pure. */
export function oneMore(before: Unread | undefined, looked: boolean, nowMs: number): Unread {
  const same =
    before !== undefined && before.looked === looked ? before : { sinceMs: nowMs, times: 0, looked };
  return { ...same, times: same.times + 1 };
}

/** Whether the host is in doubt: one that looks changed, when it still does; one whose BMC is silent, when it was for long enough. Pure. */
export const isTooLong = ({ looked, times, sinceMs }: Unread, nowMs: number, everyMs: number): boolean =>
  looked
    ? times > 1
    : /* safety: ready: a BMC that cannot be read (false) */ nowMs - sinceMs >= silentIntervals * everyMs;
