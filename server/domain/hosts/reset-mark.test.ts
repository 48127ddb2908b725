// What two readings of a BMC's `LastResetTime` show (docs/adr/0020-a-boot-is-proven.md).
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareResetMarks,
  provesRestarts,
  resetMarkMoved,
  type MarkReading,
} from "@/server/domain/hosts/reset-mark";

const second = 1_000;
const hour = 3_600 * second;
const known = "2026-11-22T10:00:00Z";
const at = (text: string): number => Date.parse(text);
const iso = (ms: number): string => new Date(ms).toISOString();

/** A reading at `readAt`, with the BMC's clock as ours unless told otherwise. */
const read = (resetMark: string | null, readAt: string, bmcTime: string | null = readAt): MarkReading => ({
  resetMark,
  markClock: { bmcTime, readAt },
});

const before = read(known, "2026-11-22T12:00:00Z");

describe("two readings of one host, ten seconds apart", () => {
  const after = "2026-11-22T12:00:10Z";
  it.each([
    ["the same", known, "same"],
    ["the same in another zone", "2026-11-22T05:00:00-05:00", "same"],
    ["a BMC that counts back from now, and rounds", "2026-11-22T10:00:05Z", "same"],
    ["the same the other way", "2026-11-22T09:59:55Z", "same"],
    ["a restart", "2026-11-22T12:00:03Z", "later"],
    ["a restart by a clock that rounds", "2026-11-22T11:59:56Z", "later"],
    ["a mark that moved further than time has passed", "2026-11-22T10:00:06Z", "unknown"],
    ["a mark that moved to just before the first reading", "2026-11-22T11:59:54Z", "unknown"],
    ["a mark in the BMC's future", "2026-11-22T12:00:26Z", "unknown"],
    ["a clock that was set back", "2026-11-22T09:59:54Z", "unknown"],
    ["a BMC that tells no more", null, "unknown"],
    ["a mark that is no time", "never", "unknown"],
    ["a mark without a zone", "2026-11-22T12:00:03", "unknown"],
  ] as const)("%s", (_what, found, means) => {
    expect(compareResetMarks(before, read(found, after))).toBe(means);
    expect(resetMarkMoved(before, read(found, after))).toBe(means === "later");
  });

  const restart = "2026-11-22T12:00:03Z";
  it.each([
    ["the BMC sends no time with the first", read(known, "2026-11-22T12:00:00Z", null), read(restart, after)],
    ["the BMC sends no time with the second", before, read(restart, after, null)],
    ["nobody knows when the first was read", { resetMark: known }, read(restart, after)],
    ["the clock started in 1970", read("1970-01-01T00:00:30Z", "2026-11-22T12:00:00Z"), read(restart, after)],
    [
      "the mark was given without a zone",
      read("2026-11-22T10:00:00", "2026-11-22T12:00:00Z"),
      read(restart, after),
    ],
    [
      "the mark was in the BMC's future",
      read(restart, "2026-11-22T11:00:00Z"),
      read("2026-11-22T12:00:09Z", after),
    ],
    [
      "the clock went by hours, and the BMC wrote that time",
      read("2026-11-22T03:00:00Z", "2026-11-22T12:00:00Z", "2026-11-22T06:00:00Z"),
      read("2026-11-22T12:00:05Z", after),
    ],
  ])("a mark that moved proves nothing where %s", (_what, first, second) => {
    expect(compareResetMarks(first, second)).toBe("unknown");
  });
});

it.each([
  ["its BMC tells its own time", known, "2026-11-22T12:00:00Z", true],
  ["the web server repeats a time for ten seconds", "2026-11-22T12:00:12Z", "2026-11-22T12:00:00Z", true],
  ["its BMC tells no time", known, null, false],
  ["its BMC's time is behind the mark", known, "2026-11-22T09:00:00Z", false],
  ["it names no zone", "2026-11-22T10:00:00", "2026-11-22T12:00:00Z", false],
  ["its clock was not set", "1970-01-01T00:00:30Z", "1970-01-01T12:13:13Z", false],
  ["there is none", null, "2026-11-22T12:00:00Z", false],
])("a mark can prove restarts or not, where %s", (_what, mark, bmcTime, can) => {
  expect(provesRestarts(read(mark, "2026-11-22T12:00:00Z", bmcTime))).toBe(can);
});

/** A BMC and its host, as both really are, at one moment. */
interface Moment {
  readonly realMs: number;
  readonly clockAheadMs: number;
  readonly upMs: number;
}
const kinds = {
  /** Counts back from its clock. */
  derived: ({ realMs, clockAheadMs, upMs }: Moment) => realMs + clockAheadMs - upMs,
  /** Wrote the time when its clock was right. */
  stored: ({ realMs, upMs }: Moment) => realMs - upMs,
};
const reading = (
  kind: keyof typeof kinds,
  moment: Moment,
  dateAgeMs: number,
  jitterMs: number,
): MarkReading =>
  read(
    iso(kinds[kind](moment) + jitterMs),
    iso(moment.realMs),
    iso(moment.realMs + moment.clockAheadMs - dateAgeMs),
  );

const start = at("2026-11-22T12:00:00Z");
const steps = fc.oneof(
  fc.integer({ min: -60 * 24 * hour, max: 60 * 24 * hour }),
  fc.constantFrom(-start, hour, -hour, 0),
  fc.integer({ min: -180 * second, max: 180 * second }),
);
const story = fc.record({
  kind: fc.constantFrom("derived" as const, "stored" as const),
  aheadMs: steps,
  stepMs: steps,
  upMs: fc.integer({ min: 17 * second, max: 400 * 24 * hour }),
  passedMs: fc.integer({ min: 0, max: 180 * second }),
  dateAgeMs: fc.integer({ min: 0, max: 10 * second }),
  jitterMs: fc.integer({ min: -1_000, max: 1_000 }),
});

it("no step of a clock makes a restart of a request that the BMC ignored", () => {
  fc.assert(
    fc.property(story, ({ kind, aheadMs, stepMs, upMs, passedMs, dateAgeMs, jitterMs }) => {
      const first = { realMs: start, clockAheadMs: aheadMs, upMs };
      const later = { realMs: start + passedMs, clockAheadMs: aheadMs + stepMs, upMs: upMs + passedMs };
      const shown = compareResetMarks(reading(kind, first, 0, 0), reading(kind, later, dateAgeMs, jitterMs));
      expect(shown).not.toBe("later");
    }),
    { numRuns: 2_000 },
  );
});

it("a restart is proven where the BMC's clock stands still against ours, whatever it shows", () => {
  fc.assert(
    fc.property(story, ({ upMs, passedMs, aheadMs, dateAgeMs }) => {
      const first = { realMs: start, clockAheadMs: aheadMs, upMs };
      const later = { realMs: start + passedMs, clockAheadMs: aheadMs, upMs: Math.floor(passedMs / 2) };
      fc.pre(start + aheadMs - upMs > at("2020-01-01T00:00:00Z"));
      expect(
        compareResetMarks(reading("derived", first, 0, 0), reading("derived", later, dateAgeMs, 0)),
      ).toBe("later");
    }),
  );
});
