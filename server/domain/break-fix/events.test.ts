import { expect, it } from "vitest";
import { isGivenUp } from "@/server/domain/break-fix/events";

it("gives a receiver up after three days and twenty attempts, not after three days in which Reclaim did not run", () => {
  const friday = new Date("2026-11-20T12:00:00Z");
  const days = (count: number) => new Date(friday.getTime() + count * 86_400_000);
  expect(isGivenUp(friday, 2, days(4))).toBe(false);
  expect(isGivenUp(friday, 20, days(2.9))).toBe(false);
  expect(isGivenUp(friday, 20, days(3))).toBe(true);
});
