// Remembers limits that were reached, and batches the logging of refusals.
import { afterEach, describe, expect, it, vi } from "vitest";
import { SignInGuard } from "@/server/usecases/access/sign-in-guard";

function setUp() {
  let nowMs = 0;
  const guard = new SignInGuard({ atOnce: 2, waiting: 2, waitingFirst: 3, waitMs: 10_000, now: () => nowMs });
  return { guard, pass: (ms: number) => (nowMs += ms) };
}

describe("a sign-in", () => {
  afterEach(() => void vi.useRealTimers());

  it("waits for its place for a limited time, and not at all if too many wait", async () => {
    vi.useFakeTimers();
    const { guard } = setUp();
    const first = await guard.enter(false);
    await guard.enter(false);
    const waiting = [guard.enter(false), guard.enter(false)];
    expect(await guard.enter(false)).toBeNull();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(waiting)).toEqual([null, null]);
    const last = guard.enter(true);
    first?.();
    expect(await last).toBeTypeOf("function");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a limit that was reached", () => {
  it("is remembered for a minute", () => {
    const { guard, pass } = setUp();
    guard.setOver("email:a");
    expect(guard.isOver(["address:b", "email:a"])).toBe(true);
    expect(guard.isOver(["address:b"])).toBe(false);
    pass(60_000);
    expect(guard.isOver(["email:a"])).toBe(false);
  });
});

describe("refusals", () => {
  it("are logged at once, and those of the next minute as one", async () => {
    const { guard, pass } = setUp();
    const logged: number[] = [];
    const log = (attempts: number) => Promise.resolve(void logged.push(attempts));
    for (let count = 0; count < 500; count += 1) await guard.refuse("email:a", log);
    expect(logged).toEqual([1]);
    await guard.flush();
    expect(logged).toEqual([1, 499]);
    pass(60_000);
    await guard.refuse("email:a", log);
    expect(logged).toEqual([1, 499, 1]);
  });
  it("of many kinds are logged one by one up to a number, and the others as one", async () => {
    const { guard } = setUp();
    const logged: number[] = [];
    for (let count = 0; count < 500; count += 1)
      await guard.refuse(`wrong:${count}`, (attempts) => Promise.resolve(void logged.push(attempts)));
    await guard.flush();
    expect(logged).toEqual([...Array<number>(60).fill(1), 440]);
  });
});
