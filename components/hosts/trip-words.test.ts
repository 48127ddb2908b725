// What a trip is called, and how its two clocks are told.
import { expect, test } from "vitest";
import { isManual, tripKindWords } from "@/components/hosts/trip-words";

test("the kind of a trip reads as words", () => {
  expect(tripKindWords("release")).toBe("release");
  expect(tripKindWords("manualCleaning")).toBe("manual cleaning");
});

test("only a manual cleaning is one", () => {
  expect(isManual({ kind: "manualCleaning" })).toBe(true);
  expect(isManual({ kind: "onboarding" })).toBe(false);
});
