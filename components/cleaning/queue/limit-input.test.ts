// Valid input for the fields of a site's limits.
import { expect, test } from "vitest";
import { limitsSchema, placesText, textsOf } from "@/components/cleaning/queue/limit-input";

test.each([
  ["atWork", "", null],
  ["atWork", " 40 ", 40],
  ["atWork", "0", undefined],
  ["tenantReleasesPerHour", "0", 0],
  ["bootsPerMinute", "1.5", undefined],
  ["bootsPerMinute", "-3", undefined],
  ["perPowerDomain", "1e3", undefined],
  ["perPowerDomain", "2000000", undefined],
  ["atWork", "many", undefined],
] as const)("%s of %j", (name, text, value) => {
  const read = limitsSchema.shape.limits.shape[name].safeParse(text);
  expect(read.success ? read.data : undefined).toBe(value);
});

test("no limit is an empty field", () => {
  expect(
    textsOf([
      { name: "atWork", words: "", limit: null, used: 3 },
      { name: "bootsPerMinute", words: "", limit: 20, used: 3 },
    ]),
  ).toEqual({ atWork: "", bootsPerMinute: "20", perPowerDomain: "", tenantReleasesPerHour: "" });
});

test.each([
  ["row-1: 10\n  feed a:4 \n\n", { "row-1": 10, "feed a": 4 }],
  ["", {}],
  ["a:b: 3", { "a:b": 3 }],
  ["row-1", undefined],
  ["row-1: 0", undefined],
  ["row-1: 3\nrow-1: 4", undefined],
  [": 4", undefined],
] as const)("limits of places in %j", (text, value) => {
  const read = limitsSchema.shape.limits.shape.segments.safeParse(text);
  expect(read.success ? read.data : undefined).toEqual(value);
});

test("what is written for places reads as the same", () => {
  const text = placesText([
    { place: "row-1", limit: 10 },
    { place: "row 2", limit: 3 },
  ]);
  expect(limitsSchema.shape.limits.shape.powerDomains.parse(text)).toEqual({ "row-1": 10, "row 2": 3 });
});
