// What a person confirms with one passkey response, which is valid for nothing else (docs/adr/0113-passkeys.md). Pure.
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import type { Decision } from "@/server/domain/assurance/approvals/approval";

/** What one response of an authenticator confirms. */
export type PasskeyPurpose =
  /** A new passkey signs its own registration. */
  | { readonly purpose: "register" }
  /** Allows another passkey to be added. */
  | { readonly purpose: "add" }
  | { readonly purpose: "remove"; readonly passkeyId: string }
  | {
      readonly purpose: "decide";
      readonly decision: Decision;
      readonly approvals: readonly { readonly id: string; readonly evidence: string }[];
    };

/** SHA-256 of a purpose. The order of the approvals does not matter. */
export function purposeDigest(purpose: PasskeyPurpose): string {
  if (purpose.purpose !== "decide") return evidenceDigest({ ...purpose });
  const approvals = purpose.approvals.map(({ id, evidence }) => `${id.toLowerCase()} ${evidence}`).toSorted();
  return evidenceDigest({ purpose: "decide", decision: purpose.decision, approvals });
}
