// What the proof desk says: a tally, a month, and sentences that claim only what is on record.
import { describe, expect, it } from "vitest";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { monthRange, monthText } from "@/server/domain/assurance/proof/month";
import { pointsOf } from "@/server/domain/assurance/proof/points";
import { tallyText } from "@/server/domain/assurance/proof/tally-text";
import { drivesOf } from "@/server/domain/assurance/proof/basis-text";
import { timelineWords } from "@/server/domain/assurance/proof/timeline-words";

it("counts in words", () => {
  const none = {
    returns: 0,
    proven: 0,
    provenWithExceptions: 0,
    notSanitized: 0,
    notProven: 0,
    notChecked: 0,
  };
  expect(
    tallyText({ ...none, returns: 217, proven: 208, provenWithExceptions: 5, notSanitized: 1, notProven: 3 }),
  ).toBe("217 returns: 208 proven, 5 proven with exceptions, 1 not sanitized, 3 not proven");
  expect(tallyText({ ...none, returns: 1, notProven: 1 })).toBe("1 return: 1 not proven");
  expect(tallyText(none)).toBe("No returns");
});

it("takes a month in UTC", () => {
  expect(monthText("2026-12")).toBe("December 2026 UTC");
  expect(monthRange("2026-12")).toEqual({
    from: new Date("2026-12-01T00:00:00Z"),
    until: new Date("2027-01-01T00:00:00Z"),
  });
});

describe("sentences", () => {
  const of = (status: string, over: Partial<Parameters<typeof pointsOf>[0]> = {}) =>
    pointsOf({
      gates: gateNames.map((gate) => ({ gate, status, reason: "secret" })),
      drives: [{ result: "erased" }, { result: "erased" }],
      open: false,
      reader: "provider",
      ...over,
    });

  it("are good only for what is satisfied", () => {
    expect(of("satisfied").every(({ tone }) => tone === "good")).toBe(true);
    for (const status of [
      "excepted",
      "waived",
      "not required",
      "not implemented",
      "unsatisfied",
      "of another release",
    ])
      expect([status, of(status).filter(({ tone }) => tone === "good")]).toEqual([status, []]);
    expect(of("x", { gates: [] }).every(({ tone }) => tone === "failed")).toBe(true);
    expect(of("x", { gates: [], open: true }).every(({ tone }) => tone === "waiting")).toBe(true);
  });

  it("count the drives as they are", () => {
    const [first] = of("satisfied", { drives: [{ result: "erased" }, { result: "stated" }] });
    expect(first).toEqual({
      tone: "attention",
      words: "1 of 2 drives were erased and read back; a person stated what became of 1.",
    });
  });

  it("tell a tenant no reason", () => {
    for (const status of ["waived", "unsatisfied", "not required"])
      expect(JSON.stringify(of(status, { reader: "tenant" }))).not.toContain("secret");
  });
});

it("says what happened in a timeline", () => {
  expect(timelineWords("act", "host.setMaintenance", "fan")).toBe("Host: set maintenance: fan");
  expect(timelineWords("approval", "approved:exception", null)).toBe("Approved an exception");
  expect(timelineWords("certificate", "certificate:certificate", "C-7")).toBe("Certificate C-7 signed");
  expect(timelineWords("security", "contestedBoot", null)).toBe("Security event: contested boot");
});

it.each([
  ["notProven", 0, "–"],
  ["notSanitized", 0, "–"],
  ["proven", 0, "none"],
  ["notProven", 4, "0 of 4"],
] as const)("says %s of %i expected drives: %s", (standing, expected, words) =>
  expect(drivesOf(standing, { erased: 0, expected })).toBe(words),
);
