// Begins a decommission: the host leaves allocation at once and is cleaned for the last time (docs/adr/0059-decommission.md).
import { enqueue } from "@/server/controller/interruptions/queued";
import type { Draft } from "@/server/controller/host/draft";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** Begins a requested decommission in any state that accepts it. An earlier reclamation that had stopped ends as `abandoned`. Null: none was requested. */
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
