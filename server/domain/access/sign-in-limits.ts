// Rate limits for sign-ins by name and by address, and what counts as one address.

export const signInLimits = {
  windowMs: 15 * 60_000,
  perEmail: 10,
  perAddress: 50,
  perOwnAddress: 10,
  perDevice: 10,
} as const;

/** How long an address counts as a person's own after their last sign-in from it. */
export const ownAddressDays = 90;

/** Limits apply to whoever controls an address. With IPv6 that is a /64, because every subscriber has at least one. */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::", 2);
  const parts = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const known = [parts(head), parts(tail ?? "")] as const;
  const zeros = Array<string>(Math.max(0, 8 - known[0].length - known[1].length)).fill("0");
  const all = tail === undefined ? known[0] : [...known[0], ...zeros, ...known[1]];
  return `${all
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

export interface LimitedSubject {
  readonly subject: string;
  readonly most: number;
}

export interface SignInOrigin {
  /** An `addressGroup`; null within the process. */
  readonly address: string | null;
  /** The person has signed in from that address before. */
  readonly isOwn: boolean;
  /** The browser in which the person has signed in before; null: none. */
  readonly device: string | null;
}

/**
 * The limits that an attempt counts towards. In a browser in which the person has signed in before, only attempts in that browser count. At a person's
 * own address, attempts from elsewhere and attempts with other names do not count. So an attacker can lock a name only for browsers and addresses
 * that are not the person's own.
 */
export function limitedSubjects(
  email: string,
  { address, isOwn, device }: SignInOrigin,
): readonly LimitedSubject[] {
  const { perEmail, perAddress, perOwnAddress, perDevice } = signInLimits;
  if (device !== null) return [{ subject: `device:${device}`, most: perDevice }];
  const byEmail = { subject: `email:${email}`, most: perEmail };
  if (address === null) return [byEmail];
  return isOwn
    ? [{ subject: `own:${address} ${email}`, most: perOwnAddress }]
    : [byEmail, { subject: `address:${address}`, most: perAddress }];
}
