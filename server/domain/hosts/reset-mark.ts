// Whether a host was reset since `LastResetTime` was last read from its BMC (ComputerSystem 1.12 and later, DMTF DSP0268).
// Which clocks this trusts, and why: docs/adr/0020-a-boot-is-proven.md.

/** When a mark was read, by two clocks. */
export interface MarkClock {
  /** The BMC's own: `Date` of the answer that held the mark (RFC 9110, 6.6.1); null: the BMC sent none. ISO. */
  readonly bmcTime: string | null;
  /** Ours, which does not step while a process runs. ISO. */
  readonly readAt: string;
}

/** One reading of a host's mark. Without a clock it proves nothing. */
export interface MarkReading {
  /** Null: the BMC does not report one. */
  readonly resetMark: string | null;
  readonly markClock?: MarkClock | null | undefined;
}

/**
 * Some BMCs store the time of the reset; others derive it from their clock, with rounding. The tolerance is safe because no host starts anything within
 * this time after a reset: its firmware is still running.
 */
const toleranceMs = 5_000;
/** A web server may send the same `Date` for ten seconds. */
const dateToleranceMs = 15_000;
/** How much further than ours the BMC's clock may go between two readings. */
const clockToleranceMs = 120_000;
/** The share by which two clocks drift apart. */
const drift = 1 / 1_000;
/** `LastResetTime` was defined in 2020, so a BMC that reports an earlier one recorded it while its clock was not set. */
const clockWasSet = Date.UTC(2020, 0, 1);
/** Redfish's date and time with the zone that it requires (DSP0266). Without one, summer time moves a mark that stands still. */
const withZone = /T.*(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * `same`: nothing was seen. `later`: the host was reset between the two readings. `unknown`: the mark is gone, or moved in a way that a clock
 * that was set explains as well as a reset does, so whether the host was reset cannot be known.
 */
export type ResetMarks = "same" | "later" | "unknown";

/** Compares two readings, the second of which was made later. Pure. */
export function compareResetMarks(before: MarkReading, after: MarkReading): ResetMarks {
  const movedMs = timeOf(after.resetMark) - timeOf(before.resetMark);
  if (Math.abs(movedMs) <= toleranceMs) return "same";
  return movedMs > 0 && resetBetween(before, after) ? "later" : "unknown";
}

/** Whether the mark proves a reset between the two readings. Pure. */
export const resetMarkMoved = (before: MarkReading, after: MarkReading): boolean =>
  compareResetMarks(before, after) === "later";

/**
 * Whether a restart can be proven by this host's mark at all: it names its zone, its BMC tells its own time with it, and it was recorded by a clock
 * that was set, no later than now. Pure.
 */
export function provesRestarts({ resetMark, markClock }: MarkReading): boolean {
  const markMs = timeOf(resetMark);
  return (
    withZone.test(resetMark ?? "") &&
    markMs >= clockWasSet &&
    markMs <= timeOf(markClock?.bmcTime) + dateToleranceMs
  );
}

/**
 * Whether the later mark, which moved, lies between the two readings. A mark that is derived from the BMC's clock keeps its age when that clock is
 * set, so only a reset makes it younger than the time between the readings. A BMC that writes the time at which its clock was set is noticed by the
 * clock itself.
 */
function resetBetween(before: MarkReading, after: MarkReading): boolean {
  if (!provesRestarts(before) || !provesRestarts(after)) return false;
  const passedMs = timeOf(after.markClock?.readAt) - timeOf(before.markClock?.readAt);
  const ageMs = timeOf(after.markClock?.bmcTime) - timeOf(after.resetMark);
  const bmcPassedMs = timeOf(after.markClock?.bmcTime) - timeOf(before.markClock?.bmcTime);
  return (
    ageMs <= passedMs + toleranceMs && Math.abs(bmcPassedMs - passedMs) <= clockToleranceMs + passedMs * drift
  );
}

const timeOf = (text: string | null | undefined): number => Date.parse(text ?? "");
