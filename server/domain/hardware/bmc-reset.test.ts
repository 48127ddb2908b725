// When a BMC may be restarted, and what each look at it means.
import { describe, expect, it } from "vitest";
import {
  afterLook,
  bmcResetRefusal,
  busyWaitMs,
  heardAfter,
  lookWaitMs,
  nothingHeard,
  refusalsAfter,
  resetLimitMs,
  type BmcResetLook,
  type SentReset,
} from "@/server/domain/hardware/bmc-reset";
import { quietFacts, refusal } from "@/server/domain/lifecycle/intents";
import { allStates } from "@/server/domain/lifecycle/states";

const free = { hasJob: false, pending: [] };

describe("a BMC may be restarted", () => {
  it.each(allStates())("in %s where the host may be", (state) => {
    const facts = quietFacts(state);
    expect(bmcResetRefusal(facts, free)).toBe(refusal("reboot", facts));
  });

  it.each(["Enroll", "Manageable", "Ready"] as const)("in %s, unless something forbids it", (state) => {
    const facts = quietFacts(state);
    expect(bmcResetRefusal(facts, free)).toBeNull();
    expect(bmcResetRefusal({ ...facts, erasing: true }, free)).toMatch(/erase that cannot be stopped/);
    expect(bmcResetRefusal({ ...facts, leasedTo: "repairs" }, free)).toContain("repairs");
    expect(bmcResetRefusal(facts, { ...free, hasJob: true })).toMatch(/job of a clean step/);
    expect(bmcResetRefusal(facts, { ...free, pending: ["provide"] })).toMatch(/^provide was requested/);
  });
});

const sent: SentReset = { sentAtMs: 0, awayAtMs: null, answered: true, heard: nothingHeard };
const away: SentReset = { ...sent, awayAtMs: 10_000 };
const lost: SentReset = { ...sent, answered: false };
const silent: BmcResetLook = { kind: "silent", words: "GET got no answer" };
const same: BmcResetLook = { kind: "same", restartTime: "unmoved" };
const untold: BmcResetLook = { kind: "same", restartTime: "untold" };
const untoldBefore: BmcResetLook = { kind: "same", restartTime: "untoldBefore" };
const refused: BmcResetLook = {
  ...{ kind: "unclear", refused: true, heard: true },
  ...{ words: "The BMC answers, but POST was answered 401.", todo: "Change BMC" },
};
const unheard: BmcResetLook = { kind: "unclear", refused: false, heard: false, words: "?", todo: "?" };
const back: BmcResetLook = { kind: "restarted", words: "It restarted" };
const soon = 52_000;
const late = resetLimitMs + 1;

describe("a look", () => {
  it.each([
    ["that gets no answer", sent, silent, soon, "away", /no answer/, null],
    ["at a BMC that has not restarted yet", sent, same, soon, "sent", null, null],
    ["at a BMC whose answer was lost, soon", lost, same, soon, "sent", /answer.*lost.*no restart yet/, null],
    ["at a BMC that answers again as before", away, same, soon, "away", /no restart yet/, null],
    ["at a BMC that refuses", sent, refused, soon, "sent", /401/, null],
    ["at a BMC that refuses while it starts", away, refused, soon, "away", /401/, null],
    ["at a BMC that refuses for too long", away, refused, late, "failed", /401/, /Change BMC/],
    [
      "at a BMC that accepted and did nothing",
      sent,
      same,
      late,
      "failed",
      /accepted.*not restarted.*same restart time/,
      /again/,
    ],
    ["at a BMC that accepted and tells nothing", sent, untold, late, "unknown", /not known/, /Test the BMC/],
    [
      "at a BMC that accepted, and tells a time now",
      sent,
      untoldBefore,
      late,
      "unknown",
      /told no restart time before/,
      /Test the BMC/,
    ],
    ["at a BMC whose answer was lost", lost, same, late, "unknown", /is not known/, /Test the BMC/],
    ["at a BMC that was not seen away", lost, back, soon, "done", /not seen/, null],
    [
      "at another machine",
      away,
      { kind: "changed", words: "another machine answers", todo: "Change BMC" },
      soon,
      "failed",
      /another machine/,
      /Change BMC/,
    ],
  ] as const)("%s", (_what, reset, look, nowMs, phase, says, todo) => {
    const step = afterLook(reset, look, nowMs);
    expect(step.phase).toBe(phase);
    for (const [words, pattern] of [
      [step.says, says],
      [step.todo, todo],
    ] as const)
      if (pattern === null) expect(words).toBeNull();
      else expect(words).toMatch(pattern);
  });
});

/** What one process says after looks at these times, the first of them with this time of absence. */
function sayAfter(awayAtMs: number | null, looks: readonly (readonly [number, BmcResetLook])[]) {
  let reset: SentReset = { ...sent, awayAtMs };
  let step = null;
  for (const [atMs, look] of looks) {
    reset = { ...reset, heard: heardAfter(reset.heard, look, reset.awayAtMs !== null, atMs) };
    step = afterLook(reset, look, atMs);
    if (step.phase === "away" && reset.awayAtMs === null) reset = { ...reset, awayAtMs: atMs };
  }
  return `${step?.says} ${step?.todo}`;
}

describe("the end of a silence", () => {
  it.each([
    [
      "seen whole",
      null,
      [
        [10_000, silent],
        [30_000, silent],
        [soon, back],
      ],
      /It was away for 42 s\./,
    ],
    [
      "that refused first",
      null,
      [
        [10_000, silent],
        [40_000, refused],
        [soon, back],
      ],
      /away for 30 s\./,
    ],
    [
      "that answered as before first",
      null,
      [
        [10_000, silent],
        [20_000, same],
        [soon, back],
      ],
      /for 10 s\./,
    ],
    [
      "in which Reclaim could not look",
      null,
      [
        [10_000, silent],
        [20_000, unheard],
        [soon, back],
      ],
      /for 42 s/,
    ],
    [
      "that began before this process",
      10_000,
      [
        [30_000, silent],
        [soon, back],
      ],
      /back within 42 s\./,
    ],
    ["that this process did not see", 10_000, [[soon, back]], /It was away, and back within 42 s\./],
    [
      "that was one of two",
      null,
      [
        [10_000, silent],
        [20_000, same],
        [30_000, silent],
        [soon, back],
      ],
      /back within 42 s/,
    ],
  ] as const)("%s", (_what, awayAtMs, looks, words) => expect(sayAfter(awayAtMs, looks)).toMatch(words));

  it.each([
    [
      "two looks in a row",
      null,
      [
        [880_000, silent],
        [late, silent],
      ],
      /not answered for 20 s: .*off its power/,
    ],
    ["one look", 10_000, [[late, silent]], /did not answer at the time limit: .*test the BMC/],
    [
      "one look after an answer",
      10_000,
      [
        [860_000, silent],
        [880_000, refused],
        [late, silent],
      ],
      /did not answer at the time limit/,
    ],
  ] as const)("at the limit is said as %s showed it", (_what, awayAtMs, looks, words) =>
    expect(sayAfter(awayAtMs, looks)).toMatch(words),
  );
});

it("refusals are counted until a look gets in", () => {
  const counts: number[] = [];
  let refusals = 0;
  for (const look of [refused, silent, refused, unheard, same]) {
    refusals = refusalsAfter(refusals, look);
    counts.push(refusals);
  }
  expect(counts).toEqual([1, 1, 2, 2, 0]);
});

describe("the next look", () => {
  it.each([
    [0, 0, 2_000],
    [60_000, 0, 6_000],
    [600_000, 0, 15_000],
  ])("%i ms after it was sent, with %i refusals, waits %i ms", (sinceSentMs, refusals, waitMs) => {
    expect(lookWaitMs(sinceSentMs, refusals, 2_000)).toBe(waitMs);
  });

  it.each([0, 10_000, 300_000, 800_000])(
    "sends a credential that is refused since %i ms at most four times, the last time at the limit",
    (firstMs) => {
      let [atMs, sends] = [firstMs, 1];
      for (; atMs <= resetLimitMs; sends += 1) atMs += lookWaitMs(atMs, sends, 2_000);
      expect(sends).toBeLessThanOrEqual(4);
      expect(atMs).toBe(resetLimitMs + 1);
    },
  );

  it("that something holds back is tried less and less often", () => {
    expect([0, 1, 2, 10].map((times) => busyWaitMs(times, 2_000))).toEqual([2_000, 4_000, 8_000, 30_000]);
  });
});
