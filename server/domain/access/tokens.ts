// Bearer tokens of every kind (API, agent, boot, network controller, metrics): random, stored as a hash, and read from the header in one way.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Prefix of API tokens, so that secret scanners find leaked ones. */
const apiPrefix = "rcl_";

/** 256 random bits as header-safe text. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** A person's token for the console's API, Ironic's and NICo's. */
export const newApiToken = (): string => `${apiPrefix}${newToken()}`;

/** A generated first password of 144 random bits, which the person is to change. */
export const newPassword = (): string => randomBytes(18).toString("base64url");

export const isApiTokenExpired = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt.getTime() <= now.getTime();

/** Whether a text has the form of an API token. A password of the same form would be indistinguishable from one. */
export const isApiToken = (text: string): boolean => /^rcl_[\w-]{43}$/.test(text);

/** What is stored instead of a token. For 256 random bits a hash without salt or cost is enough, and it can be looked up. */
export const tokenHash = (token: string): Buffer<ArrayBuffer> =>
  Buffer.from(hash("sha256", token, "hex"), "hex");

/** Whether two tokens are equal, in constant time. */
export const isSameToken = (given: string, known: string): boolean =>
  timingSafeEqual(tokenHash(given), tokenHash(known));

/** The token of `Authorization: Bearer …`; null if there is none, or none of a plausible length. */
export function bearerToken(header: string | null | undefined): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header?.trim() ?? "");
  return match?.[1] ?? null;
}
