// The digest of the facts behind an approval: equal for equal facts, whoever computes it (RFC 8785).
import { hash } from "node:crypto";
import canonicalize from "canonicalize";

/** SHA-256 of the canonical JSON, in hexadecimal. Undefined members are left out. Pure. */
export function evidenceDigest(facts: Readonly<Record<string, unknown>>): string {
  const text = canonicalize(facts);
  if (text === undefined) throw new TypeError("the evidence has no JSON form");
  return hash("sha256", text, "hex");
}
