// Live rows: they keep their place, a late answer never overwrites a newer row, and each move in or out is counted once.
import { describe, expect, it } from "vitest";
import { hostRow } from "@/components/testing/host";
import { moveOn, patchPages, sortsBefore } from "@/components/hosts/list/use-hosts";

const row = (hostId: string, stateVersion: string, minutesAgo = 0) =>
  hostRow(hostId, { stateVersion, stateSince: new Date(1_000_000_000_000 - minutesAgo * 60_000) });

describe("patchPages", () => {
  const data = {
    pages: [
      { rows: [row("b", "3"), row("a", "10")], nextCursor: null, total: 2, groups: null, problem: null },
    ],
    pageParams: [null],
  };
  it("writes a newer row in its place", () =>
    expect(
      patchPages(data, new Map([["a", row("a", "11")]])).pages[0]?.rows.map((host) => [
        host.hostId,
        host.stateVersion,
      ]),
    ).toEqual([
      ["b", "3"],
      ["a", "11"],
    ]));
  it("keeps the row against an older answer", () =>
    expect(patchPages(data, new Map([["a", row("a", "9")]])).pages[0]?.rows[1]?.stateVersion).toBe("10"));
});

describe("moveOn", () => {
  const nothing = { view: "v", entered: new Set<string>(), left: new Set<string>() };
  it("counts a host once however often it changes", () => {
    const once = moveOn(nothing, ["a"], new Set(["a"]), new Set());
    expect(moveOn(once, ["a"], new Set(["a"]), new Set()).entered.size).toBe(1);
  });
  it("forgets a host that came and went", () => {
    const came = moveOn(nothing, ["a"], new Set(["a"]), new Set());
    expect(moveOn(came, ["a"], new Set(), new Set())).toEqual(nothing);
  });
});

describe("sortsBefore", () => {
  it("puts the longest in its state first", () => {
    expect(sortsBefore(row("a", "1", 60), row("b", "1", 30), { id: "since", descending: true })).toBe(true);
    expect(sortsBefore(row("a", "1", 5), row("b", "1", 30), { id: "since", descending: true })).toBe(false);
  });
  it("sorts by name both ways", () => {
    expect(sortsBefore(row("a", "1"), row("b", "1"), { id: "name", descending: false })).toBe(true);
    expect(sortsBefore(row("a", "1"), row("b", "1"), { id: "name", descending: true })).toBe(false);
  });
});
