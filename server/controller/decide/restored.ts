// A host in a restored database: its record may be long outdated, and others may have used it since (docs/adr/0026-a-restored-database.md).
import { releaseKind } from "@/server/controller/host/tenancy";
import { emptyProven } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";
import type { Draft } from "@/server/controller/host/draft";
import { fail } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** States with nothing in progress, or with work that ends by itself; the debt on record is enough. */
const unaffected: ReadonlySet<State> = new Set<State>(["Enroll", "Verifying", "Manageable", "ForceDeletion"]);

/**
 * After `afterRestore` a host continues only when a person says so: work in progress stops, and nothing that it had proven counts. Its instance
 * and its release stay, because only people know whether the host is still the tenant's. Null: there is nothing to stop.
 */
export function stoppedByRestore(draft: Draft): HandlerResult | null {
  let epoch: number | null = null;
  for (
    let signal = draft.inbox.take("databaseRestored");
    signal !== null;
    signal = draft.inbox.take("databaseRestored")
  )
    epoch = signal.epoch;
  if (epoch === null || unaffected.has(draft.state)) return null;
  const { reclamation } = draft;
  const { instance } = draft.tenancy;
  const releasing = instance !== null && instance.releaseRequestedMs !== null;
  if (draft.state === "Assigned/Ready" && !releasing) return null;
  // safety: restore: no answer from before is read
  for (const { kind } of draft.view.effects) draft.inbox.takeEffect(kind);
  draft.run.setCommand(null);
  draft.memory.keep({
    boot: null,
    returnTo: null,
    proven: emptyProven(),
    minEpoch: draft.bootEpoch + 1,
  });
  const message = `the database was restored from a backup (epoch ${epoch}); what happened to this host since the backup is unknown`;
  const failure = fail("DatabaseRestored", [{ key: "databaseRestored", raw: message }]);
  // A step left running would block power for every later plan.
  for (const step of draft.steps.rows) {
    if (step.status !== "running") continue;
    draft.steps.giveUp(step, "lost", failure);
  }
  // safety: restore: no release begins by itself
  if (releasing && reclamation === null) draft.beginReclamation(releaseKind(instance), null, instance);
  // safety: restore: no reclamation from before goes on
  if (instance === null) draft.endReclamation("abandoned", message);
  return failure;
}
