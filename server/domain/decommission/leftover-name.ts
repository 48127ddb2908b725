// A leftover's name, where somebody else chose it: an account, an address, an image.
import { createHash } from "node:crypto";

/** Characters of a name that are kept, and of the digest that tells two long ones apart. */
const [mostKept, digestLength] = [240, 12];

/** How a leftover is called whose name somebody else chose: one line that can be stored and accepted. Pure. */
export function leftoverName(what: string): string {
  // \p{C}: control characters, the invisible ones and halves of a surrogate pair, which PostgreSQL does not store.
  const name = what.replace(/[\p{C}\s]+/gu, " ").trim();
  if (name.length <= mostKept + digestLength + 2) return name;
  const digest = createHash("sha256").update(what).digest("hex").slice(0, digestLength);
  return `${name.slice(0, mostKept).replace(/[\ud800-\udbff]$/, "")}… ${digest}`;
}
