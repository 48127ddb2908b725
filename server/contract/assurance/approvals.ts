// What one person asks for and another decides (docs/adr/0102-approvals-and-procedures.md).
import { z } from "zod";
import { assertion } from "@/server/contract/access/webauthn";
import { act, list, paging, read, record, sha256Digest } from "@/server/contract/define";
import { confirmMethods } from "@/server/domain/access/passkeys";
import { approvalKinds, decisions } from "@/server/domain/assurance/approvals/approval";

/** How a second person decided, or whether the caller may. */
export const decided = {
  decision: z.enum(decisions).nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.date().nullable(),
  decidedReason: z.string().nullable(),
  /** What the decider confirmed with; null if not decided, or decided in a release that did not record it. */
  decidedWith: z.enum(confirmMethods).nullable(),
  /** Why it no longer counts; null if it does. */
  voided: z.string().nullable(),
  /** The caller asked for it. */
  own: z.boolean(),
  /** The caller may decide: has the right, and is not the one who asked. */
  mayDecide: z.boolean(),
};

export const approvalLine = record({
  id: z.string(),
  kind: z.enum(approvalKinds),
  /** Id of what it is about: a record, an exception, and so on. */
  subjectId: z.string(),
  /** What is asked, in words. */
  subject: z.string(),
  host: record({ id: z.string(), name: z.string() }).nullable(),
  site: z.string().nullable(),
  /** SHA-256 of what the request rests on; the decision must name it. */
  evidence: z.string(),
  askedBy: z.string(),
  askedAt: z.date(),
  reason: z.string(),
  validUntil: z.date().nullable(),
  ...decided,
});
export type ApprovalLine = z.infer<typeof approvalLine>;

const approvalPage = record({ items: list(approvalLine), nextCursor: z.string().nullable() });
export type ApprovalPage = z.infer<typeof approvalPage>;

const endingLine = record({
  /** Id of the exception, or of the record of a procedure. */
  id: z.string(),
  kind: z.enum(["exception", "procedure"]),
  /** What ends, in words. */
  subject: z.string(),
  host: record({ id: z.string(), name: z.string() }),
  site: z.string(),
  endsAt: z.date(),
});
export type EndingLine = z.infer<typeof endingLine>;

const endingPage = record({ items: list(endingLine), nextCursor: z.string().nullable() });
export type EndingPage = z.infer<typeof endingPage>;

const maxDecisions = 100;

/** The requests to decide, each with the evidence that the person saw. */
export const decidedApprovals = z
  .array(
    z.strictObject({
      id: z.guid("must be the id of an approval"),
      /** Digest of the evidence that the person saw. */
      evidence: sha256Digest,
    }),
  )
  .min(1)
  .max(maxDecisions);

export const approvals = {
  list: read({
    title: "what waits for another person's decision, or was decided",
    right: "assurance.read",
    input: z.strictObject({
      kind: z.enum(approvalKinds).nullable().default(null),
      /** Includes those that were decided or are void. */
      all: z.boolean().default(false),
      /** Only those that were decided or are void, newest first. */
      decided: z.boolean().default(false),
      hostId: z.guid("must be the id of a host").nullable().default(null),
      /** Only those of hosts over the limit of their state, such as 24 hours of waiting for a sign-off. */
      overLimit: z.literal(true).optional(),
      ...paging(200, 100),
    }),
    output: approvalPage,
  }),
  ending: read({
    title:
      "approvals that expire, the next first: exceptions, and procedure records that later reclamations may use",
    right: "assurance.read",
    input: z.strictObject(paging(500, 200)),
    output: endingPage,
  }),
  decide: act({
    title: "approves or rejects what another person asked for: all that are named, or none",
    right: "assurance.sign",
    action: "approval.decide",
    input: z.strictObject({
      approvals: decidedApprovals,
      decision: z.enum(decisions),
      /** Required for a rejection. */
      reason: z.string().trim().max(500, "at most 500 characters").default(""),
      /** The caller's own. May be omitted if the session gave it in the last five minutes. Not enough for a caller with a passkey. */
      password: z.string().min(1).max(1024).optional(),
      /** The authenticator's answer to `passkeys.begin` for exactly this decision. */
      passkey: assertion.optional(),
    }),
    output: record({ decided: z.number() }),
  }),
};
