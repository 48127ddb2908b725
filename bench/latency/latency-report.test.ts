// The figures of the latency bench: separate for each kind of signal, and none if the scenario did not happen.
import { expect, it } from "vitest";
import { isWithin } from "@/bench/figures";
import { latencySections } from "@/bench/latency/latency-report";
import { parseScene, readScene, type TimedSignal } from "@/bench/latency/latency-scene";

const signals = (metHandler: boolean, ...times: (number | null)[]): TimedSignal[] =>
  times.map((ms) => ({ toHandlerMs: ms, toCommitMs: ms === null ? null : ms + 5, metHandler }));

it("holds the 99th percentile and the longest against the budget", () => {
  const [alone, met] = latencySections([...signals(false, 3, 1, 2), ...signals(true, 4, 120)]);
  expect(alone?.figures.slice(0, 3).map(({ value }) => value)).toEqual([2, 3, 3]);
  expect(alone?.figures.slice(0, 3).map(isWithin)).toEqual([null, true, true]);
  expect(met?.figures.slice(0, 3).map(isWithin)).toEqual([null, false, false]);
  expect(met?.figures.slice(3).map(({ value, budget }) => [value, budget])).toEqual([
    [9, null],
    [125, null],
    [125, null],
  ]);
});

it("gives none when a signal met no handler, or none came while one was at work", () => {
  expect(() => latencySections([...signals(false, 1), ...signals(true, 1, null)])).toThrow(
    "1 of 2 signals met no handler",
  );
  expect(() => latencySections(signals(false, 1))).toThrow("0 of 1 signals came while");
  expect(() => latencySections([])).toThrow("no figures");
});

it("plays the scene of the design: a thousand rechecks, a BMC that hangs for 60 s", () => {
  expect(readScene()).toMatchObject({ rechecks: 1_000, hangSeconds: 60 });
  expect(() => parseScene('{"name": "x"}')).toThrow();
});
