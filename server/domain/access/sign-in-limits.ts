// How many sign-ins a name and an address have, and what counts as one address.

export const signInLimits = {
  windowMs: 15 * 60_000,
  perEmail: 10,
  perAddress: 50,
  perOwnAddress: 10,
} as const;

/** How long an address counts as a person's own after it last signed in there. */
export const ownAddressDays = 90;

/** Limits are for whoever holds an address: with IPv6 that is a network of 64 bits, as every subscriber has at least one. */
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

/**
 * What an attempt counts against. From a person's own address nothing that others do from elsewhere counts, nor what others do there with
 * other names: an attacker locks a name for strangers only.
 */
export function limitedSubjects(
  email: string,
  address: string | null,
  isOwn: boolean,
): readonly LimitedSubject[] {
  const { perEmail, perAddress, perOwnAddress } = signInLimits;
  const byEmail = { subject: `email:${email}`, most: perEmail };
  if (address === null) return [byEmail];
  return isOwn
    ? [{ subject: `own:${address} ${email}`, most: perOwnAddress }]
    : [byEmail, { subject: `address:${address}`, most: perAddress }];
}
