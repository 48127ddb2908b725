// Limits concurrent uploads per process: each may hold a whole file in memory, and slow uploads must not block those of others.

interface Sender {
  readonly personId: string;
  /** Null: the provider's person. */
  readonly tenantId: string | null;
}

const most = 4;
const mostOfTenants = 3;
const mostOfOne = 2;

export class UploadPlaces {
  readonly #taken = new Set<Sender>();

  /** Returns a function that frees the place; null: there is none for this sender now. */
  take({ personId, tenantId }: Sender): (() => void) | null {
    const taken = [...this.#taken];
    const full =
      taken.length >= most ||
      taken.filter((other) => other.personId === personId).length >= mostOfOne ||
      (tenantId !== null &&
        (taken.filter((other) => other.tenantId !== null).length >= mostOfTenants ||
          taken.filter((other) => other.tenantId === tenantId).length >= mostOfOne));
    if (full) return null;
    const place = { personId, tenantId };
    this.#taken.add(place);
    return () => void this.#taken.delete(place);
  }
}
