// An event's facts before and after.
import { expect, it } from "vitest";
import { factRows } from "@/components/audit-log/events/fact-rows";

it("puts what changed first, and tells it from what is only afterwards", () =>
  expect(
    factRows({ state: "Ready", rack: "R1", labels: ["a"] }, { reason: "moved", rack: "R2", state: "Ready" }),
  ).toEqual([
    { name: "rack", before: "R1", after: "R2", changed: true },
    { name: "labels", before: '["a"]', after: null, changed: true },
    { name: "state", before: "Ready", after: "Ready", changed: false },
    { name: "reason", before: null, after: "moved", changed: false },
  ]));

it("takes an event without facts, and facts of any form", () => {
  expect(factRows(null, null)).toEqual([]);
  expect(factRows(undefined, "why")).toEqual([{ name: "value", before: null, after: "why", changed: false }]);
  expect(factRows(null, { count: null })).toEqual([
    { name: "count", before: null, after: "null", changed: false },
  ]);
});
