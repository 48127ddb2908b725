// Whom the user trusts, as typed: keys, one per line, or a policy (https://c2sp.org/tlog-policy).
import { parseKey } from "@/server/domain/audit-log/note";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { parsePolicy, policyOfKeys } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";

export type Trust =
  | { readonly ok: true; readonly policy: Policy }
  /** What is wrong with the text. */
  | { readonly ok: false; readonly why: string };

const policyLine = /^\s*(log|witness|group|quorum)\s/m;

/** An empty text trusts nobody; a check then says nothing about who signed. */
export function readTrust(text: string): Trust {
  if (policyLine.test(text)) {
    const parsed = parsePolicy(text);
    return parsed.ok ? parsed : { ok: false, why: `This is not a policy: ${parsed.why}.` };
  }
  const keys: VerifierKey[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const key = parseKey(line);
    if (key === null) return { ok: false, why: `${line.trim().slice(0, 60)} is not a public key of a log.` };
    keys.push(key);
  }
  return { ok: true, policy: policyOfKeys(keys) };
}
