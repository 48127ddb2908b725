// Rate limit for PDFs: each blocks this process for about a tenth of a second, so a tenant must not hold up others with them.
import { RateLimit } from "@/server/surfaces/http/rate-limit";

interface Asker {
  readonly personId: string;
  /** Null: the provider's person. */
  readonly tenantId: string | null;
}

const everyTenant = "tenants";

/** The limits of one process. */
export class PdfBudget {
  readonly #persons = new RateLimit({ burst: 60, perSecond: 2, most: 1_000 });
  readonly #tenants = new RateLimit({ burst: 20, perSecond: 0.5, most: 10_000 });
  /** All tenants together. */
  readonly #all = new RateLimit({ burst: 40, perSecond: 2, most: 1 });

  /** Whether one more may be made now. A refused request of a tenant takes nothing from the others. */
  take({ personId, tenantId }: Asker, nowMs: number): boolean {
    return tenantId === null
      ? this.#persons.take(personId, nowMs)
      : this.#tenants.take(tenantId, nowMs) && this.#all.take(everyTenant, nowMs);
  }
}
