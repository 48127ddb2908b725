// Bearer tokens of machines: random, known to us only by their hash.
import { createHash, randomBytes } from "node:crypto";

const tokenBytes = 32;

/** 256 random bits, as text that fits a header. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** What is stored of a token. It is long and random, so a plain hash is enough. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** The token of `Authorization: Bearer …`, or null when there is none of a sane length. */
export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? "");
  return match?.[1] ?? null;
}
