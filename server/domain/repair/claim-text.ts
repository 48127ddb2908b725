// Who may claim a host for repair, in one sentence, for operators and repair tenants.
import { claimRefusal } from "@/server/domain/repair/claim-refusal";
import type { ClaimFacts } from "@/server/domain/repair/claim-refusal";

interface ClaimContext {
  /** A report requests a repair. */
  readonly asked: boolean;
  /** It is repaired while its tenant keeps it. */
  readonly online: boolean;
}

/** Pure. */
export function formatClaim(facts: ClaimFacts, { asked, online }: ClaimContext): string {
  if (online) return "It is being repaired online while its tenant keeps it, so it cannot be claimed.";
  if (!asked) return "No repair requested, so it cannot be claimed for repair.";
  const refusal = claimRefusal(facts);
  return refusal === null
    ? "A repair tenant that may claim one exact host can claim it now."
    : `Nobody can claim it now. ${refusal.reason}`;
}

/** For a column. Pure. */
export const claimNotes = ({
  allowed,
  reason,
}: {
  readonly allowed: boolean;
  readonly reason: string | null;
}): string => (allowed ? "can be claimed" : (reason ?? ""));
