// Other hosts at the same BMC.
/** Another host whose record has the same BMC address (docs/adr/0069-several-hosts-at-one-bmc.md). */
export interface Neighbour {
  readonly name: string;
  readonly username: string | null;
  /** Its system was found and identified. Otherwise nobody knows whether it exists. */
  readonly verified: boolean;
}
