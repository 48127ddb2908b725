// What failed hosts have in common: what nearly all hosts have is no distinction, and nothing is without a rest.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, properties } from "@/server/domain/cleaning/queue/distinctions";
import type { Having } from "@/server/domain/cleaning/queue/distinctions";

const having = (value: string, failed: number, others: number): Having => ({
  property: "driveFirmware",
  value,
  failed,
  others,
});
const telling = (found: readonly Having[], failed: number, others: number) =>
  compare(found, { failed, others }).telling.map(({ value }) => value);

describe("a value tells something", () => {
  it.each([
    ["that all failed hosts have and no other", having("X", 10, 0), 10, 40, true],
    ["that all failed hosts have and half of the others", having("X", 10, 20), 10, 40, true],
    ["that nine of ten failed hosts have", having("X", 9, 0), 10, 40, true],
    ["that half of the failed hosts have, and no other of many", having("X", 10, 0), 20, 400, true],
    ["that nearly all hosts have", having("X", 10, 38), 10, 40, false],
    ["that all hosts have", having("X", 10, 40), 10, 40, false],
    ["that one failed host has, and no other", having("X", 1, 0), 10, 40, false],
    ["that the rest has more often", having("X", 9, 40), 10, 41, false],
    ["where there is no rest", having("X", 10, 0), 10, 0, false],
  ])("%s", (_, one, failed, others, tells) => {
    expect(telling([one], failed, others)).toEqual(tells ? ["X"] : []);
  });

  it("the most telling first", () => {
    expect(telling([having("half", 10, 20), having("only", 10, 0), having("few", 10, 4)], 10, 40)).toEqual([
      "only",
      "few",
      "half",
    ]);
  });

  it("and what all failed hosts and nearly all others have is said to explain nothing", () => {
    expect(compare([having("X", 10, 38), having("Y", 2, 38)], { failed: 10, others: 40 })).toEqual({
      telling: [],
      everywhere: [having("X", 10, 38)],
    });
  });

  it("whatever the counts: never what nine of ten hosts have, and never what the rest has as often", () => {
    const sizes = fc.record({
      failed: fc.integer({ min: 1, max: 30 }),
      others: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(
        sizes.chain((size) =>
          fc.tuple(
            fc.constant(size),
            fc.array(
              fc.record({
                property: fc.constantFrom(...properties),
                value: fc.string(),
                failed: fc.integer({ min: 0, max: size.failed }),
                others: fc.integer({ min: 0, max: size.others }),
              }),
            ),
          ),
        ),
        ([size, found]) => {
          for (const { failed, others } of compare(found, size).telling) {
            expect(failed + others).toBeLessThan(0.9 * (size.failed + size.others));
            expect(failed * size.others).toBeGreaterThan(others * size.failed);
          }
        },
      ),
    );
  });
});
