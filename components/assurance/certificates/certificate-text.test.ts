// The verdict on a certificate is "good" only if nothing about it needs a second look.
import { expect, it } from "vitest";
import { verdictOf } from "@/components/assurance/certificates/certificate-text";
import { parseKey } from "@/server/domain/audit-log/note";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { verifyBundle } from "@/server/domain/assurance/certificates/verify";

const { bundle, key } = sampleBundle();
const signer = parseKey(key);
if (signer === null) throw new Error("the sample has no key");
const trusting = policyOfKeys([signer]);

it("is good where a trusted key has signed", async () =>
  expect(verdictOf(await verifyBundle(bundle, trusting, null))).toMatchObject({ tone: "good" }));

it("wants attention without a key that is trusted", async () => {
  const { tone, words } = verdictOf(await verifyBundle(bundle, policyOfKeys([]), null));
  expect(tone).toBe("attention");
  expect(words).toContain("the signer is unknown");
});

it.each(["withExceptions", "demo", "nonConformance"] as const)(
  "wants attention for one of the type %s",
  async (type) =>
    expect(verdictOf({ ...(await verifyBundle(bundle, trusting, null)), type }).tone).toBe("attention"),
);

it("fails for anything that is wrong", async () => {
  expect(verdictOf(await verifyBundle("{}", trusting, null))).toEqual({
    tone: "failed",
    words: "It does not verify: bundle.",
  });
});
