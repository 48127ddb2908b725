// Comparing two commits by the ratio of each pair.
import { expect, it } from "vitest";
import { isWithin } from "@/bench/figures";
import { guardSections } from "@/bench/guard/guard-report";
import { measuredRelease } from "@/bench/testing/measured";

/** A turn on a machine that is `slow` times as slow, of a commit that costs `cost` times as much. */
const turn = (slow: number, cost: number) =>
  measuredRelease({
    processorMs: {
      web: 400 * slow * cost,
      controller: 2000 * slow * cost,
      database: 3000 * slow * cost,
      simulator: 0,
    },
  });

const figureOf = (ratio: number, speeds: readonly number[]) => {
  const [section] = guardSections(
    speeds.map((slow) => ({ old: turn(slow, 1), now: turn(slow * 1.01, ratio) })),
  );
  const found = section?.figures.find(({ name }) => name === "processor time per host");
  if (found === undefined) throw new Error("no figure");
  return found;
};

it("sees what got worse although the machine's own speed changes by more", () => {
  expect(isWithin(figureOf(1.02, [1, 1.6, 0.8, 1.3]))).toBe(true);
  expect(isWithin(figureOf(1.08, [1, 1.6, 0.8, 1.3]))).toBe(false);
});

it("is not decided by one disturbed pair", () => {
  const pairs = [1, 1, 3].map((ratio) => ({ old: turn(1, 1), now: turn(1, ratio) }));
  expect(guardSections(pairs)[0]?.figures[0]?.value).toBe(1);
});

it("says nothing of what could not be measured", () => {
  const unseen = measuredRelease({ processorMs: { web: 1, controller: 1, database: null, simulator: 1 } });
  const [section] = guardSections([{ old: unseen, now: unseen }]);
  expect(section?.figures[0]).toMatchObject({ name: "processor time per host", value: null });
});
