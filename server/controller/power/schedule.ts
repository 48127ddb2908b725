// When the power of which host is read next, so that the readings are spread over the time in which one becomes old. In memory of the one process that reads.

/** Of the time that a reading may become old: then it is due. What is left is for those that wait their turn. */
const dueShare = 0.75;
/** Of the time until a reading is due the whole fleet can be read in, so that the readings are spread over it and none piles up. */
const spreadShare = 0.8;
/** A BMC that did not answer is asked less often: after so many times the time that a reading may become old. */
const silentShare = 3;

export class ReadingSchedule {
  readonly #everyMs: number;
  /** When each host is due; the longest overdue first, as far as a map in order of insertion tells it. */
  readonly #dueAt = new Map<string, number>();
  readonly #underWay = new Set<string>();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** The hosts that are to be read from now on: those that are new are due at once, and those that are gone are forgotten. */
  keep(hostIds: readonly string[]): void {
    const kept = new Set(hostIds);
    for (const hostId of this.#dueAt.keys()) if (!kept.has(hostId)) this.#dueAt.delete(hostId);
    for (const hostId of hostIds) if (!this.#dueAt.has(hostId)) this.#dueAt.set(hostId, 0);
  }

  /** Takes hosts that are due: at most `most`, and no more than the share of the fleet that falls on a tick. */
  take(now: number, tickMs: number, most: number): readonly string[] {
    const share = Math.ceil((this.#dueAt.size * tickMs) / (this.#everyMs * dueShare * spreadShare));
    const limit = Math.min(most, share);
    const taken: string[] = [];
    for (const [hostId, dueAt] of this.#dueAt) {
      if (taken.length >= limit) break;
      if (dueAt <= now && !this.#underWay.has(hostId)) taken.push(hostId);
    }
    for (const hostId of taken) {
      this.#underWay.add(hostId);
      this.#next(hostId, now + this.#everyMs * dueShare);
    }
    return taken;
  }

  /** A reading is over. */
  ended(hostId: string, now: number, answered: boolean): void {
    this.#underWay.delete(hostId);
    if (!answered && this.#dueAt.has(hostId)) this.#next(hostId, now + this.#everyMs * silentShare);
  }

  #next(hostId: string, dueAt: number): void {
    this.#dueAt.delete(hostId);
    this.#dueAt.set(hostId, dueAt);
  }
}
