// Reads the inventory again on request: the BMC's at once, the agent's with its next boot
// (docs/cleaning.md#drives-that-are-not-there-or-cannot-be-erased).
import { keepBoot, keptOf, otherHost } from "@/server/controller/inventory/bmc-inventory";
import { readOutcome, verifyValue } from "@/server/controller/host/effect-outcome";
import type { Draft } from "@/server/controller/host/draft";

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Begins a requested reading, and takes the outcome of one in progress. True if the BMC's inventory was read in this decision.
 * @param asked the request, already taken from the inbox
 */
export function inspected(
  draft: Draft,
  asked = draft.takeIntent("inspect") ?? draft.takeIntent("inspectByAgent"),
): boolean {
  if (asked !== null) {
    if (draft.state === "Manageable") draft.run.setError(null);
    draft.memory.keep({ inspection: { askedAt: iso(draft.nowMs), readAt: null, message: null } });
    // The agent's report of drives is from an earlier boot. During an erase, though, that boot must still report how the erase ended.
    if (!draft.erase.running) draft.needNewBoot();
    draft.request("verify", {});
    return false;
  }
  const { inspection } = draft.context;
  if (inspection === undefined || inspection.readAt !== null || inspection.message !== null) return false;
  if (inspection.agent === true) return false;
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
      failed(draft, inspection, outcome.message);
      return false;
    case "done":
      return kept(draft, inspection, outcome.value);
  }
}

type Begun = NonNullable<Draft["context"]["inspection"]>;

/** A failed host keeps the error that it failed with; in Manageable this error is shown. */
function failed(draft: Draft, inspection: Begun, message: string): void {
  draft.memory.keep({ inspection: { ...inspection, message: message.slice(0, 2000) } });
  if (draft.state === "Manageable") draft.run.setError(message);
}

/** A reading of another machine is dropped: the last good one stays. */
function kept(draft: Draft, inspection: Begun, value: unknown): boolean {
  const found = verifyValue.parse(value);
  const other = otherHost(draft, found);
  if (other !== null) {
    failed(draft, inspection, other);
    return false;
  }
  draft.memory.keep({ inspection: { ...inspection, readAt: iso(draft.nowMs) } });
  draft.hardware.keep(keptOf(found));
  keepBoot(draft, found);
  return true;
}
