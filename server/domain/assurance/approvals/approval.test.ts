// Who may decide on a request, and when.
import { expect, it } from "vitest";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { decisionRefusal, freshSignInMs, isFresh } from "@/server/domain/assurance/approvals/approval";
import type { DecisionFacts } from "@/server/domain/assurance/approvals/approval";

const asked = "0190aaaa-0000-7000-8000-00000000000a";
const decider = "0190aaaa-0000-7000-8000-00000000000b";
const third = "0190aaaa-0000-7000-8000-00000000000c";
const facts: DecisionFacts = {
  askedBy: asked,
  decidedBy: decider,
  decision: null,
  voidedReason: null,
  validUntilMs: 2_000,
  nowMs: 1_000,
  evidence: "aa",
  seen: "aa",
  askerResetBy: [],
  deciderResetBy: [],
  freshSignIn: true,
};

it("lets another person decide who gave the password and saw the evidence", () => {
  expect(decisionRefusal(facts)).toBeNull();
  expect(decisionRefusal({ ...facts, validUntilMs: null })).toBeNull();
  const [askerResetBy, deciderResetBy] = [
    [third, asked],
    [third, decider],
  ];
  expect(decisionRefusal({ ...facts, askerResetBy, deciderResetBy })).toBeNull();
});

it.each([
  ["nobody who is signed in", { decidedBy: null }, "sign in first"],
  ["the one who asked", { decidedBy: asked }, "another person decides"],
  ["the one who asked, in other letters", { decidedBy: asked.toUpperCase() }, "another person decides"],
  [
    "an account that the one who asked reset",
    { deciderResetBy: [third, asked.toUpperCase()] },
    "has reset your password or passkeys",
  ],
  [
    "who reset the one who asked",
    { askerResetBy: [third, decider.toUpperCase()] },
    "You reset the password or passkeys",
  ],
  ["what was approved", { decision: "approved" }, "this already"],
  ["what was rejected", { decision: "rejected" }, "this already"],
  ["what was voided", { voidedReason: "there is a newer record" }, "there is a newer record"],
  ["what is over", { validUntilMs: 1_000 }, "request has expired"],
  ["other evidence than was seen", { seen: "ab" }, "not the evidence"],
  ["without a fresh sign-in", { freshSignIn: false }, "password again"],
] as const)("refuses: %s", (_what, change, words) => {
  expect(decisionRefusal({ ...facts, ...change })?.reason).toContain(words);
});

it("takes a password for five minutes, and none of the future", () => {
  expect(isFresh(null, 10)).toBe(false);
  expect(isFresh(0, freshSignInMs)).toBe(true);
  expect(isFresh(0, freshSignInMs + 1)).toBe(false);
  expect(isFresh(11, 10)).toBe(false);
});

it("has one digest of evidence whatever the order of members", () => {
  expect(evidenceDigest({ a: 1, b: "2" })).toBe(evidenceDigest({ b: "2", a: 1 }));
  expect(evidenceDigest({ a: 1 })).not.toBe(evidenceDigest({ a: 2 }));
});
