// Which hosts are read in which tick: spread out, none twice at a time, and those that do not answer less often.
import { expect, it } from "vitest";
import { ReadingSchedule } from "@/server/controller/power/schedule";

const everyMs = 120_000;
const tickMs = 500;
const fleet = (size: number) => Array.from({ length: size }, (_, index) => `host-${index}`);

it("reads a fleet once in three quarters of the time, spread over it", () => {
  const schedule = new ReadingSchedule(everyMs);
  schedule.keep(fleet(10_000));
  const readings = new Map<string, number>();
  let most = 0;
  for (let now = 0; now < 90_000; now += tickMs) {
    const taken = schedule.take(now, tickMs, 256);
    most = Math.max(most, taken.length);
    for (const hostId of taken) {
      readings.set(hostId, (readings.get(hostId) ?? 0) + 1);
      schedule.ended(hostId, now, true);
    }
  }
  expect(readings.size).toBe(10_000);
  expect([...readings.values()].every((count) => count === 1)).toBe(true);
  expect(most).toBeLessThanOrEqual(70);
});

it("asks no BMC twice at a time, and no more than it was told", () => {
  const schedule = new ReadingSchedule(1_000);
  schedule.keep(fleet(3));
  expect(schedule.take(0, 1_000, 2)).toHaveLength(2);
  expect(schedule.take(0, 1_000, 9)).toHaveLength(1);
  expect(schedule.take(10_000, 1_000, 9)).toEqual([]);
  expect(schedule.underWay).toBe(3);
});

it("asks one that did not answer after three times the time", () => {
  const schedule = new ReadingSchedule(everyMs);
  schedule.keep(["silent"]);
  expect(schedule.take(0, tickMs, 9)).toEqual(["silent"]);
  schedule.ended("silent", 5_000, false);
  expect(schedule.take(5_000 + 3 * everyMs - 1, tickMs, 9)).toEqual([]);
  expect(schedule.take(5_000 + 3 * everyMs, tickMs, 9)).toEqual(["silent"]);
});

it("forgets hosts that are gone, and keeps when the others are due", () => {
  const schedule = new ReadingSchedule(everyMs);
  schedule.keep(["stays", "goes"]);
  for (const hostId of schedule.take(0, everyMs, 9)) schedule.ended(hostId, 0, true);
  schedule.keep(["stays"]);
  expect(schedule.take(everyMs, everyMs, 9)).toEqual(["stays"]);
});

it("takes those first that somebody waits for, due or not, and none that is not to be read", () => {
  const schedule = new ReadingSchedule(everyMs);
  schedule.keep(fleet(1_000));
  const before = schedule.take(0, tickMs, 256);
  for (const hostId of before) schedule.ended(hostId, 0, true);
  schedule.hurry(["host-900", "unknown", before[0] ?? ""]);
  expect(schedule.take(tickMs, tickMs, 256).slice(0, 2)).toEqual(["host-900", before[0]]);
  // While it is read it is not taken again.
  expect(schedule.take(2 * tickMs, tickMs, 256)).not.toContain("host-900");
  // However many wait, half of the readings and the share of each tick are left to the others.
  schedule.hurry(fleet(400).slice(200));
  const crowded = schedule.take(3 * tickMs, tickMs, 20);
  expect(crowded.filter((hostId) => Number(hostId.slice(5)) >= 200)).toHaveLength(10);
  expect(crowded.length).toBeGreaterThan(10);
});
