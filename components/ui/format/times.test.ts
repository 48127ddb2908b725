// Times in the viewer's zone: the day is shown only if it is not today, the year only if it is not this year.
import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatClockSeconds,
  formatDay,
  formatMoment,
  formatUtc,
} from "@/components/ui/format/times";

const at = new Date("2026-11-22T23:30:05Z");

describe("times", () => {
  it("are in the viewer's zone", () => {
    expect(formatClock(at, "UTC")).toBe("23:30");
    expect(formatClock(at, "Europe/Berlin")).toBe("00:30");
    expect(formatClockSeconds(at, "Asia/Kolkata")).toBe("05:00:05");
    expect(formatDay(at, "America/New_York")).toBe("22 Nov");
    expect(formatDay(at, "Europe/Berlin")).toBe("23 Nov");
  });
  it.each([
    ["2026-11-22T23:59:00Z", "UTC", "23:30:05"],
    ["2026-11-23T00:10:00Z", "UTC", "22 Nov, 23:30:05"],
    ["2026-11-23T00:10:00Z", "Europe/Berlin", "00:30:05"],
    ["2027-01-01T00:10:00Z", "UTC", "22 Nov 2026, 23:30:05"],
  ])("read at %s in %s", (now, zone, words) => expect(formatMoment(at, Date.parse(now), zone)).toBe(words));
  it("take the year from the zone, too", () =>
    expect(
      formatMoment(new Date("2025-12-31T23:30:00Z"), Date.parse("2026-01-01T10:00:00Z"), "Europe/Berlin"),
    ).toBe("00:30:00"));
  it("are exact in UTC", () => expect(formatUtc(at)).toBe("2026-11-22 23:30:05 UTC"));
});
