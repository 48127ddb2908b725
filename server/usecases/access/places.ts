// A few places for costly work: who finds none waits, and who finds too many waiting is refused at once, before any work.

export interface PlacesOptions {
  readonly atOnce: number;
  /** How many may wait; those who come first (`isFirst`) have a queue of their own, which is served before. */
  readonly waiting: number;
  readonly waitingFirst: number;
}

/** Waits to be called; false: left the queue before. */
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

  /** Waits for a place. Returns what gives it back; null when too many wait already, or when `leaving` was aborted before a place was free. */
  async enter(isFirst: boolean, leaving?: AbortSignal): Promise<(() => void) | null> {
    if (leaving?.aborted === true) return null;
    const { atOnce, waiting, waitingFirst } = this.#options;
    if (this.#busy >= atOnce) {
      const queue = isFirst ? this.#first : this.#others;
      if (queue.length >= (isFirst ? waitingFirst : waiting)) return null;
      if (!(await turnIn(queue, leaving))) return null; // the place is handed on with the call
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
