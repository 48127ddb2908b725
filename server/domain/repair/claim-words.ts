// Who may claim a host for repair, in one sentence, for operators and repair tenants.
import { claimRefusal } from "@/server/domain/repair/claim-refusal";
import type { ClaimFacts } from "@/server/domain/repair/claim-refusal";

/** @param asks whether a report asks for a repair. Pure. */
export function claimWords(facts: ClaimFacts, asks: boolean): string {
  if (!asks) return "No repair is asked for, so nobody claims it for one.";
  const refusal = claimRefusal(facts);
  return refusal === null
    ? "A repair tenant that may claim one exact host can claim it now."
    : `Nobody can claim it now. ${refusal}`;
}

/** In a column. Pure. */
export const claimNotes = ({
  allowed,
  reason,
}: {
  readonly allowed: boolean;
  readonly reason: string | null;
}): string => (allowed ? "can be claimed" : (reason ?? ""));
