// What cannot be stored is found wherever it stands, and nothing else is.
import { expect, it } from "vitest";
import { hasEncodedNul, holdsUnstorableText } from "@/server/domain/storable-text";

it.each([
  ["NUL in a text", "a\u0000"],
  ["in a member", { a: [{ b: "\u0000" }] }],
  ["in a key", { "\u0000": 1 }],
  ["half a surrogate pair", ["\ud83d"]],
])("%s is found", (_what, value) => expect(holdsUnstorableText(value)).toBe(true));

it.each([null, undefined, 1, true, "", "\u{1F600}", "\\u0000", { a: [1, null, "x"] }, new Date()])(
  "%j is storable",
  (value) => expect(holdsUnstorableText(value)).toBe(false),
);

it("looks into values of any depth", () => {
  let deep: unknown = "\u0000";
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(holdsUnstorableText(deep)).toBe(true);
});

it("finds NUL in an address, and not a percent sign that is encoded itself", () => {
  expect(["/a?b=%00", "/%00", "/a%2500"].map(hasEncodedNul)).toEqual([true, true, false]);
});
