// How a new reading changes the list of leftovers, and what a person may accept.
import { describe, expect, it } from "vitest";
import {
  accepting,
  leftoverKey,
  longestKey,
  standing,
  formatLeftovers,
  withReading,
} from "@/server/domain/hosts/decommission/leftovers";
import { leftoverName } from "@/server/domain/hosts/decommission/leftover-name";
import type { Leftover } from "@/server/domain/hosts/decommission/leftovers";

const row = (what: string, outcome: Leftover["outcome"], message: string | null = null): Leftover => ({
  kind: "account",
  what,
  outcome,
  message,
  accepted: null,
});
const kinds = new Set(["account"] as const);
const accepted = { by: "Ann", reason: "reset", at: "2026-11-22T08:00:00.000Z" };

describe("a reading", () => {
  it("of what is there no more calls it removed; what it shows replaces what was known", () => {
    expect(withReading([row("a", "found"), row("b", "found")], [row("b", "refused", "405")], kinds)).toEqual([
      row("a", "removed"),
      row("b", "refused", "405"),
    ]);
  });
  it("calls nothing removed that only could not be read before", () =>
    expect(withReading([row("accounts", "unreadable", "403")], [row("a", "found")], kinds)).toEqual([
      row("a", "found"),
    ]));
  it("says nothing of other kinds", () =>
    expect(withReading([{ ...row("dpu0", "found"), kind: "network" }], [], kinds)).toMatchObject([
      { outcome: "found" },
    ]));
  it.each([0, 1])("of two things of one name is the one that stands", (first) => {
    const both = [row("a", "kept", "own"), row("a", "refused", "405")];
    const read = first === 0 ? both : both.toReversed();
    expect(withReading([], read, kinds)).toEqual([row("a", "refused", "405")]);
    expect(withReading([row("a", "found")], read, kinds)).toEqual([row("a", "refused", "405")]);
  });
  it("keeps what a person accepted", () =>
    expect(withReading([{ ...row("a", "refused"), accepted }], [row("a", "refused", "405")], kinds)).toEqual([
      { ...row("a", "refused", "405"), accepted },
    ]));
});

describe("what stands", () => {
  it.each(["found", "refused", "unreadable"] as const)("%s does", (outcome) =>
    expect(standing([row("a", outcome)])).toHaveLength(1),
  );
  it.each(["removed", "kept", "notOffered"] as const)("%s does not", (outcome) =>
    expect(standing([row("a", outcome)])).toEqual([]),
  );
  it("can be accepted by its key, and nothing else can", () => {
    const rows = [row("a", "refused"), row("b", "refused"), row("c", "removed")];
    const after = accepting(rows, rows.filter(({ what }) => what !== "b").map(leftoverKey), accepted);
    expect(after.map((line) => line.accepted)).toEqual([accepted, null, null]);
    expect(formatLeftovers(after)).toBe("b");
  });
});

describe("a name that somebody else chose", () => {
  const long = `https://evil.example/${"x".repeat(5_000)}`;
  it("is cut to what can be accepted, and still tells two of them apart", () => {
    const [one, other] = [leftoverName(`${long}1`), leftoverName(`${long}2`)];
    expect(leftoverKey({ kind: "eventSubscription", what: one }).length).toBeLessThanOrEqual(longestKey);
    expect(one).not.toBe(other);
    expect(one.startsWith("https://evil.example/xxx")).toBe(true);
    expect(leftoverName(one)).toBe(one);
  });
  it("is one line of text that can be stored", () =>
    expect(leftoverName("a\u0000b\n c\ud800")).toBe("a b c"));
});
