// Forecast of when hosts will be Ready, from how long others took and how long these have taken so far.
import { describe, expect, it } from "vitest";
import { forecast } from "@/server/domain/hosts/forecast";
import type { MeasuredTrip, OpenTrip } from "@/server/domain/hosts/forecast";

const minute = 60_000;
const nowMs = 1_000 * minute;
const took = (minutes: readonly number[], skuId: string | null = null): MeasuredTrip[] =>
  minutes.map((each) => ({ tookMs: each * minute, skuId }));
const open = (minutesAgo: number, over: Partial<OpenTrip> = {}): OpenTrip => ({
  sinceMs: nowMs - minutesAgo * minute,
  skuId: null,
  stands: false,
  ...over,
});
const inMinutes = (atMs: number | null) => (atMs === null ? null : (atMs - nowMs) / minute);

describe("forecast", () => {
  it("expects the middle of those that took longer than this one has", () => {
    const measured = took([10, 20, 30, 40, 50]);
    expect(inMinutes(forecast(nowMs, [open(0)], measured).halfAtMs)).toBe(30);
    expect(inMinutes(forecast(nowMs, [open(25)], measured).halfAtMs)).toBe(15);
  });
  it("goes by the SKU where enough of it was measured", () => {
    const measured = [
      ...took([10, 10, 10, 10, 10]),
      ...took([60, 60, 60, 60, 60], "slow"),
      ...took([99], "new"),
    ];
    expect(inMinutes(forecast(nowMs, [open(0, { skuId: "slow" })], measured).halfAtMs)).toBe(60);
    expect(inMinutes(forecast(nowMs, [open(0, { skuId: "new" })], measured).halfAtMs)).toBe(60);
  });
  it("says when half and nine tenths are back, of all that are under way", () => {
    const ages = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
    const said = forecast(
      nowMs,
      ages.map((age) => open(age)),
      took([10]),
    );
    expect(inMinutes(said.halfAtMs)).toBe(5);
    expect(inMinutes(said.ninetiethAtMs)).toBe(9);
    expect(said).toMatchObject({ hosts: 10, unknown: 0, measured: 1 });
  });
  it("tells no end of a host that waits for a person, or took longer than all others", () => {
    const said = forecast(nowMs, [open(0), open(0, { stands: true }), open(500)], took([10]));
    expect(said).toMatchObject({ hosts: 3, unknown: 2, halfAtMs: null, ninetiethAtMs: null });
    expect(forecast(nowMs, [open(0)], [])).toMatchObject({ unknown: 1, measured: 0, halfAtMs: null });
    expect(forecast(nowMs, [], took([10]))).toMatchObject({ hosts: 0, halfAtMs: null });
  });
});
