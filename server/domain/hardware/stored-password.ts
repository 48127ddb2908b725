// Where the stored password of a BMC may go.

interface StoredBmc {
  readonly address: string | null;
  readonly hasPassword: boolean;
}

interface BmcChange {
  /** Undefined: stays as it is. */
  readonly address?: string | null | undefined;
  /** Undefined: stays as it is; null: none. */
  readonly password?: string | null | undefined;
}

/** What is said where the rule refuses. */
export const passwordMovesWords =
  "The stored password is not sent to a new address. Enter the password together with the new address.";

/**
 * Whether a change would send a stored password to an address that it was not given for: whoever changes the address names the
 * password, too, so that nobody gets one by naming a machine of their own. Pure.
 */
export const passwordMoves = (before: StoredBmc, { address, password }: BmcChange): boolean =>
  before.hasPassword && password === undefined && address != null && address !== before.address;
