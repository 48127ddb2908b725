// What is wrong with a record.
import { expect, it } from "vitest";
import { isSerial, recordRefusal } from "@/server/domain/assurance/procedures/record";
import type { RecordedWork } from "@/server/domain/assurance/procedures/record";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";

const at = (ms: number) => new Date(ms);
const work: RecordedWork = {
  version: 1,
  doneFrom: at(1_000),
  doneUntil: at(2_000),
  answers: [true, "14"],
  ticket: null,
  files: [],
};
const asks = testProcedure({ evidence: ["photo", "ticket"] });
const photo = { sha256: "a", shows: "photo" };
const told = (changes: Partial<RecordedWork>, procedure = testProcedure()) =>
  recordRefusal(procedure, { ...work, ...changes }, { sinceMs: 1_000, nowMs: 2_000 })?.reason ?? null;

it("takes one that is complete", () => {
  expect(told({})).toBeNull();
  expect(told({ files: [photo], ticket: "T-1" }, asks)).toBeNull();
});

it.each([
  ["of another version", { version: 2 }, "version 1 now"],
  ["with an answer too few", { answers: [true] }, "2 items"],
  ["with a point that is not ticked", { answers: [false, "14"] }, "Both cords out"],
  ["with a value that is missing", { answers: [true, " "] }, "Minutes without AC"],
  ["with a tick in place of a value", { answers: [true, true] }, "Minutes without AC"],
  ["that ended before it began", { doneUntil: at(999) }, "before the start"],
  ["of the future", { doneUntil: at(2_000 + 301_000) }, "in the future"],
  ["of work before the reclamation", { doneFrom: at(999) }, "Do it again"],
])("refuses one %s", (_what, changes, words) => expect(told(changes)).toContain(words));

it("asks for the evidence that the procedure needs", () => {
  expect(told({ ticket: "T-1" }, asks)).toContain("a photo");
  expect(told({ ticket: "T-1", files: [{ sha256: "a", shows: "log" }] }, asks)).toContain("a photo");
  expect(told({ files: [photo] }, asks)).toContain("a ticket");
});

it("takes the host's own serial number and no other", () => {
  expect(isSerial(" 3cj9pv3", "3CJ9PV3")).toBe(true);
  expect(isSerial("3CJ9PV4", "3CJ9PV3")).toBe(false);
  expect(isSerial("", "")).toBe(false);
  expect(isSerial("x", null)).toBe(false);
});
