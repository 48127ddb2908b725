// The digest of data that a certificate refers to but does not contain.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** SHA-256 of a value in canonical JSON. */
export const canonicalDigest = (value: unknown): string =>
  createHash("sha256")
    .update(canonicalize(value ?? null) ?? "null", "utf8")
    .digest("hex");
