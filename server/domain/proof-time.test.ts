// A time that proves something has its day and its zone, also today.
import { expect, it } from "vitest";
import { formatProofTime } from "@/server/domain/proof-time";

it.each([
  ["UTC", "28 Nov 2026, 15:26:15 UTC"],
  ["Europe/Berlin", "28 Nov 2026, 16:26:15 CET"],
  ["America/New_York", "28 Nov 2026, 10:26:15 GMT-5"],
])("in %s", (zone, text) => {
  expect(formatProofTime(new Date("2026-11-28T15:26:15.900Z"), zone)).toBe(text);
});
