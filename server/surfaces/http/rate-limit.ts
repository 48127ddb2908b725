// Rate limit by key, such as a person, a tenant or an address: far above what people do, and far below what a loop does.

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface RateLimitOptions {
  /** Allowed at once after a rest. */
  readonly burst: number;
  readonly perSecond: number;
  /** How many keys to remember. The one that was quiet longest is forgotten first. */
  readonly most: number;
}

/** A token bucket per key, in this process. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #options: RateLimitOptions;

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Whether one more is allowed now. */
  take(key: string, nowMs: number): boolean {
    const { burst, perSecond, most } = this.#options;
    const known = this.#buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const tokens = Math.min(burst, known.tokens + ((nowMs - known.atMs) / 1000) * perSecond);
    const allowed = tokens >= 1;
    this.#buckets.delete(key); // so that it becomes the newest
    this.#buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > most && oldest !== undefined) this.#buckets.delete(oldest);
    return allowed;
  }
}
