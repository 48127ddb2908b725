// Which host boots which image: every situation as a table, and invariants over all hosts.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chooseImage,
  currentRefusal,
  positionOf,
  formatRollout,
  widenRefusal,
} from "@/server/domain/cleaning/images/image-rollout";
import type { BootingHost, Rollout } from "@/server/domain/cleaning/images/image-rollout";

const few: Rollout = { stage: "few", hosts: 5 };
const share = (percent: number): Rollout => ({ stage: "share", percent });
const all: Rollout = { stage: "all" };
const hads: readonly BootingHost["had"][] = ["cameUp", "didNot", "under way", null];
const candidate = (rollout: Rollout, braked = false) => ({ id: "image", rollout, braked });

describe("a host boots", () => {
  it.each([
    ["the current image where there is no candidate", null, null, "current"],
    ["the candidate, if there is room, while it goes to a few", candidate(few), null, "ifRoom"],
    ["the candidate when it goes to all", candidate(all), null, "candidate"],
    ["the current image at a share of nothing", candidate(share(0)), null, "current"],
    ["the candidate at a share of all", candidate(share(100)), null, "candidate"],
    ["the candidate again where it came up, whatever the stage", candidate(few), "cameUp", "candidate"],
    ["the candidate again where it came up, outside the share", candidate(share(0)), "cameUp", "candidate"],
    ["the candidate again in the same boot", candidate(few), "under way", "candidate"],
    ["the current image where the candidate did not come up", candidate(all), "didNot", "current"],
  ] as const)("%s", (_words, given, had, choice) =>
    expect(chooseImage({ id: "host", had }, given)).toBe(choice),
  );

  it.each(hads.flatMap((had) => [few, share(100), all].map((rollout) => [had, rollout] as const)))(
    "the current image under a brake (had: %s, %j)",
    (had, rollout) => expect(chooseImage({ id: "host", had }, candidate(rollout, true))).toBe("current"),
  );
});

describe("a share", () => {
  const host = fc.uuid();
  it("keeps its hosts while it grows", () =>
    fc.assert(
      fc.property(
        fc.uuid(),
        host,
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (image, id, a, b) => {
          const chosen = (percent: number) =>
            chooseImage({ id, had: null }, { id: image, rollout: share(percent), braked: false });
          return chosen(Math.min(a, b)) === "current" || chosen(Math.max(a, b)) === "candidate";
        },
      ),
    ));
  it("is as large as it says, also over ids in a row", () => {
    for (const idOf of [
      () => randomUUID(),
      (index: number) => `10000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    ]) {
      const inShare = Array.from({ length: 10_000 }, (_, index) => positionOf("2f1c", idOf(index))).filter(
        (position) => position < 20,
      ).length;
      expect(inShare).toBeGreaterThan(1_800);
      expect(inShare).toBeLessThan(2_200);
    }
  });
  it("has other hosts first for another image", () => {
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    const first = (image: string) => new Set(ids.filter((id) => positionOf(image, id) < 10));
    const both = [...first("one")].filter((id) => first("two").has(id)).length;
    expect(both).toBeLessThan(40);
  });
  it("stands between 0 and 100", () =>
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (image, id) => positionOf(image, id) >= 0 && positionOf(image, id) < 100,
      ),
    ));
});

describe("a candidate goes on", () => {
  const facts = (rollout: Rollout, over: { braked?: boolean; cameUp?: number } = {}) => ({
    rollout,
    braked: false,
    cameUp: 3,
    ...over,
  });
  it.each([
    [facts(few), { stage: "few", hosts: 6 }, null],
    [facts(few), share(1), null],
    [facts(share(10)), share(50), null],
    [facts(share(100)), all, null],
    [facts(few), few, /would not be more/],
    [facts(few), { stage: "few", hosts: 4 }, /would not be more/],
    [facts(share(50)), share(10), /would not be more/],
    [facts(share(50)), { stage: "few", hosts: 100 }, /would not be more/],
    [facts(all), all, /would not be more/],
    [facts(few), all, /a few hosts, then to a percentage/],
    [facts(few, { braked: true }), share(10), /brake/],
    [facts(few, { cameUp: 0 }), share(10), /has not come up/],
  ] as const)("from %j to %j: %s", (from, to, refusal) =>
    refusal === null
      ? expect(widenRefusal(from, to)).toBeNull()
      : expect(widenRefusal(from, to)).toMatch(refusal),
  );

  it.each([
    [facts(all), null],
    [facts(share(100)), /roll it out to all first/],
    [facts(few), /roll it out to all first/],
    [facts(all, { braked: true }), /brake/],
    [facts(all, { cameUp: 0 }), /has not come up/],
  ] as const)("to be the current one from %j: %s", (from, refusal) =>
    refusal === null
      ? expect(currentRefusal(from)).toBeNull()
      : expect(currentRefusal(from)).toMatch(refusal),
  );

  it("is told in words", () =>
    expect([{ stage: "few", hosts: 1 } as const, few, share(12.5), all].map(formatRollout)).toEqual([
      "1 host",
      "5 hosts",
      "12.5 % of the hosts",
      "all hosts",
    ]));
});
