// Paces what is asked for often and takes time: one run at a time, at most one in `everyMs`, and the last asking is never lost.

/** A run that has not ended after this is not waited for any more: an answer may never come. */
const patienceMs = 30_000;

/** Where nobody asks for this long it runs anyway: a message or an answer may have been lost, and on a quiet site no other follows. */
export const quietMs = 60_000;

export interface Pacer {
  /** Runs at once after a quiet time; while a run is under way or too recent, once more afterwards. */
  ask: () => void;
  /** Nothing runs any more. */
  stop: () => void;
}

/**
 * A run under way is never cut short by the next asking: where each run takes longer than the pause between two
 * askings, none would ever end.
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
    // What fails is said where it is shown; here it has ended.
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
