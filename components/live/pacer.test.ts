// Pacing: no request is lost, and no run is cut short.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makePacer, quietMs } from "@/components/live/pacer";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Runs that take `ms` each; counts starts and ends. */
function runs(ms: number) {
  const counted = { begun: 0, ended: 0, atATime: 0, most: 0 };
  const run = async (): Promise<void> => {
    counted.begun += 1;
    counted.most = Math.max(counted.most, (counted.atATime += 1));
    await new Promise((resolve) => setTimeout(resolve, ms));
    counted.atATime -= 1;
    counted.ended += 1;
  };
  return { counted, run };
}

it("runs at once after a quiet time, and then once in its time however often it is asked", async () => {
  const { counted, run } = runs(10);
  const pacer = makePacer(1_000, run);
  for (let turn = 0; turn < 35; turn += 1) {
    pacer.ask();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(counted.begun).toBe(4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(counted.begun).toBe(5);
});

it("lets a run end that takes longer than the askings are apart, and runs once more for what was asked meanwhile", async () => {
  const { counted, run } = runs(5_000);
  const pacer = makePacer(1_000, run);
  for (let turn = 0; turn < 100; turn += 1) {
    pacer.ask();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(counted).toMatchObject({ most: 1, ended: 1, begun: 2 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(counted).toMatchObject({ begun: 3, ended: 3 });
});

it("goes on after a run that failed, and after one that never ends", async () => {
  let begun = 0;
  const pacer = makePacer(1_000, () => {
    begun += 1;
    return begun === 1 ? Promise.reject(new Error("no answer")) : new Promise(() => undefined);
  });
  pacer.ask();
  await vi.advanceTimersByTimeAsync(100);
  pacer.ask();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(begun).toBe(2);
  pacer.ask();
  await vi.advanceTimersByTimeAsync(28_000);
  expect(begun).toBe(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(begun).toBe(3);
});

it("runs nothing any more when it was stopped", async () => {
  const { counted, run } = runs(500);
  const pacer = makePacer(1_000, run);
  pacer.ask();
  await vi.advanceTimersByTimeAsync(100);
  pacer.ask();
  pacer.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(counted.begun).toBe(1);
});

it("runs once in a long while though nobody asks, until it is stopped", async () => {
  const { counted, run } = runs(10);
  const pacer = makePacer(1_000, run);
  await vi.advanceTimersByTimeAsync(quietMs + 2_000);
  expect(counted.ended).toBe(1);
  await vi.advanceTimersByTimeAsync(quietMs);
  expect(counted.ended).toBe(2);
  pacer.stop();
  await vi.advanceTimersByTimeAsync(3 * quietMs);
  expect(counted.begun).toBe(2);
});
