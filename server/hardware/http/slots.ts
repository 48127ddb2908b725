// Numbered slots, first come, first served. A waiter gives up after its timeout.

/** A counting lock. BMCs are slow and answer few requests at once, so the client holds back instead of making them drop connections. */
export class Slots {
  readonly #taken: boolean[];
  readonly #waiting = new Set<(slot: number | null) => void>();

  constructor(count: number) {
    this.#taken = Array.from({ length: count }, () => false);
  }

  /** The lowest free slot, from 0, which the caller must release; null after a timeout or an abort. */
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
