// How many PDFs may be asked for: each takes about a tenth of a second of this process, in one piece, so a tenant must not stop others with them.
import { RateLimit } from "@/server/surfaces/web/rate-limit";

interface Asker {
  readonly personId: string;
  /** Null: the provider's. */
  readonly tenantId: string | null;
}

const everyTenant = "tenants";

/** The PDFs of one process. */
export class PdfBudget {
  readonly #persons = new RateLimit({ burst: 60, perSecond: 2, most: 1_000 });
  readonly #tenants = new RateLimit({ burst: 20, perSecond: 0.5, most: 10_000 });
  /** The tenants together. */
  readonly #all = new RateLimit({ burst: 40, perSecond: 2, most: 1 });

  /** Whether one more may be made now. What a tenant is refused takes nothing from the others. */
  take({ personId, tenantId }: Asker, nowMs: number): boolean {
    return tenantId === null
      ? this.#persons.take(personId, nowMs)
      : this.#tenants.take(tenantId, nowMs) && this.#all.take(everyTenant, nowMs);
  }
}
