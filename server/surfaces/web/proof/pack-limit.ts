// Limits packs: each reads up to 10,000 certificates, so few are made at once, and none often by one person or tenant.
import { RateLimit } from "@/server/surfaces/http/rate-limit";

interface Asker {
  readonly personId: string;
  /** Null: the provider's person. */
  readonly tenantId: string | null;
}

const mostAtOnce = 4;

/** The limits of one process. */
export class PackLimit {
  readonly #rate = new RateLimit({ burst: 6, perSecond: 0.1, most: 10_000 });
  readonly #open = new Set<string>();

  /** Returns what ends it; null: not now. One at a time per tenant, or per person of the provider. */
  begin({ personId, tenantId }: Asker, nowMs: number): (() => void) | null {
    const key = tenantId ?? personId;
    if (this.#open.has(key) || this.#open.size >= mostAtOnce || !this.#rate.take(key, nowMs)) return null;
    this.#open.add(key);
    let ended = false;
    return () => {
      if (!ended) this.#open.delete(key);
      ended = true;
    };
  }
}
