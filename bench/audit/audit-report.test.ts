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
      { kind: "none", transitionMs: [90, 110], written: null, busy: 0.5 },
      { kind: "log", transitionMs: [110, 130], written, busy: 0.75 },
      { kind: "plain", transitionMs: [105, 105], written, busy: 0.75 },
      { kind: "none", transitionMs: [100, 100], written: null, busy: 0.5 },
    ],
    certificateSeconds: [1, 6],
    burstSeconds: [2, 3],
  });
  const of = (name: string) => figures.find((figure) => figure.name === name);
  expect(of("a transition of a host, mean, nobody writes")).toMatchObject({
    value: 100,
    note: "by turn 100, 100; cores busy 50.0 %",
  });
  expect(of("slower by writers of the log")?.value).toBeCloseTo(20);
  expect(of("slower by writers of a plain table")?.value).toBeCloseTo(5);
  expect(of("slower by the log alone")?.value).toBeCloseTo(14.29, 1);
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
