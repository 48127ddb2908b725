// A cache of values that may be slightly stale: read once for all callers within a short time, and never twice concurrently.
import type { Database } from "@/server/db/prisma";
import { perProcess } from "@/server/process/process-state";

interface Entry<V> {
  readonly value: Promise<V>;
  readonly until: number;
}

export class TimedCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #ttlMs: number;
  readonly #max: number;
  readonly #nowMs: () => number;

  /** @param max number of entries; the oldest is evicted first */
  constructor({
    ttlMs,
    max,
    nowMs = () => performance.now(),
  }: {
    ttlMs: number;
    max: number;
    nowMs?: () => number;
  }) {
    this.#ttlMs = ttlMs;
    this.#max = max;
    this.#nowMs = nowMs;
  }

  /** The cached value, or that of `make`. Failures are not cached. */
  get(key: string, make: () => Promise<V>): Promise<V> {
    const now = this.#nowMs();
    const known = this.#entries.get(key);
    if (known !== undefined && known.until > now) return known.value;
    const value = make();
    const entry = { value, until: now + this.#ttlMs };
    this.#entries.delete(key); // so that it becomes the newest
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#max) break;
      this.#entries.delete(oldest);
    }
    value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/**
 * Declares a cache of this process for each database, because a test process has several.
 * @param name as for `perProcess`
 */
export function perDatabase<V>(
  name: string,
  options: { ttlMs: number; max: number },
): (database: Database) => TimedCache<V> {
  const caches = perProcess(name, () => new WeakMap<Database, TimedCache<V>>());
  return (database) => {
    const known = caches().get(database);
    if (known !== undefined) return known;
    const made = new TimedCache<V>(options);
    caches().set(database, made);
    return made;
  };
}
