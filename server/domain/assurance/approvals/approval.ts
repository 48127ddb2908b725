// One person asks and another decides: sign-offs, exceptions, dispositions, policy changes (docs/adr/0102-approvals-and-procedures.md).
import type { Right } from "@/server/domain/access/access";
import type { ProblemCode } from "@/server/domain/problems";

export const approvalKinds = [
  "signOff",
  "exception",
  "disposition",
  "policyChange",
  "rollout",
  "bundle",
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

/** The right that each kind of decision requires. */
export const decidingRight = {
  signOff: "assurance.sign",
  exception: "assurance.except",
  disposition: "assurance.sign",
  policyChange: "site.apply",
  rollout: "sku.write",
  bundle: "sku.write",
} satisfies Record<ApprovalKind, Right>;

export const decisions = ["approved", "rejected"] as const;
export type Decision = (typeof decisions)[number];

/** How long a re-entered password is valid for further decisions in the same session. A passkey is valid for one decision. */
export const freshSignInMs = 5 * 60_000;

/** The ids of the two people of a decision, and of whoever could have signed in as them because they set their password or passkeys (`resettersOf`). */
export interface DecidingPeople {
  readonly askedBy: string;
  readonly decidedBy: string;
  /** At the time of the request. */
  readonly askerResetBy: readonly string[];
  readonly deciderResetBy: readonly string[];
}

/** What a decision depends on. Times in ms by the database's clock. */
export interface DecisionFacts extends Omit<DecidingPeople, "decidedBy"> {
  /** Null: nobody is signed in. */
  readonly decidedBy: string | null;
  /** The earlier decision; null: none yet. */
  readonly decision: string | null;
  readonly voidedReason: string | null;
  readonly validUntilMs: number | null;
  readonly nowMs: number;
  /** Digests: of the evidence behind the request, and of what the person saw. */
  readonly evidence: string;
  readonly seen: string;
  /** Given with this decision, or shortly before in the same session (`isFresh`). */
  readonly freshSignIn: boolean;
}

export interface DecisionRefusal {
  readonly code: Extract<ProblemCode, "forbidden" | "conflict">;
  readonly reason: string;
  readonly field?: "password" | "evidence";
}

/** Whether a password entered at `passwordAtMs` is still valid. Pure. */
export const isFresh = (passwordAtMs: number | null, nowMs: number): boolean =>
  passwordAtMs !== null && passwordAtMs <= nowMs && nowMs - passwordAtMs <= freshSignInMs;

const conflict = (reason: string, field?: DecisionRefusal["field"]): DecisionRefusal => ({
  code: "conflict",
  reason,
  ...(field === undefined ? {} : { field }),
});

const isAmong = (id: string, ids: readonly string[]): boolean =>
  ids.some((other) => other.toLowerCase() === id.toLowerCase());

/** Why these may not be two different people; null: they are, as far as Reclaim knows. Pure. */
export function samePersonReason(people: DecidingPeople): string | null {
  const { askedBy, decidedBy, askerResetBy, deciderResetBy } = people;
  // safety: approvals: nobody decides on what they asked for
  if (isAmong(decidedBy, [askedBy]))
    return "You asked for this, so another person decides, whatever your role is now.";
  // safety: approvals: who resets who asked is not the second person
  if (isAmong(decidedBy, askerResetBy))
    return "You reset the password or passkeys of the person who asked, or they had not yet changed the first password that you gave them, so another person decides. If nobody else can: they change that first password, or another provider admin, or reset-passkeys.js on the server's machine, resets their passkeys. Then they ask again.";
  // safety: approvals: who resets the decider is not also who asked
  if (isAmong(askedBy, deciderResetBy))
    return "Who asked for this has reset your password or passkeys, or gave you the first password that you still use, so your account cannot decide on it. Another person decides. If nobody else can: change that first password, or have another provider admin, or reset-passkeys.js on the server's machine, reset your passkeys.";
  return null;
}

/** Why this person cannot decide on the request, whatever the decision; null: they can. Roles are checked elsewhere. Pure. */
export function decisionRefusal(facts: DecisionFacts): DecisionRefusal | null {
  if (facts.decidedBy === null)
    return { code: "forbidden", reason: "Only a person can decide: sign in first." };
  const same = samePersonReason({ ...facts, decidedBy: facts.decidedBy });
  // safety: approvals: two people decide
  if (same !== null) return { code: "forbidden", reason: same };
  // safety: approvals: a decision stands
  if (facts.decision !== null)
    return conflict(`Somebody has ${facts.decision} this already. A decision cannot be changed.`);
  // safety: approvals: nothing is decided that lost its ground
  if (facts.voidedReason !== null) return conflict(`This request is void: ${facts.voidedReason}. Ask again.`);
  // safety: approvals: nothing is decided after its end
  if (facts.validUntilMs !== null && facts.validUntilMs <= facts.nowMs)
    return conflict("This request has expired. Ask again.");
  // safety: approvals: what is decided is what was seen
  if (facts.seen !== facts.evidence)
    return conflict(
      "This is not the evidence of the request, which may have changed. Read it again, then decide.",
      "evidence",
    );
  // safety: approvals: a fresh sign-in (always)
  return facts.freshSignIn
    ? null
    : { code: "forbidden", reason: "Enter your password again to decide.", field: "password" };
}
