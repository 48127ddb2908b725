// A cached value is read once within its time, for everybody who asks.
import { describe, expect, it } from "vitest";
import { TimedCache } from "@/server/usecases/timed-cache";

function setUp(max = 10) {
  let nowMs = 0;
  let made = 0;
  const cache = new TimedCache<number>({ ttlMs: 100, max, nowMs: () => nowMs });
  const make = () => Promise.resolve((made += 1));
  return { cache, make, made: () => made, pass: (ms: number) => (nowMs += ms) };
}

describe("a timed cache", () => {
  it("makes a value once for all who ask at once", async () => {
    const { cache, make } = setUp();
    expect(await Promise.all([cache.get("a", make), cache.get("a", make)])).toEqual([1, 1]);
  });
  it("makes it again when its time is over", async () => {
    const { cache, make, pass } = setUp();
    await cache.get("a", make);
    pass(99);
    expect(await cache.get("a", make)).toBe(1);
    pass(1);
    expect(await cache.get("a", make)).toBe(2);
  });
  it("does not keep a failure", async () => {
    const { cache, make } = setUp();
    await expect(cache.get("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await cache.get("a", make)).toBe(1);
  });
  it("lets the oldest go when it is full", async () => {
    const { cache, make, made } = setUp(2);
    for (const key of ["a", "b", "c", "a"]) await cache.get(key, make);
    expect(made()).toBe(4);
  });
});
