// Where the stored password of a BMC may be sent.

interface StoredBmc {
  readonly address: string | null;
  readonly hasPassword: boolean;
}

interface BmcChange {
  /** Undefined: unchanged. */
  readonly address?: string | null | undefined;
  /** Undefined: unchanged; null: none. */
  readonly password?: string | null | undefined;
}

/** The message if the change is refused. */
export const passwordMovesText =
  "The stored password is not sent to a new address. Enter the password together with the new address.";

/**
 * Whether a change would send a stored password to an address that it was not given for. Whoever changes the address has to give the
 * password as well, so that nobody can get it by pointing the host at a machine of their own. Pure.
 */
export const passwordMoves = (before: StoredBmc, { address, password }: BmcChange): boolean =>
  before.hasPassword && password === undefined && address != null && address !== before.address;
