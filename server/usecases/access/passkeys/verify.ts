// Verifies what an authenticator signed with SimpleWebAuthn: challenge, origin, site, user verification, signature. Never throws because of the input.
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import type { Assertion, Registration } from "@/server/contract/access/webauthn";
import type { PasskeySite } from "@/server/domain/access/passkeys";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

type Site = Extract<PasskeySite, { readonly ok: true }>;

/** Algorithms of new passkeys (https://www.iana.org/assignments/cose): Ed25519, ECDSA with P-256, RSA with SHA-256. */
export const algorithms = [-8, -7, -257];

/** The error in our own words: the library's may quote the input. */
function textOf(error: unknown, { origin, rpId }: Site): string {
  const message = error instanceof Error ? error.message : "";
  if (/\borigin\b/i.test(message))
    return `The passkey was used at another address. Open the console at ${origin}, and try again there.`;
  if (/\bRP ID\b/i.test(message)) return `This passkey is not for ${rpId}.`;
  if (/verif|present/i.test(message))
    return "The authenticator did not check that it is you. Use one with a PIN, a fingerprint or the like.";
  return "The answer of the authenticator is not valid. Try again, or use another passkey.";
}

async function checked<T>(site: Site, check: () => Promise<T | null>): Promise<Outcome<T>> {
  try {
    const value = await check();
    if (value !== null) return done(value);
    return refused("forbidden", textOf(null, site), "passkey");
  } catch (error) {
    return refused("forbidden", textOf(error, site), "passkey");
  }
}

interface StoredKey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
}

/** Returns the counter after the signature. `counterRefusal` checks that it has increased: the library is given 0, so that it does not. */
export const verifyAssertion = (
  site: Site,
  challenge: string,
  { credentialId, publicKey }: StoredKey,
  answer: Assertion,
): Promise<Outcome<bigint>> =>
  checked(site, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    return verified ? BigInt(authenticationInfo.newCounter) : null;
  });

interface NewKey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: bigint;
}

export const verifyRegistration = (
  site: Site,
  challenge: string,
  answer: Registration,
): Promise<Outcome<NewKey>> =>
  checked(site, async () => {
    const { transports: _, ...response } = answer.response;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey: new Uint8Array(publicKey), counter: BigInt(counter) };
  });
