// Rate-limits a slow operation that is requested often: one run at a time, at most one start per `everyMs`, and the last request always runs.

/** Timeout for a run: its answer may never come. */
const patienceMs = 30_000;

/** Without any request for this long it runs anyway: a message or an answer may have been lost, and on a quiet site none may follow. */
export const quietMs = 60_000;

export interface Pacer {
  /** Runs at once after a quiet time; if a run is in progress or too recent, runs once more afterwards. */
  ask: () => void;
  /** No run starts after this. */
  stop: () => void;
}

/**
 * A new request never cuts a run short: if each run took longer than the interval between two requests, none would
 * ever finish.
 */
export function makePacer(everyMs: number, run: () => unknown): Pacer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startedAt = -Infinity;
  let current: object | undefined;
  let asked = false;
  let stopped = false;

  const start = (): void => {
    timer = undefined;
    asked = false;
    startedAt = performance.now();
    const mine = {};
    current = mine;
    const end = (): void => {
      if (current !== mine) return;
      clearTimeout(patience);
      current = undefined;
      if (asked) ask();
    };
    const patience = setTimeout(end, patienceMs);
    // Errors are shown by whoever made the request; for the pacer, the run has ended.
    Promise.resolve(run()).then(end, end);
  };
  const ask = (): void => {
    asked = true;
    if (stopped || timer !== undefined || current !== undefined) return;
    timer = setTimeout(start, Math.max(0, startedAt + everyMs - performance.now()));
  };
  const anyway = setInterval(ask, quietMs);
  return {
    ask,
    stop: () => {
      stopped = true;
      clearInterval(anyway);
      clearTimeout(timer);
    },
  };
}
