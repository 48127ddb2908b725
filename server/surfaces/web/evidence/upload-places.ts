// Limits concurrent uploads per process: each may hold a whole file in memory, and slow uploads must not block those of others.

interface Sender {
  readonly personId: string;
  /** Null: the provider's person. */
  readonly tenantId: string | null;
}

const most = 4;
const maxOfTenants = 3;
const maxOfOne = 2;

export class UploadPlaces {
  readonly #taken = new Set<Sender>();

  /** Returns a function that frees the place; null: there is none for this sender now. */
  take({ personId, tenantId }: Sender): (() => void) | null {
    const taken = [...this.#taken];
    const full =
      taken.length >= most ||
      taken.filter((other) => other.personId === personId).length >= maxOfOne ||
      (tenantId !== null &&
        (taken.filter((other) => other.tenantId !== null).length >= maxOfTenants ||
          taken.filter((other) => other.tenantId === tenantId).length >= maxOfOne));
    if (full) return null;
    const place = { personId, tenantId };
    this.#taken.add(place);
    return () => void this.#taken.delete(place);
  }
}
