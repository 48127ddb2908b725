// How a queued host describes its place.
import { expect, test } from "vitest";
import { formatQueue } from "@/components/hosts/one/queue-text";

test("a host with a place is told its place and which limit it meets", () => {
  expect(
    formatQueue({ place: 3, of: 1200, reason: "2 hosts of the site are in progress", braked: false }, "a")
      .words,
  ).toBe("Place 3 of 1,200 in the queue of site a. 2 hosts of the site are in progress.");
});

test("a host that a brake holds back has no place, and is told what to look at", () => {
  const { words, checkNext } = formatQueue(
    { place: null, of: 8, reason: "new starts with model X are paused", braked: true },
    "a",
  );
  expect(words).toBe("Held back by the brake of site a: new starts with model X are paused.");
  expect(checkNext).toContain("lift the brake");
});

test("a host that no place is known of says how many wait", () => {
  expect(
    formatQueue({ place: null, of: 2, reason: "it is about to be checked", braked: false }, "a").words,
  ).toBe("2 wait in the queue of site a. It is about to be checked.");
});
