// Where vendors differ in what the standard leaves open. Everything else is the same code for all.

export interface VendorProfile {
  /** Name of the hardware type, as hosts carry it. */
  readonly name: string;
  /** Does this id of a firmware inventory stand for what runs now, rather than for a backup or an earlier version? */
  readonly firmwareInForce: (id: string) => boolean;
}

/** A BMC that keeps to the standard. */
export const genericProfile: VendorProfile = { name: "redfish", firmwareInForce: () => true };
