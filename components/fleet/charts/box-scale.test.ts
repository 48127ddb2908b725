// Boxes on a logarithmic axis: round ends, and shares that stay on the line.
import { describe, expect, it } from "vitest";
import { axisEnds, boxOf, boxTicks, type BoxRow } from "@/components/fleet/charts/box-scale";

const row = (p5Ms: number, p25Ms: number, p50Ms: number, p75Ms: number, p95Ms: number): BoxRow => ({
  name: "deploy.erase_nvme",
  runs: 10,
  p5Ms,
  p25Ms,
  p50Ms,
  p75Ms,
  p95Ms,
});

describe("the axis of durations", () => {
  it("ends at round times around all rows", () =>
    expect(axisEnds([row(120, 200, 300, 400, 900), row(2_000, 3_000, 4_000, 5_000, 7_000)])).toEqual([
      100, 60_000,
    ]));
  it("has room for one value", () => expect(axisEnds([row(100, 100, 100, 100, 100)])).toEqual([100, 1_000]));
  it("has the round times from end to end", () =>
    expect(boxTicks(100, 60_000)).toEqual([100, 1_000, 6_000, 60_000]));
});

describe("a box", () => {
  it("stands where the logarithms do", () => {
    const { from, to, median } = boxOf(row(10, 100, 1_000, 10_000, 100_000));
    expect([from, median, to].map((share) => share.toFixed(2))).toEqual(["0.25", "0.50", "0.75"]);
  });
  it("is a point where all values are the same, and where they are 0", () => {
    expect(boxOf(row(5, 5, 5, 5, 5))).toEqual({ from: 0, to: 0, median: 0 });
    expect(boxOf(row(0, 0, 0, 0, 0))).toEqual({ from: 0, to: 0, median: 0 });
  });
});
