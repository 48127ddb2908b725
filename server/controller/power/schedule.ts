// When each host's power is read next, spread over the maximum age of a reading. Kept in the memory of the one process that reads.

/** A reading is due after this share of its maximum age; the rest is for hosts that wait their turn. */
const dueShare = 0.75;
/** The whole fleet can be read within this share of the time until a reading is due, which spreads readings without a backlog. */
const spreadShare = 0.8;
/** A BMC that did not answer is read less often: after this many times the maximum age of a reading. */
const silentShare = 3;

export class ReadingSchedule {
  readonly #everyMs: number;
  readonly #againShare: number;
  /** When each host is due. Insertion order puts the longest overdue first, approximately. */
  readonly #dueAt = new Map<string, number>();
  readonly #underWay = new Set<string>();
  /** Those that come first. */
  #hurried: readonly string[] = [];

  /** `againShare`: a BMC that did not answer is read again after this many times the maximum age of a reading. */
  constructor(everyMs: number, againShare = silentShare) {
    this.#everyMs = everyMs;
    this.#againShare = againShare;
  }

  /** How many hosts there are to read. */
  get size(): number {
    return this.#dueAt.size;
  }

  /** Sets the hosts that are taken first, due or not; those that are not to be read are passed over. */
  hurry(hostIds: readonly string[]): void {
    this.#hurried = hostIds.filter((hostId) => this.#dueAt.has(hostId));
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** Sets the hosts to read: new ones are due at once, and missing ones are forgotten. */
  keep(hostIds: readonly string[]): void {
    const kept = new Set(hostIds);
    for (const hostId of this.#dueAt.keys()) if (!kept.has(hostId)) this.#dueAt.delete(hostId);
    for (const hostId of hostIds) if (!this.#dueAt.has(hostId)) this.#dueAt.set(hostId, 0);
  }

  /** Takes hurried hosts, at most half of `most`, and due ones: at most `most` in all, and no more than one tick's share of the fleet. */
  take(now: number, tickMs: number, most: number): readonly string[] {
    const share = Math.ceil((this.#dueAt.size * tickMs) / (this.#everyMs * dueShare * spreadShare));
    const taken: string[] = this.#hurried
      .filter((hostId) => !this.#underWay.has(hostId))
      .slice(0, Math.ceil(most / 2));
    const limit = Math.min(most, share + taken.length);
    for (const [hostId, dueAt] of this.#dueAt) {
      if (taken.length >= limit) break;
      if (dueAt <= now && !this.#underWay.has(hostId) && !taken.includes(hostId)) taken.push(hostId);
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
    if (!answered && this.#dueAt.has(hostId)) this.#next(hostId, now + this.#everyMs * this.#againShare);
  }

  #next(hostId: string, dueAt: number): void {
    this.#dueAt.delete(hostId);
    this.#dueAt.set(hostId, dueAt);
  }
}
