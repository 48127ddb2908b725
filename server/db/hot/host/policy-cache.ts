// Policies that this process has parsed. A claim names them by key and includes a text only if this process does not know the key.
import { z } from "zod";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";

/** More than a deployment has in force at a time. Above it the cache is cleared. */
const maxKnown = 200;

const known = new Map<string, Policy>();

/** The keys to pass to a claim. They stay known until the next call. */
export function knownPolicyKeys(): string[] {
  if (known.size > maxKnown) known.clear();
  return [...known.keys()];
}

/** Parses `{policyKey, policy}` of a view; `policy` is null if the key was passed as known. A key always stands for the same text. */
export const keyedPolicy = z
  .object({ policyKey: z.string().nullable(), policy: z.string().nullable() })
  .transform(({ policyKey, policy: text }, issues): Policy => {
    const found = policyKey === null ? undefined : known.get(policyKey);
    if (found !== undefined) return found;
    if (text === null) {
      issues.addIssue(`the policy ${policyKey ?? ""} is not known here`);
      return z.NEVER;
    }
    const parsed = storedPolicy.safeParse(JSON.parse(text));
    // safety: policy: one that is not valid is not known
    if (!parsed.success) {
      issues.addIssue(`policy: ${z.prettifyError(parsed.error)}`);
      return z.NEVER;
    }
    if (policyKey !== null) known.set(policyKey, parsed.data);
    return parsed.data;
  });
