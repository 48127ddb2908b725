// What two readings of a BMC's `LastResetTime` show (docs/adr/0033-reset-marks-that-move.md).
import { describe, expect, it } from "vitest";
import { compareResetMarks, resetMarkMoved } from "@/server/domain/hosts/reset-mark";

const known = "2026-11-22T10:00:00Z";

describe("two readings of one host", () => {
  it.each([
    ["the same", known, "same"],
    ["the same in another zone", "2026-11-22T05:00:00-05:00", "same"],
    ["a BMC that counts back from now, and rounds", "2026-11-22T10:00:05Z", "same"],
    ["the same the other way", "2026-11-22T09:59:55Z", "same"],
    ["a restart", "2026-11-22T10:00:06Z", "later"],
    ["a clock that was set back", "2026-11-22T09:59:54Z", "unknown"],
    ["a BMC that tells no more", null, "unknown"],
    ["a mark that is no time", "never", "unknown"],
  ] as const)("%s", (_what, found, means) => {
    expect(compareResetMarks(known, found)).toBe(means);
  });

  it("prove a restart only where the mark is later by more than jitter", () => {
    expect(
      [known, "2026-11-22T10:00:05Z", "2026-11-22T09:00:00Z", null, "never", "2026-11-22T10:00:06Z"].map(
        (after) => resetMarkMoved(known, after),
      ),
    ).toEqual([false, false, false, false, false, true]);
  });
});
