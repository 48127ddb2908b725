// The policy cache: a text is parsed once, and an unknown policy is never guessed.
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { keyedPolicy, knownPolicyKeys } from "@/server/db/hot/host/policy-cache";

const text = JSON.stringify(defaultPolicy());

describe("a policy by its key", () => {
  it("is read from its text, and then known without it", () => {
    expect(keyedPolicy.parse({ policyKey: "site/1/700", policy: text })).toEqual(defaultPolicy());
    expect(knownPolicyKeys()).toContain("site/1/700");
    expect(keyedPolicy.parse({ policyKey: "site/1/700", policy: null })).toEqual(defaultPolicy());
  });

  it("that is not known, or not valid, is an error", () => {
    expect(keyedPolicy.safeParse({ policyKey: "site/2/1", policy: null }).success).toBe(false);
    expect(keyedPolicy.safeParse({ policyKey: "site/3/1", policy: "{}" }).success).toBe(false);
    expect(knownPolicyKeys()).not.toContain("site/3/1");
  });

  it("without a key is read each time", () => {
    const before = knownPolicyKeys().length;
    expect(keyedPolicy.parse({ policyKey: null, policy: text })).toEqual(defaultPolicy());
    expect(knownPolicyKeys()).toHaveLength(before);
  });
});
