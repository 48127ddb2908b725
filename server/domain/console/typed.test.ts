// What was typed into the palette: the words of an act, and those of its thing.
import { describe, expect, it } from "vitest";
import { isTyped, typedAct } from "@/server/domain/console/typed";

describe("an act", () => {
  it.each([
    ["retry", "Retry step", { score: 1, target: "" }],
    ["RETRY vela-2940", "Retry step", { score: 1, target: "vela-2940" }],
    ["retry the step of vela-2940", "Retry step", { score: 2, target: "vela-2940" }],
    ["vela-2940 ret", "Retry step", { score: 1, target: "vela-2940" }],
    ["retry all hosts", "Retry step", { score: 1, target: "" }],
    ["end maintenance", "End maintenance, untouched", { score: 2, target: "" }],
    ["power on vela", "Power off", { score: 1, target: "vela" }],
    ["set place r1", "Set maintenance", { score: 1, target: "place r1" }],
  ])("%s, for %s", (typed, words, expected) => {
    expect(typedAct(typed, words)).toEqual(expected);
  });

  it.each([
    ["", "Retry step"],
    ["re", "Retry step"],
    ["vela-2940", "Retry step"],
    ["entry", "Retry step"],
    ["the hosts", "Retry step"],
  ])("%s is not %s", (typed, words) => {
    expect(typedAct(typed, words)).toBeNull();
  });
});

describe("a list", () => {
  it.each([
    ["failed hosts", "Failed", true],
    ["fail", "Failed", true],
    ["need att", "Need attention", true],
    ["hosts", "Failed", false],
    ["failed vela", "Failed", false],
    ["", "Failed", false],
  ])("%s, for %s: %s", (typed, words, expected) => {
    expect(isTyped(typed, words)).toBe(expected);
  });
});
