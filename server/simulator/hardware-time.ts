// Time as the simulated hardware sees it: real durations divided by the speed of the fleet.

/** From this speed on, hardware takes no time at all; for benchmarks. */
export const instantSpeed = 100_000;

export interface HardwareTime {
  /** True if everything that takes hardware time is over at once. */
  readonly instant: boolean;
  /** Real milliseconds for a hardware duration. */
  scaled(hardwareMs: number): number;
  /** Monotonic, real milliseconds. */
  now(): number;
  /** Returns early, without an error, when the signal aborts. */
  wait(hardwareMs: number, signal?: AbortSignal): Promise<void>;
}

/** Abort reason when something else starts. A single instance, because nobody reads it and each new error costs a stack trace. */
export const isOver = new Error("something else began");

/** Returns early, without an error, when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** A shorter wait would only cost a timer. */
const shortestMs = 1;

export function hardwareTime(speed: number): HardwareTime {
  const instant = speed >= instantSpeed;
  const scaled = (hardwareMs: number) => (instant ? 0 : hardwareMs / speed);
  return {
    instant,
    scaled,
    now: () => performance.now(),
    wait: (hardwareMs, signal) => {
      const ms = scaled(hardwareMs);
      return ms < shortestMs ? new Promise((resolve) => setImmediate(resolve)) : sleep(ms, signal);
    },
  };
}
