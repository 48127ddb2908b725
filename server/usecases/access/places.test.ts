// Limited concurrency: priority callers go first, and every waiting caller gets an answer.
import { describe, expect, it } from "vitest";
import { Places } from "@/server/usecases/access/places";

const few = () => new Places({ atOnce: 2, waiting: 2, waitingFirst: 3 });

describe("places", () => {
  it("are few; who cannot wait is told so at once", async () => {
    const places = few();
    const [first] = [await places.enter(false), await places.enter(false)];
    const waiting = [places.enter(false), places.enter(false)];
    expect(await places.enter(false)).toBeNull();
    first?.();
    first?.(); // releasing a slot twice has no effect
    const leave = await waiting[0];
    expect(leave).toBeTypeOf("function");
    leave?.();
    expect(await waiting[1]).toBeTypeOf("function");
  });
  it("are not kept for who left the queue, whose turn is free", async () => {
    const places = few();
    const leaving = new AbortController();
    const [first] = [await places.enter(false), await places.enter(false)];
    const left = places.enter(false, leaving.signal);
    const second = places.enter(false);
    expect(await places.enter(false)).toBeNull();
    leaving.abort();
    expect(await left).toBeNull();
    const third = places.enter(false);
    first?.();
    (await second)?.();
    expect(await third).toBeTypeOf("function");
    expect(await places.enter(true, leaving.signal)).toBeNull();
  });
  it("go to those who come first, whose queue the others cannot fill", async () => {
    const places = few();
    const [first] = [await places.enter(false), await places.enter(false)];
    const order: string[] = [];
    const others = [places.enter(false), places.enter(false)].map((entry) =>
      entry.then((leave) => [order.push("other"), leave?.()]),
    );
    const own = places.enter(true).then((leave) => [order.push("first"), leave?.()]);
    first?.();
    await Promise.all([own, ...others]);
    expect(order).toEqual(["first", "other", "other"]);
  });
});
