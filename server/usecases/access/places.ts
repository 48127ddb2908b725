// A few places for costly work: who finds none waits, and who finds too many waiting is refused at once, before any work.

export interface PlacesOptions {
  readonly atOnce: number;
  /** How many may wait; those who come first (`isFirst`) have a queue of their own, which is served before. */
  readonly waiting: number;
  readonly waitingFirst: number;
}

export class Places {
  readonly #options: PlacesOptions;
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #busy = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Waits for a place. Returns what gives it back; null when too many wait already. */
  async enter(isFirst: boolean): Promise<(() => void) | null> {
    const { atOnce, waiting, waitingFirst } = this.#options;
    if (this.#busy >= atOnce) {
      const queue = isFirst ? this.#first : this.#others;
      if (queue.length >= (isFirst ? waitingFirst : waiting)) return null;
      await new Promise<void>((resolve) => queue.push(resolve)); // the place is handed on with the call
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
