// The odds of the brake: against numbers worked out by hand, and against hosts that fail by lot.
import { expect, it } from "vitest";
import { brakeOdds, chanceOf, isBeyondChance } from "@/server/domain/cleaning/queue/brake-odds";

it.each([
  // One of C(4,2) = 6 ways to choose both failures from the group's two hosts.
  [{ hosts: 4, failures: 2, started: 2, failed: 2 }, 1 / 6],
  [{ hosts: 4, failures: 2, started: 2, failed: 1 }, 5 / 6],
  [{ hosts: 10, failures: 3, started: 10, failed: 3 }, 1],
  [{ hosts: 10, failures: 3, started: 4, failed: 0 }, 1],
  // C(182,10) / C(200,10)
  [{ hosts: 200, failures: 10, started: 182, failed: 10 }, 0.3804],
])("chance of %j", (counted, expected) => expect(chanceOf(counted)).toBeCloseTo(expected, 3));

it("takes more to convince where more groups were tried", () => {
  const counted = { hosts: 200, failures: 10, started: 70, failed: 10 };
  expect(chanceOf(counted)).toBeLessThan(brakeOdds);
  expect(isBeyondChance(counted, 1)).toBe(true);
  expect(isBeyondChance(counted, 8)).toBe(false);
});
