// The clock that stops while Reclaim waits for people, and the clock that counts all time.
import { describe, expect, it } from "vitest";
import { clockIn, clocksAt, clockStands, overdueMs } from "@/server/domain/cleaning/clocks";
import type { Clock } from "@/server/domain/cleaning/clocks";
import { allStates, isFailed } from "@/server/domain/lifecycle/states";

const running: Clock = { startedAtMs: 1_000, limitAtMs: 61_000, pausedMs: 0, pausedAtMs: null };

describe("the clock", () => {
  it("stands on hold, in the queue, where a person is waited for, and in every failure; nowhere else", () => {
    const standing = allStates().filter((state) => clockStands(state) && !isFailed(state));
    expect(
      standing.filter((state) =>
        /OnHold|Queued|Pending|Awaiting|WaitingForSku|SkuMissing|SkuVerificationFailed/.test(state),
      ),
    ).toEqual(standing);
    expect(standing).toHaveLength(11);
    expect(allStates().filter(isFailed).every(clockStands)).toBe(true);
  });

  it("moves the limit by what it stood", () => {
    const held = { ...running, ...clockIn("ManualCleaning/OnHold", running, 5_000) };
    expect(held).toEqual({ ...running, pausedAtMs: 5_000 });
    expect({ ...held, ...clockIn("ManualCleaning/RunningStep", held, 25_000) }).toEqual({
      ...running,
      limitAtMs: 81_000,
      pausedMs: 20_000,
      pausedAtMs: null,
    });
  });

  it("counts a failure on hold, or a queue after a hold, as one pause", () => {
    const held: Clock = { ...running, pausedMs: 3_000, pausedAtMs: 5_000 };
    expect(clockIn("Failed/CleanFailed", held, 9_000)).toBeNull();
    expect(clockIn("WaitingForCleanup/Queued", held, 9_000)).toBeNull();
    expect(clockIn("WaitingForCleanup/Init", held, 15_000)).toEqual({
      limitAtMs: 71_000,
      pausedMs: 13_000,
      pausedAtMs: null,
    });
  });

  it("does not go back with a clock that did, and gives no limit where there was none", () => {
    expect(clockIn("Manageable", { ...running, limitAtMs: null, pausedAtMs: 5_000 }, 4_000)).toEqual({
      limitAtMs: null,
      pausedMs: 0,
      pausedAtMs: null,
    });
    expect(clockIn("ManualCleaning/RunningStep", running, 5_000)).toBeNull();
  });
});

describe("overdue", () => {
  it.each<[string, Partial<Clock>, number, number | null]>([
    ["not before the limit", {}, 61_000, null],
    ["from the limit on, by what it is over", {}, 71_000, 10_000],
    ["not without a limit", { limitAtMs: null }, 1e12, null],
    ["not while the clock stands that had stopped in time", { pausedAtMs: 50_000 }, 1e12, null],
    ["still, when it failed or was held after that", { pausedAtMs: 62_000 }, 1e12, 1_000],
  ])("%s", (_what, changes, nowMs, expected) =>
    expect(overdueMs({ ...running, ...changes }, nowMs)).toBe(expected),
  );
});

it("all time is counted beside the time that was worked", () => {
  expect(clocksAt({ ...running, pausedMs: 10_000 }, 31_000)).toEqual({ wholeMs: 30_000, workedMs: 20_000 });
  expect(clocksAt({ ...running, pausedMs: 10_000, pausedAtMs: 26_000 }, 31_000)).toEqual({
    wholeMs: 30_000,
    workedMs: 15_000,
  });
});
