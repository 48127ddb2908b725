// What a person confirms with one answer of a passkey: it counts for nothing else (docs/adr/0113-passkeys.md). Pure.
import { evidenceDigest } from "@/server/domain/approvals/evidence-digest";
import type { Decision } from "@/server/domain/approvals/approval";

/** What one answer of an authenticator confirms. */
export type PasskeyPurpose =
  /** A new key answers for itself. */
  | { readonly purpose: "register" }
  /** Another passkey is to be added. */
  | { readonly purpose: "add" }
  | { readonly purpose: "remove"; readonly passkeyId: string }
  | {
      readonly purpose: "decide";
      readonly decision: Decision;
      readonly approvals: readonly { readonly id: string; readonly evidence: string }[];
    };

/** SHA-256 of a purpose: the same for the same approvals, whatever their order. */
export function purposeDigest(purpose: PasskeyPurpose): string {
  if (purpose.purpose !== "decide") return evidenceDigest({ ...purpose });
  const approvals = purpose.approvals.map(({ id, evidence }) => `${id.toLowerCase()} ${evidence}`).toSorted();
  return evidenceDigest({ purpose: "decide", decision: purpose.decision, approvals });
}
