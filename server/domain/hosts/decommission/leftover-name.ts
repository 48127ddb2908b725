// Names of leftovers that somebody else chose: an account, an address, an image.
import { createHash } from "node:crypto";

/** How many characters of a name are kept, and how long the digest is that distinguishes two long names. */
const [maxKept, digestLength] = [240, 12];

/** Turns a name that somebody else chose into one line that can be stored and accepted. Pure. */
export function leftoverName(what: string): string {
  // \p{C}: control characters, invisible ones and lone surrogates, which PostgreSQL does not store.
  const name = what.replace(/[\p{C}\s]+/gu, " ").trim();
  if (name.length <= maxKept + digestLength + 2) return name;
  const digest = createHash("sha256").update(what).digest("hex").slice(0, digestLength);
  return `${name.slice(0, maxKept).replace(/[\ud800-\udbff]$/, "")}… ${digest}`;
}
