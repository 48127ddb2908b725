// At most so many at a time, numbered: who waits longest goes first, and nobody waits longer than asked.

/** A counting lock. BMCs answer slowly and few at once, so the client holds back instead of making them drop connections. */
export class Slots {
  readonly #taken: boolean[];
  readonly #waiting = new Set<(slot: number | null) => void>();

  constructor(count: number) {
    this.#taken = Array.from({ length: count }, () => false);
  }

  /** The lowest free slot, from 0, which must be released; null when time ran out or the caller stopped waiting. */
  acquire(timeoutMs: number, signal?: AbortSignal): Promise<number | null> | number | null {
    const free = this.#taken.indexOf(false);
    if (free !== -1) {
      this.#taken[free] = true;
      return free;
    }
    if (timeoutMs <= 0 || signal?.aborted === true) return null;
    return new Promise((resolve) => {
      const settle = (slot: number | null) => {
        this.#waiting.delete(settle);
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        resolve(slot);
      };
      const onAbort = () => settle(null);
      const timer = setTimeout(onAbort, timeoutMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(settle);
    });
  }

  release(slot: number): void {
    const [next] = this.#waiting;
    if (next !== undefined) return next(slot);
    this.#taken[slot] = false;
  }
}
