// Time as the simulated hardware sees it: real durations, divided by the speed of the fleet.

/** From this speed on hardware takes no time at all, for benchmarks. */
export const instantSpeed = 100_000;

export interface HardwareTime {
  /** True when everything that takes hardware time is over at once. */
  readonly instant: boolean;
  /** Real milliseconds for a duration of hardware. */
  scaled(hardwareMs: number): number;
  /** Monotonic, real milliseconds. */
  now(): number;
  /** Ends early, without an error, when the signal fires. */
  wait(hardwareMs: number, signal?: AbortSignal): Promise<void>;
}

/** Why what was under way ends: something else began. One for all, because nobody reads it and each new one costs a stack trace. */
export const isOver = new Error("something else began");

/** Ends early, without an error, when the signal fires. */
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

/** Below this the wait would only cost a timer. */
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
