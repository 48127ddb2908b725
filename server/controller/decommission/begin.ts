// A host begins to leave the fleet: out of allocation at once, and cleaned for the last time (docs/adr/0059-decommission.md).
import { enqueue } from "@/server/controller/interruptions/queued";
import type { Draft } from "@/server/controller/host/draft";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** Begins the decommission that was asked for, in whatever state accepts it; a stopped reclamation before it ends abandoned. Null: nobody asked. */
export function decommissionBegun(draft: Draft): HandlerResult | null {
  const asked = draft.takeIntent("decommission");
  if (asked === null) return null;
  const { by, reason, keepAccount } = asked;
  if (draft.reclamation !== null) draft.clearFailure();
  draft.run.setAllocatable(false);
  draft.run.setError(null);
  draft.run.setCommand(null);
  draft.memory.forget("inspection");
  draft.beginReclamation("decommission", by, null);
  draft.memory.keep({
    leaving: {
      by: { personId: by.personId, name: by.name },
      reason,
      at: new Date(draft.nowMs).toISOString(),
      keepAccount,
      leftovers: [],
      part: "look",
      sent: false,
      failures: 0,
      retryAt: null,
    },
  });
  draft.needNewBoot();
  return enqueue(draft, "WaitingForCleanup/Init", `decommission requested by ${by.name}: ${reason}`);
}
