// An inventory that a person has read again: the BMC's at once, the agent's with its next boot (docs/cleaning.md#drives-that-are-not-there-or-cannot-be-erased).
import { keptOf, otherHost } from "@/server/controller/inventory/bmc-inventory";
import { readOutcome, verifyValue } from "@/server/controller/host/effect-outcome";
import type { Draft } from "@/server/controller/host/draft";

const iso = (ms: number): string => new Date(ms).toISOString();

/** Begins a reading where one was asked for, and takes the outcome of one under way. `true`: the BMC's inventory was read in this decision. */
export function inspected(draft: Draft): boolean {
  if (draft.takeIntent("inspect") !== null) {
    draft.memory.keep({ inspection: { askedAt: iso(draft.nowMs), readAt: null, message: null } });
    // What the agent said of drives is of a boot before this. Under an erase that boot is the one that must tell how it ended.
    if (!draft.erase.running) draft.needNewBoot();
    draft.request("verify", {});
    return false;
  }
  const { inspection } = draft.context;
  if (inspection === undefined || inspection.readAt !== null || inspection.message !== null) return false;
  const effect = draft.inbox.takeEffect("verify");
  if (effect === null) return false;
  const outcome = readOutcome(effect, draft.view.run.generation);
  switch (outcome.kind) {
    case "pending":
      return false;
    case "neverSent":
    case "unknown":
      draft.request("verify", {});
      return false;
    case "failed":
      draft.memory.keep({ inspection: { ...inspection, message: outcome.message.slice(0, 2000) } });
      return false;
    case "done":
      return kept(draft, inspection, outcome.value);
  }
}

/** A reading of another machine is kept by nobody: the last good one stays. */
function kept(draft: Draft, inspection: { readonly askedAt: string }, value: unknown): boolean {
  const found = verifyValue.parse(value);
  const other = otherHost(draft, found);
  draft.memory.keep({
    inspection: {
      askedAt: inspection.askedAt,
      readAt: other === null ? iso(draft.nowMs) : null,
      message: other,
    },
  });
  if (other === null) draft.hardware.keep(keptOf(found));
  return other === null;
}
