// Names for prepared statements by their text, so that each is parsed and planned once per connection and not once per request.
import { createHash } from "node:crypto";

/** Statements beyond this number are not kept prepared: lists of varying length would add new ones forever. */
const maxPrepared = 500;

/** Returns the naming function for one kind of client. An empty name: not kept prepared. */
export function statementNames(prefix: string): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= maxPrepared) return "";
    const name = `${prefix}_${createHash("sha256").update(text, "utf8").digest("base64url").slice(0, 22)}`;
    names.set(text, name);
    return name;
  };
}
