// Labels of neighbouring bars never overlap.
import { expect, it } from "vitest";
import { labelPlaces } from "@/components/ui/charts/label-places";

it("stand in the bar, after it, before it, or nowhere", () => {
  expect(labelPlaces([{ start: 0, end: 0.5, needed: 0.2 }])).toEqual(["in"]);
  expect(labelPlaces([{ start: 0, end: 0.5, needed: 0.2, beside: true }])).toEqual(["after"]);
  expect(labelPlaces([{ start: 0.8, end: 0.9, needed: 0.2 }])).toEqual(["before"]);
  expect(labelPlaces([{ start: 0.1, end: 0.9, needed: 0.85 }])).toEqual(["none"]);
});
it("share the room between two bars only where both fit", () => {
  const first = { start: 0.1, end: 0.11, needed: 0.3 };
  expect(labelPlaces([first, { start: 0.5, end: 0.99, needed: 0.5 }])).toEqual(["after", "none"]);
  expect(labelPlaces([first, { start: 0.8, end: 0.99, needed: 0.3 }])).toEqual(["after", "before"]);
});
