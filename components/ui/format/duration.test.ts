// Boundary cases of formatted durations.
import { describe, expect, it } from "vitest";
import {
  formatAge,
  formatTimer,
  formatShortAge,
  formatDuration,
  formatElapsed,
} from "@/components/ui/format/duration";

const s = 1000;
const min = 60 * s;
const h = 60 * min;
const d = 24 * h;

describe("formatAge", () => {
  it.each([
    [-5 * s, "0 s"],
    [59.9 * s, "59 s"],
    [min, "1 min"],
    [h - 1, "59 min"],
    [17 * h + 2 * min, "17 h 02 min"],
    [3 * d + 4 * h, "3 d 04 h"],
    [41 * d + 4 * h, "41 d"],
  ])("%d ms reads %s", (ms, words) => expect(formatAge(ms)).toBe(words));
});

describe("the other forms", () => {
  it("shortens to one unit", () =>
    expect([min, 22 * h + 15 * min, 41 * d].map(formatShortAge)).toEqual(["1 min", "22 h", "41 d"]));
  it("runs as a clock", () =>
    expect([8 * min + 52 * s, h + 2 * min + 5 * s].map(formatTimer)).toEqual(["8:52", "1:02:05"]));
  it("measures short things in tenths", () =>
    expect([200, 9_940, 10_000].map(formatElapsed)).toEqual(["0.2 s", "9.9 s", "0:10"]));
  it("speaks in sentences", () =>
    expect([45 * s, 12 * min, 90 * min, 2 * h, 3 * d, 2 * h - 20 * s].map(formatDuration)).toEqual([
      "45 s",
      "12 min",
      "1 h 30 min",
      "2 h",
      "3 d",
      "2 h",
    ]));
});
