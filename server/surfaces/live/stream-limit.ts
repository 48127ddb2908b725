// How many live streams one person may hold open: a browser needs one, whatever its tabs.

export const streamsPerPerson = 20;

/** Counts the open streams of each person in this process. */
export class StreamLimit {
  readonly #open = new Map<string, number>();

  /** Returns what gives the place back, once; null when the person has as many as it may. */
  enter(personId: string): (() => void) | null {
    const open = this.#open.get(personId) ?? 0;
    if (open >= streamsPerPerson) return null;
    this.#open.set(personId, open + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (this.#open.get(personId) ?? 1) - 1;
      if (now === 0) this.#open.delete(personId);
      else this.#open.set(personId, now);
    };
  }
}
