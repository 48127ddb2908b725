// A burst passes, a loop does not, and one person's loop does not affect another's.
import { describe, expect, it } from "vitest";
import { RateLimit } from "@/server/surfaces/http/rate-limit";

const take = (limit: RateLimit, key: string, times: number, atMs: number) =>
  Array.from({ length: times }, () => limit.take(key, atMs)).filter(Boolean).length;

describe("a rate limit", () => {
  it("lets a burst pass, and then what its rate allows", () => {
    const limit = new RateLimit({ burst: 10, perSecond: 5, most: 100 });
    expect(take(limit, "a", 20, 0)).toBe(10);
    expect(take(limit, "a", 20, 1000)).toBe(5);
    expect(take(limit, "a", 20, 100_000)).toBe(10);
  });
  it("counts each for itself", () => {
    const limit = new RateLimit({ burst: 2, perSecond: 1, most: 100 });
    expect(take(limit, "a", 5, 0)).toBe(2);
    expect(take(limit, "b", 5, 0)).toBe(2);
  });
  it("remembers no more than it should", () => {
    const limit = new RateLimit({ burst: 1, perSecond: 0.001, most: 2 });
    for (const key of ["a", "b", "c"]) limit.take(key, 0);
    expect(limit.take("a", 0)).toBe(true);
    expect(limit.take("c", 0)).toBe(false);
  });
});
