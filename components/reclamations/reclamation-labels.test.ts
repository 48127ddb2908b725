// What a reclamation is called.
import { expect, test } from "vitest";
import { isManual, reclamationKindLabel } from "@/components/reclamations/reclamation-labels";

test("the kind of a reclamation reads as words", () => {
  expect(reclamationKindLabel("release")).toBe("release");
  expect(reclamationKindLabel("manualCleaning")).toBe("manual cleaning");
});

test("only a manual cleaning is one", () => {
  expect(isManual({ kind: "manualCleaning" })).toBe(true);
  expect(isManual({ kind: "onboarding" })).toBe(false);
});
