// Policies that this process has read: a claim names them by key and carries a text only where the key is not known here.
import { z } from "zod";
import { storedPolicy } from "@/server/domain/cleaning/policy";
import type { Policy } from "@/server/domain/cleaning/policy";

/** More than a deployment has in force at a time; beyond it all are read anew. */
const mostKnown = 200;

const known = new Map<string, Policy>();

/** The keys to pass to a claim. Those given back stay known until the next call. */
export function knownPolicyKeys(): string[] {
  if (known.size > mostKnown) known.clear();
  return [...known.keys()];
}

/** Parses `{policyKey, policy}` of a view; `policy` is null where the key was passed as known. A key stands for one text for ever. */
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
