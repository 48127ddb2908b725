// A few slots for expensive work. A caller waits if none is free, and is refused at once if too many are waiting.

export interface PlacesOptions {
  readonly atOnce: number;
  /** Maximum length of the queues; priority callers (`isFirst`) have their own, which is served first. */
  readonly waiting: number;
  readonly waitingFirst: number;
}

/** Waits for its turn; false if the caller left the queue before. */
function turnIn(queue: (() => void)[], leaving: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const called = (): void => {
      leaving?.removeEventListener("abort", left);
      resolve(true);
    };
    const left = (): void => {
      queue.splice(queue.indexOf(called), 1);
      resolve(false);
    };
    queue.push(called);
    leaving?.addEventListener("abort", left, { once: true });
  });
}

export class Places {
  readonly #options: PlacesOptions;
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #busy = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Waits for a slot and returns a function that releases it; null if too many are waiting, or if `leaving` was aborted before a slot was free. */
  async enter(isFirst: boolean, leaving?: AbortSignal): Promise<(() => void) | null> {
    if (leaving?.aborted === true) return null;
    const { atOnce, waiting, waitingFirst } = this.#options;
    if (this.#busy >= atOnce) {
      const queue = isFirst ? this.#first : this.#others;
      if (queue.length >= (isFirst ? waitingFirst : waiting)) return null;
      if (!(await turnIn(queue, leaving))) return null; // the call hands over the slot
    } else this.#busy += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#first.shift() ?? this.#others.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    };
  }
}
