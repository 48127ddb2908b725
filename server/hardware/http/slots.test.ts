// The lock that limits concurrent requests to a BMC.
import { describe, expect, it } from "vitest";
import { Slots } from "@/server/hardware/http/slots";

describe("Slots", () => {
  it("gives the lowest free slot, and the next to who waits longest", async () => {
    const slots = new Slots(2);
    expect([slots.acquire(0), slots.acquire(0), slots.acquire(0)]).toEqual([0, 1, null]);
    const order: string[] = [];
    const first = Promise.resolve(slots.acquire(1_000)).then((slot) => order.push(`first ${String(slot)}`));
    const second = Promise.resolve(slots.acquire(1_000)).then((slot) => order.push(`second ${String(slot)}`));
    slots.release(1);
    await first;
    slots.release(0);
    await second;
    expect(order).toEqual(["first 1", "second 0"]);
    slots.release(1);
    slots.release(0);
    expect(slots.acquire(0)).toBe(0);
  });

  it("gives nothing to who stopped waiting", async () => {
    const slots = new Slots(1);
    expect(slots.acquire(0)).toBe(0);
    const stop = new AbortController();
    const late = slots.acquire(10);
    const stopped = slots.acquire(1_000, stop.signal);
    stop.abort();
    expect(await late).toBeNull();
    expect(await stopped).toBeNull();
    expect(await slots.acquire(1_000, stop.signal)).toBeNull();
    slots.release(0);
    expect(slots.acquire(0)).toBe(0);
  });
});
