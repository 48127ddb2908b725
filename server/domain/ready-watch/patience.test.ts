// When a host that waits in Ready is in doubt because its readings failed, or looked changed.
import { expect, it } from "vitest";
import { isTooLong, oneMore } from "@/server/domain/ready-watch/patience";

const everyMs = 1_000;

it("a BMC that is silent for two intervals puts its host in doubt, and not before", () => {
  const first = oneMore(undefined, false, 0);
  expect(isTooLong(first, 0, everyMs)).toBe(false);
  const later = oneMore(first, false, 1_999);
  expect(isTooLong(later, 1_999, everyMs)).toBe(false);
  expect(isTooLong(oneMore(later, false, 2_000), 2_000, everyMs)).toBe(true);
});

it("a host that looks changed is in doubt when it still does", () => {
  const first = oneMore(undefined, true, 0);
  expect(isTooLong(first, 0, everyMs)).toBe(false);
  expect(isTooLong(oneMore(first, true, 1), 1, everyMs)).toBe(true);
});

it("begins anew when silence follows a difference", () => {
  const silent = oneMore(oneMore(undefined, true, 0), false, 5_000);
  expect(silent).toEqual({ sinceMs: 5_000, times: 1, looked: false });
  expect(isTooLong(silent, 5_000, everyMs)).toBe(false);
});
