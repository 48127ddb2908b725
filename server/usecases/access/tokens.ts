// Bearer tokens: random, shown once, kept as a hash.
import { createHash, randomBytes } from "node:crypto";

const prefix = "rcl_";

/** 256 random bits with a prefix by which leaked ones are found. */
export const newToken = (): string => `${prefix}${randomBytes(32).toString("base64url")}`;

/** A hash without salt or cost is enough for 256 random bits, and can be looked up. */
export const tokenHash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash("sha256").update(token, "utf8").digest());

/** Whether a text has a token's form; no password of that form can be told from one. */
export const isToken = (text: string): boolean => /^rcl_[\w-]{43}$/.test(text);
