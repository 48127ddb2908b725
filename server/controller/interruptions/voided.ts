// Voids erases: records why, and makes the plan again (domain/sanitization/voided.ts, docs/adr/0020-a-boot-is-proven.md).
import { topLevel, waitsClean } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { eraseBegan, maxVoided } from "@/server/domain/cleaning/sanitization/voided";
import type { VoidReason } from "@/server/domain/cleaning/sanitization/voided";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const isPlan = (draft: Draft): boolean =>
  draft.reclamation !== null && draft.reclamation.kind !== "manualCleaning";

/**
 * From the accepted release, or from the beginning of a reclamation without one, to its end the host runs only our agent: one that boots by itself is
 * told to wait (docs/adr/0122-who-may-give-evidence.md). `markReleased` sets the same when it accepts a release.
 */
export function isHeld(draft: Draft): boolean {
  if (draft.fake) return false;
  // safety: held: from the accepted release on
  if (draft.tenancy.isReleasing) return true;
  return isPlan(draft) && draft.reclaimed.outcome === null;
}

/** Whether there is an erase that could be voided. */
export const mayVoid = (draft: Draft): boolean =>
  isPlan(draft) && !draft.fake && eraseBegan(draft.steps.rows);

/**
 * Something other than our agent ran on the host, or may have, so no verdict of the present plan counts any more. If every drive is already
 * verified and the clean host only waits (`waitsClean`), nothing of a tenant is left to run, and the host is just verified again.
 */
export function voidErase(draft: Draft, reason: VoidReason, message: string): void {
  if (!mayVoid(draft)) return;
  if (reason !== "unorderedReset") draft.needNewBoot();
  if (waitsClean.has(draft.state)) {
    draft.memory.prove({ sku: null, tests: null });
    return;
  }
  if (draft.context.cleaning.voided !== undefined) return;
  draft.memory.keepCleaning({
    voided: { reason, message: message.slice(0, 500), at: new Date(draft.nowMs).toISOString() },
  });
}

const waitsElsewhere: ReadonlySet<StoredState> = new Set<StoredState>([
  "WaitingForCleanup/Queued",
  "WaitingForCleanup/OnHold",
  ...waitsClean,
]);
const working: ReadonlySet<string> = new Set([
  "WaitingForCleanup",
  "BomValidating",
  "Validation",
  "HostInit",
  "ReturnToAllocation",
]);

/** Starts the plan over if its erases are void. Null: they count, or a step or a boot is waited for. */
export function planAnew(draft: Draft): HandlerResult | null {
  const { cleaning } = draft.context;
  const { voided } = cleaning;
  const { reclamation } = draft;
  if (
    voided === undefined ||
    reclamation === null ||
    !working.has(topLevel(draft.state)) ||
    waitsElsewhere.has(draft.state)
  )
    return null;
  // A boot in progress is followed to its agent first, which the new plan needs anyway.
  if (draft.context.boot !== null || draft.steps.rows.some((step) => step.status === "running")) return null;
  // An unordered boot that nothing confirmed is only a hint. A confirmed one is an unordered reset.
  const voids = (cleaning.voids ?? 0) + (voided.reason === "unorderedBoot" ? 0 : 1);
  // safety: void: not for ever
  if (voids > maxVoided)
    return fail("EraseVoided", [
      {
        key: "eraseVoided",
        raw: `the erase results were voided ${voids} times, most recently because ${voided.message}`,
      },
    ]);
  const { voided: _read, ...left } = cleaning;
  draft.memory.keep({ cleaning: { ...left, ...(voids === 0 ? {} : { voids }), job: null } });
  const plan = reclamation.plan ?? { managers: [], disabled: [] };
  draft.patchReclamation({
    planEpoch: reclamation.planEpoch + 1,
    plan: { ...plan, voided: [...(plan.voided ?? []), voided] },
  });
  draft.memory.prove({
    lastStepEpoch: null,
    memoryStepEpoch: null,
    sku: null,
    tests: null,
  });
  draft.evidence.clearVerdicts();
  draft.replaceSteps([]);
  draft.run.setCommand(null);
  // safety: void: the plan begins again (null)
  return goto("WaitingForCleanup/Init", `repeating every erase: ${voided.message}`);
}

/** Reads the signs that the host did not run our agent alone. Returns a result if the host must stop. */
export function intruded(draft: Draft): HandlerResult | null {
  const { agent } = draft.view;
  if (
    agent === null ||
    agent.bootEpoch !== draft.bootEpoch ||
    agent.bootEpoch < draft.context.minEpoch ||
    !isPlan(draft)
  )
    return null;
  if (
    !working.has(topLevel(draft.state)) &&
    draft.state !== "Assigned/BootingWithDiscoveryImage" &&
    draft.state !== "Assigned/WaitingForNetworkReconfig"
  )
    return null;
  // safety: void: an agent that was not alone (always)
  if (!agent.contested) {
    if (!agent.afterReset)
      voidErase(draft, "contestedBoot", `the restart of boot ${agent.bootEpoch} was never confirmed`);
    return null;
  }
  const message =
    draft.inbox.take("agentIdentityConflict")?.message ??
    `another agent asked to register in boot ${agent.bootEpoch}`;
  const running = draft.steps.running;
  const failure = fail("AgentIdentityConflict", [{ key: "agentConflict", raw: message }], running !== null);
  if (running !== null) draft.steps.giveUp(running, "lost", failure);
  voidErase(draft, "contestedBoot", message);
  draft.needNewBoot();
  return failure;
}
