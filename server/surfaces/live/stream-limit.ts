// How many live streams one person may hold open. A browser needs one, whatever the number of its tabs.

export const streamsPerPerson = 20;

/** Counts the open streams of each person in this process. */
export class StreamLimit {
  readonly #open = new Map<string, number>();

  /** Returns a function that frees the place, once; null if the person already has the maximum. */
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
