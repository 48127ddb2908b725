// Bearer tokens of every kind (API, agent, boot, network controller, metrics): random, stored as a hash, and read from a header in one way.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** What an API token begins with, by which secret scanners find leaked ones. */
const apiPrefix = "rcl_";

/** 256 random bits, as text that fits a header. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** A token of a person, for the console's API, Ironic's and NICo's. */
export const newApiToken = (): string => `${apiPrefix}${newToken()}`;

/** A password that we give: 144 random bits, for a person to change. */
export const newPassword = (): string => randomBytes(18).toString("base64url");

export const isApiTokenExpired = (expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt.getTime() <= now.getTime();

/** Whether a text has the form of an API token; no password of that form can be told from one. */
export const isApiToken = (text: string): boolean => /^rcl_[\w-]{43}$/.test(text);

/** What is stored of a token. A hash without salt or cost is enough for 256 random bits, and can be looked up. */
export const tokenHash = (token: string): Buffer<ArrayBuffer> =>
  Buffer.from(hash("sha256", token, "hex"), "hex");

/** Whether two tokens are the same, in a time that does not depend on where they differ. */
export const isSameToken = (given: string, known: string): boolean =>
  timingSafeEqual(tokenHash(given), tokenHash(known));

/** The token of `Authorization: Bearer …`; null where there is none, or none of a sane length. */
export function bearerToken(header: string | null | undefined): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header?.trim() ?? "");
  return match?.[1] ?? null;
}
