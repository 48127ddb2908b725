// Expiry dates are grouped by week in the viewer's time zone.
import { expect, it } from "vitest";
import { formatWeek } from "@/components/assurance/calendar/weeks";

const now = Date.parse("2026-11-20T12:00:00Z");
const words = (at: string, zone = "UTC") => formatWeek(new Date(at), now, zone);

it.each([
  ["2026-11-16T00:00:00Z", "This week, 16 Nov to 22 Nov"],
  ["2026-11-22T23:59:59Z", "This week, 16 Nov to 22 Nov"],
  ["2026-11-23T00:00:00Z", "Next week, 23 Nov to 29 Nov"],
  ["2026-12-01T00:00:00Z", "30 Nov to 6 Dec"],
  ["2026-12-31T00:00:00Z", "28 Dec to 3 Jan 2027"],
  ["2027-11-16T00:00:00Z", "15 Nov to 21 Nov 2027"],
])("%s is in the week %s", (at, week) => expect(words(at)).toBe(week));

it("takes the day of the viewer's zone", () => {
  expect(words("2026-11-22T23:30:00Z", "Europe/Berlin")).toBe("Next week, 23 Nov to 29 Nov");
  expect(words("2026-11-23T03:00:00Z", "America/New_York")).toBe("This week, 16 Nov to 22 Nov");
});
