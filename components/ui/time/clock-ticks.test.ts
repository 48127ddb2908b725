// Ticks fall on round times in the viewer's zone, and there are never too many.
import { describe, expect, it } from "vitest";
import { clockTicks, spanTicks } from "@/components/ui/time/clock-ticks";

const at = (text: string) => Date.parse(text);

describe("clockTicks", () => {
  it("steps by five minutes over half an hour", () =>
    expect(
      clockTicks(at("2026-11-20T13:40:00Z"), at("2026-11-20T14:10:00Z"), "UTC").map(({ words }) => words),
    ).toEqual(["13:45", "13:50", "13:55", "14:00", "14:05"]));
  it("is round in a zone that is half an hour off", () =>
    expect(
      clockTicks(at("2026-11-20T00:00:00Z"), at("2026-11-20T06:00:00Z"), "Asia/Kolkata").map(
        ({ words }) => words,
      ),
    ).toEqual(["06:00", "07:00", "08:00", "09:00", "10:00", "11:00"]));
  it("names days over a week", () =>
    expect(clockTicks(at("2026-11-13T10:00:00Z"), at("2026-11-20T10:00:00Z"), "UTC")[0]?.words).toBe(
      "14 Nov",
    ));
  it.each([1, 60, 3_600, 86_400, 31_536_000])("has at most nine over %d s", (seconds) => {
    const from = at("2026-11-20T13:40:07Z");
    expect(clockTicks(from, from + seconds * 1000, "Europe/Berlin").length).toBeLessThanOrEqual(9);
  });
});

describe("spanTicks", () => {
  it.each([
    [8_000, "s", ["1", "2", "3", "4", "5", "6", "7"]],
    [20 * 60_000, "min", ["5", "10", "15"]],
    [3 * 3_600_000, "min", ["30", "60", "90", "120", "150"]],
    [10 * 3_600_000, "h", ["2", "4", "6", "8"]],
  ] as const)("over %d ms", (toMs, unit, words) => {
    const { unit: said, ticks } = spanTicks(toMs);
    expect(said).toBe(unit);
    expect(ticks.map((tick) => tick.words)).toEqual(words);
  });
});
