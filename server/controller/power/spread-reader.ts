// Reads something of many hosts' BMCs, slowly and spread: one schedule, a list that is renewed, and never a host that a controller holds. What is read,
// and what becomes of it, is its user's.
import { ReadingSchedule } from "@/server/controller/power/schedule";

export interface SpreadReading<Row> {
  /** Maximum age of a reading; 0: nothing is read. */
  readonly everyMs: number;
  /** A reading that was not good is repeated after this share of the interval; left out: later than others. */
  readonly againShare?: number;
  /** Share of the interval after which the list of hosts is read again. */
  readonly listShare: number;
  readonly maxTickMs: number;
  /** Maximum concurrent readings; at most one per host. */
  readonly maxUnderWay: number;
  /** Stores what was read since the last pass. If that fails, the next pass tries again. */
  readonly store: () => Promise<void>;
  /** The hosts to read, the longest unread first. Empty in a process that does not read. */
  readonly hosts: () => Promise<readonly string[]>;
  /** Those of the hosts to read that somebody waits for: they are read before others. Left out: nobody does. */
  readonly wanted?: () => Promise<readonly string[]>;
  /** Those that may be read now. */
  readonly targets: (hostIds: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** Whether a host that may not be read now is as good as read. */
  readonly isHeldGood: boolean;
  /** Whether the reading was good. */
  readonly read: (row: Row, hostId: string) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

export class SpreadReader<Row> {
  readonly #options: SpreadReading<Row>;
  readonly #schedule: ReadingSchedule;
  readonly #tickMs: number;
  #listedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  #tick: Promise<void> | null = null;

  constructor(options: SpreadReading<Row>) {
    this.#options = options;
    this.#schedule = new ReadingSchedule(options.everyMs, options.againShare);
    this.#tickMs = Math.min(options.maxTickMs, options.everyMs / 20);
  }

  start(): void {
    if (this.#options.everyMs > 0) this.#every(this.#tickMs, () => this.#pass());
  }

  #every(ms: number, work: () => Promise<void>): void {
    this.#timer = setInterval(() => {
      this.#tick ??= work()
        .catch(this.#options.onError)
        .finally(() => {
          this.#tick = null;
        });
    }, ms);
  }

  /** Readings in progress end by themselves; what they bring is dropped. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#tick;
  }

  async #pass(): Promise<void> {
    const { everyMs, listShare, maxUnderWay, store, hosts, wanted } = this.#options;
    await store();
    const now = performance.now();
    if (now - this.#listedAt >= everyMs * listShare) {
      this.#schedule.keep(await hosts());
      this.#listedAt = now;
    }
    if (wanted !== undefined && this.#schedule.size > 0) this.#schedule.hurry(await wanted());
    const taken = this.#schedule.take(now, this.#tickMs, maxUnderWay - this.#schedule.underWay);
    if (taken.length > 0) await this.#begin(taken);
  }

  async #begin(taken: readonly string[]): Promise<void> {
    const { targets: find, isHeldGood, onError } = this.#options;
    const targets = await find(taken).catch((error: unknown) => {
      onError(error);
      return null;
    });
    for (const hostId of taken) {
      const row = targets?.get(hostId);
      if (row === undefined) this.#schedule.ended(hostId, performance.now(), isHeldGood);
      else void this.#read(row, hostId);
    }
  }

  async #read(row: Row, hostId: string): Promise<void> {
    const good = await this.#options.read(row, hostId).catch((error: unknown) => {
      this.#options.onError(error);
      return false;
    });
    this.#schedule.ended(hostId, performance.now(), good);
  }
}
