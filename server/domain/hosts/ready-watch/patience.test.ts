// When readings that are not good end a host's proof, and whether they show that it changed.
import { expect, it } from "vitest";
import { countUnread } from "@/server/domain/hosts/ready-watch/patience";
import type { Unread } from "@/server/domain/hosts/ready-watch/patience";

/** What ends the proof after each reading, one every 10 ms, where two intervals are 40 ms. */
function ends(...kinds: readonly ("look" | "doubt" | "unread" | "unknown")[]): readonly (string | null)[] {
  let before: Unread | undefined;
  return kinds.map((kind, index) => {
    const counted = countUnread(before, kind, index * 10, 20);
    before = counted.unread;
    return counted.ends;
  });
}

it("a difference ends the proof at once, and what looks like one when it still does", () => {
  expect(ends("doubt")).toEqual(["seen"]);
  expect(ends("look", "look")).toEqual([null, "seen"]);
});

it("a host that no reading can be compared with ends it at once, and shows no change", () => {
  expect(ends("unknown")).toEqual(["unknown"]);
});

it("a BMC that cannot be read ends it after a while, and shows no change", () => {
  expect(ends("unread", "unread", "unread", "unread", "unread")).toEqual([null, null, null, null, "silent"]);
});

it("a BMC that answers now and then starts nothing anew", () => {
  expect(ends("unread", "look", "unread", "look")).toEqual([null, null, null, "seen"]);
  expect(ends("unread", "unread", "unread", "unread", "look")).toEqual([null, null, null, null, "silent"]);
});
