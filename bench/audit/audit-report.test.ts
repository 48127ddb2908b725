// The figures beside a fleet: means over all turns of a kind, and the comparison between kinds.
import { expect, it } from "vitest";
import { fleetSection, slower } from "@/bench/audit/audit-report";
import { isWithin } from "@/bench/figures";

const written = { ids: new Set(["a", "b"]), rolledBack: 0, seconds: 0.001, times: [] };

it("compares turns with writers with those without", () => {
  const { figures } = fleetSection({
    hosts: 2,
    perSecond: 1,
    turns: [
      { kind: "none", round: 0, transitionMs: [90, 110], written: null, busy: 0.5 },
      { kind: "log", round: 0, transitionMs: [110, 130], written, busy: 0.75 },
      { kind: "plain", round: 0, transitionMs: [105, 105], written, busy: 0.75 },
      { kind: "none", round: 1, transitionMs: [100, 100], written: null, busy: 0.5 },
      { kind: "log", round: 1, transitionMs: [140, 140], written, busy: 0.75 },
    ],
    certificateSeconds: [1, 6],
    burstSeconds: [2, 3],
  });
  const of = (name: string) => figures.find((figure) => figure.name === name);
  expect(of("a transition of a host, mean, nobody writes")).toMatchObject({
    value: 100,
    note: "by turn 100, 100; cores busy 50.0 %",
  });
  expect(of("slower by writers of the log")?.value).toBeCloseTo(30);
  expect(of("the same, median of rounds")).toMatchObject({
    value: expect.closeTo(30),
    note: "2 rounds of 3 turns; from 20.0 to 40.0; mean 30.0",
  });
  expect(of("slower by writers of a plain table")?.value).toBeCloseTo(5);
  expect(of("slower by the log alone")?.value).toBeCloseTo(23.81, 1);
  expect(of("events committed meanwhile")?.value).toBe(2_000);
  const missed = figures.filter((figure) => isWithin(figure) === false);
  expect(missed.map(({ name }) => name)).toEqual([
    "slower by writers of the log",
    "certificate after the end, longest",
  ]);
});

it("says nothing where there is nothing to compare", () => {
  expect(slower(null, 1)).toBeNull();
  expect(slower(1, null)).toBeNull();
});
