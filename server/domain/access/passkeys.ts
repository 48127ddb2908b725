// Passkeys: who must confirm with one, which site they belong to, and what an authenticator's response must match (docs/adr/0113-passkeys.md). Pure.

/** Passkeys per person. */
export const maxPasskeys = 10;
/** How long a challenge is valid. */
export const challengeMs = 5 * 60_000;

/** How people confirm that a decision is theirs. */
export const confirmMethods = ["password", "passkey"] as const;
export type ConfirmMethod = (typeof confirmMethods)[number];

/** The method that a person must confirm with. @param passkeys how many the person has */
export function requiredMethod(passkeys: number): ConfirmMethod {
  // safety: passkeys: a password confirms nothing where there is a passkey
  if (passkeys > 0) return "passkey";
  return "password";
}

/** Follows a name: "approved by Ada, with a passkey". Empty for decisions from before the method was recorded. */
export const confirmedText = (method: ConfirmMethod | null): string => {
  switch (method) {
    case "passkey":
      return ", with a passkey";
    case "password":
      return ", with a password";
    case null:
      return "";
  }
};

interface ConfirmFacts {
  readonly required: ConfirmMethod;
  /** What came with the request, not yet verified; null: nothing. */
  readonly given: ConfirmMethod | null;
  /** The request comes from a console session, not with a token. */
  readonly inConsole: boolean;
  /** Where people decide; null: this server does not know its address. */
  readonly decideAt: string | null;
}

/** Why a request does not satisfy the person's method; null: verify what was given. An earlier confirmation in the session never replaces a passkey. */
export function confirmRefusal({ required, given, inConsole, decideAt }: ConfirmFacts): string | null {
  if (required === "password" || given === "passkey") return null;
  if (!inConsole)
    return `You have a passkey, so a token and your password are not enough. Decide in the console${decideAt === null ? "" : `: ${decideAt}`}.`;
  if (given === "password")
    return "You have a passkey, so your password is not enough. Confirm with the passkey.";
  return "Confirm with your passkey.";
}

/** The site that passkeys are created for: its domain name, and the origin of the console. */
export type PasskeySite =
  | { readonly ok: true; readonly rpId: string; readonly origin: string }
  | { readonly ok: false; readonly reason: string };

const isAddress = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.startsWith("[");

/** Browsers create passkeys for domain names only, and only over https or on localhost (WebAuthn Level 3, 5.1.3). */
export function passkeySite(publicUrl: string | undefined): PasskeySite {
  const howTo = "Set RECLAIM_BASE_URL to the https address that people open.";
  if (publicUrl === undefined)
    return { ok: false, reason: `This server does not know its public address. ${howTo}` };
  const { protocol, hostname, origin } = new URL(publicUrl);
  if (isAddress(hostname))
    return { ok: false, reason: `Passkeys need a host name, and the console is at ${origin}. ${howTo}` };
  if (protocol !== "https:" && hostname !== "localhost" && !hostname.endsWith(".localhost"))
    return { ok: false, reason: `Passkeys need https, and the console is at ${origin}. ${howTo}` };
  return { ok: true, rpId: hostname, origin };
}

/** A challenge as stored, and as it is used. Times in ms by the database's clock. */
interface ChallengeFacts {
  readonly personId: string;
  readonly sessionId: string;
  readonly purpose: string;
}
export interface StoredChallenge extends ChallengeFacts {
  readonly expiresAtMs: number;
  readonly nowMs: number;
}

/** Why a challenge is not accepted; null: it is. @param stored null: there is none, or it was used already */
export function challengeRefusal(stored: StoredChallenge | null, used: ChallengeFacts): string | null {
  if (stored === null) return "This confirmation was used already, or has expired. Confirm again.";
  // safety: passkeys: a challenge expires
  if (stored.nowMs >= stored.expiresAtMs) return "This confirmation has expired. Confirm again.";
  // safety: passkeys: a challenge is of one session
  if (stored.personId !== used.personId || stored.sessionId !== used.sessionId)
    return "This confirmation is of another session. Confirm again.";
  // safety: passkeys: a challenge is for one purpose
  if (stored.purpose !== used.purpose)
    return "You confirmed something else, or its evidence is another one by now. Look at it, and confirm again.";
  return null;
}

/** Why a signature's counter indicates a copied passkey; null: it does not. Passkeys synced between devices do not count and always report 0. */
export function counterRefusal(stored: bigint, signed: bigint): string | null {
  if (stored === 0n && signed === 0n) return null;
  // safety: passkeys: the counter rises
  if (signed <= stored)
    return `The counter of this passkey is at ${signed}, and was at ${stored} before, so the passkey may have been copied. Remove it with another passkey, or have a provider admin reset your passkeys.`;
  return null;
}
