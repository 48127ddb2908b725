// A witness of the audit log as a setting names it: `<address> <key> [<key>]`.
import { z } from "zod";
import { parseKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";

export interface Witness {
  /** Its submission prefix, without a slash at the end. */
  readonly url: string;
  /** Its public keys, at least one. */
  readonly keys: readonly VerifierKey[];
}

const address = z.url({ protocol: /^https?$/ });

/** Null: not a witness. */
function parseWitness(text: string): Witness | null {
  const [url = "", ...given] = text.trim().split(/\s+/);
  const keys = given.flatMap((key) => parseKey(key) ?? []);
  const whole =
    keys.length > 0 && keys.length === given.length && keys.every(({ type }) => type !== "ed25519");
  return whole && address.safeParse(url).success ? { url: url.replace(/\/+$/, ""), keys } : null;
}

export const witnessSetting = z.string().transform((text, context) => {
  const witness = parseWitness(text);
  if (witness !== null) return witness;
  context.addIssue("must be a comma list of witnesses: the address of each, and its public keys behind it");
  return z.NEVER;
});
