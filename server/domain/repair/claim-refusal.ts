// Why a host that needs a repair cannot be claimed now, worded for whoever wants to claim it (docs/repair.md#the-repair-tenant). The claim itself decides.
import { isCleaning, isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";

export interface ClaimFacts {
  readonly state: StoredState;
  /** Result of the claim's own condition. */
  readonly claimable: boolean;
  /** An instance is on it; `releasing`: the instance is being released. */
  readonly held: boolean;
  readonly releasing: boolean;
  /** An external repair system has it; `leasedTo`: its name, for those who may know it. */
  readonly leased: boolean;
  readonly leasedTo: string | null;
  readonly maintenance: boolean;
  readonly retired: boolean;
  /** It owes a sanitization. */
  readonly owes: boolean;
  /** Its reports request a repair that a repair tenant can end (server/domain/repair/claimable.ts). */
  readonly asks: boolean;
  /** Why nothing is allocated at all; null: allocation is on. */
  readonly stopped: string | null;
}

export interface ClaimRefusal {
  /** Two or three words, for a column. */
  readonly short: string;
  /** A sentence. */
  readonly reason: string;
}

const returning: readonly string[] = ["BomValidating", "Validation", "HostInit"];

/** The host is in reclamation, so the end of its cleaning can be predicted. Pure. */
export const isComingBack = ({ state, held, releasing }: ClaimFacts): boolean =>
  (held && releasing && !isFailed(state)) ||
  (isCleaning(state) && !state.startsWith("ManualCleaning/")) ||
  returning.includes(topLevel(state)) ||
  state === "ReturnToAllocation/EvaluatingGates";

const refusal = (short: string, reason: string): ClaimRefusal => ({ short, reason });

/** Null: it can be claimed. Pure. */
export function claimRefusal(facts: ClaimFacts): ClaimRefusal | null {
  const { state, claimable, held, leased, leasedTo, maintenance, retired, owes, asks, stopped } = facts;
  if (stopped !== null) return refusal("nothing is allocated", stopped);
  if (claimable) return null;
  if (isFailed(state))
    return refusal(
      "not clean yet",
      "Not clean: its cleaning failed. It can be claimed once the provider has fixed that.",
    );
  if (isComingBack(facts)) return refusal("being cleaned", "It is being cleaned.");
  if (held) return refusal("in use", "It is in use.");
  if (leased)
    return refusal(
      "being repaired",
      leasedTo === null ? "Somebody else is repairing it." : `The repair system ${leasedTo} has it.`,
    );
  if (maintenance) return refusal("in maintenance", "In maintenance: the provider is working on it.");
  if (retired) return refusal("retired", "It is retired.");
  if (owes) return refusal("not clean yet", "Not clean: it has a sanitization debt.");
  if (!asks)
    return refusal(
      "waits for the provider",
      "The provider is working on it, or no repair request keeps it out of allocation.",
    );
  return refusal("not idle", "It is not idle now.");
}
