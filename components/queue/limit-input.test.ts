// What may be written into the fields of a site's limits.
import { expect, test } from "vitest";
import { limitsSchema, textsOf } from "@/components/queue/limit-input";

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
