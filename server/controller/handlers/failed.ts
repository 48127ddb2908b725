// Failed/<cause>: out of allocation until a person lets the host continue or, for some causes, until the cause ends.
import { manualTpmClear } from "@/server/domain/assurance/procedures/procedure";
import { memoryDrain } from "@/server/domain/assurance/procedures/standing";
import { gatesWithoutStep } from "@/server/domain/reclamations/gates/gate-rule";
import type { GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import { clearsTpm, readsPlatformAgain, tpmClearedByHand } from "@/server/domain/reclamations/gates/platform";
import { isOfBootHint } from "@/server/controller/interruptions/boot-hint";
import { releaseKind } from "@/server/controller/host/tenancy";
import { isState, topLevel } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { erasesOnly, ofDrives, ofGate } from "@/server/domain/reclamations/gates/exceptions";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import { holdsSlot } from "@/server/domain/cleaning/queue/admission";
import { leftoversAccepted } from "@/server/controller/decommission/removing-leftovers";
import { openStep } from "@/server/controller/steps/clean-run";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import { eraseWait } from "@/server/controller/interruptions/erase-wait";
import { inspected } from "@/server/controller/inventory/inspection";
import { beginList, inspectByAgent, runListAnew } from "@/server/controller/handlers/manual-cleaning";
import { enqueue } from "@/server/controller/interruptions/queued";
import { broughtLate, isManual, readmit } from "@/server/controller/interruptions/interruptions";
import { declaredStep, knownHardware } from "@/server/controller/inventory/known-hardware";
import { onAdminNetwork } from "@/server/controller/network/release";
import type { Draft } from "@/server/controller/host/draft";
import { goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** The state in which a retry resumes: the one that failed. Cleaning resumes at the failed step. */
function resumeState(draft: Draft): State {
  const stored = draft.context.failedIn;
  const failedIn = draft.reclamation?.stoppedIn ?? (stored !== null && isState(stored) ? stored : null);
  if (isManual(draft)) return "ManualCleaning/RunningStep";
  // The erase is already proven; only leftovers remain, whichever network the host is on.
  if (draft.leaves && failedIn !== null && topLevel(failedIn) === "Decommissioning") return failedIn;
  // This state requests the admin network itself.
  if (draft.tenancy.instance === null && failedIn === "WaitingForCleanup/Init") return failedIn;
  // safety: failed: a host on another network goes back first
  if (draft.tenancy.instance !== null || !onAdminNetwork(draft)) return "Assigned/BootingWithDiscoveryImage";
  // What an exception covers is not cleaned again. But hours may have passed, so everything is read again in a new boot before the gates.
  if (draft.failedCause === "GateUnsatisfied" && (draft.view.exceptions ?? []).length > 0)
    return "BomValidating/BootingAgent";
  // Nothing has to be erased again for the platform or for tests: they are read and run again in a new boot.
  if (draft.failedCause === "GateUnsatisfied" && readsPlatformAgain(draft.troubles))
    return "BomValidating/BootingAgent";
  if (failedIn === null || failedIn === "ReturnToAllocation/EvaluatingGates") return "WaitingForCleanup/Init";
  // After a missing device the list is frozen again, because the drive may be back. After changed content a new plan erases the drives again.
  if (draft.failedCause === "DeviceMissing" || draft.failedCause === "ContentChanged")
    return "WaitingForCleanup/Init";
  if (
    topLevel(failedIn) === "WaitingForCleanup" &&
    failedIn !== "WaitingForCleanup/Init" &&
    failedIn !== "WaitingForCleanup/Queued"
  )
    return stateOfOpenStep(draft);
  // Hardware may have changed while the host was stopped: a new inventory is compared with the SKU and the treated drives before the tests.
  if (topLevel(failedIn) === "Validation") return "BomValidating/BootingAgent";
  return failedIn;
}

/** Cleaning resumes at the failed step; without a plan, by making one. */
function stateOfOpenStep(draft: Draft): State {
  const row = openStep(draft);
  const declared = row === undefined ? null : declaredStep(draft, row);
  if (declared !== null) return declared.state;
  return draft.steps.rows.length > 0 ? "WaitingForCleanup/HostCleanup" : "WaitingForCleanup/Init";
}

/**
 * Leaves out a failed step whose gates an exception, or for the memory a signed drain of the host's power, covers, and one that should have cleared the TPM once
 * that was cleared by hand. Returns whether it did.
 */
function leaveOutForGate(draft: Draft): boolean {
  const { reclamation } = draft;
  const row = draft.steps.rows.find((step) => step.status === "failed");
  if (row === undefined || reclamation === null || draft.leaves || isManual(draft)) return false;
  if (
    clearsTpm(row) &&
    tpmClearedByHand(draft.policy.procedures, draft.view.assurance, draft.nowMs) !== undefined
  ) {
    draft.steps.patch(row, { status: "excepted", message: `${manualTpmClear} takes its place` });
    draft.memory.prove({ lastStepEpoch: draft.bootEpoch });
    return true;
  }
  const gates = gatesWithoutStep(draft.steps.rows);
  const facts = { reclamationId: reclamation.id, planEpoch: reclamation.planEpoch, nowMs: draft.nowMs };
  const { assurance, exceptions } = draft.view;
  const drained =
    assurance !== null && memoryDrain(draft.policy.procedures, assurance, draft.nowMs) !== undefined;
  const isCovered = (found: GateResult): boolean =>
    ofGate(found, exceptions ?? [], facts).length > 0 || (found.gate === "memoryOverwritten" && drained);
  // safety: exceptions: a step is left out for the gates that were let through
  if (gates.length === 0 || !gates.every(isCovered)) return false;
  draft.steps.patch(row, { status: "excepted", message: "an exception or a drain takes its place" });
  draft.memory.prove({ lastStepEpoch: draft.bootEpoch });
  return true;
}

/**
 * Leaves out the failed step if exceptions cover all of its drives that are not sanitized; the gates show whatever else it had to do.
 * Not while a drive may still be erasing.
 */
function leaveOut(draft: Draft): void {
  const row = draft.steps.rows.find((step) => step.status === "failed");
  const { reclamation } = draft;
  if (row === undefined || reclamation === null || !erasesOnly(row) || draft.leaves) return;
  const declared = declaredStep(draft, row);
  // safety: exceptions: an erase that may run on is no step that is over
  if (declared === null || draft.erase.untilMs !== null) return;
  const verdicts = draft.evidence.verdicts;
  const open = declared
    .devices(knownHardware(draft), row.args)
    .filter((device) => {
      const found = verdicts.find((each) => deviceKey(each) === deviceKey(device));
      return found?.verdict !== "sanitized";
    })
    .map(deviceKey);
  const facts = { reclamationId: reclamation.id, planEpoch: reclamation.planEpoch, nowMs: draft.nowMs };
  const through = new Set(
    ofDrives(verdicts, draft.view.exceptions ?? [], facts).flatMap(({ device }) =>
      device === null ? [] : [deviceKey(device)],
    ),
  );
  // safety: exceptions: a step is left out for the drives that were let through
  if (open.length === 0 || open.some((key) => !through.has(key))) return;
  draft.steps.patch(row, { status: "excepted", message: "its drives passed by exceptions" });
  // The step may have run in this boot, so this boot cannot be the final one.
  draft.memory.prove({ lastStepEpoch: draft.bootEpoch });
}

function retry(draft: Draft, reason: string): HandlerResult {
  if (!leaveOutForGate(draft)) leaveOut(draft);
  const target = resumeState(draft);
  // A retry needs the earlier attempt to be over. An attempt whose result never came is over only after a new boot.
  const open = draft.steps.rows.find((step) => step.status === "failed");
  if (open !== undefined) {
    draft.steps.patch(open, {
      status: "planned",
      maxAttempts:
        open.attempt +
        (open.where === "agent" ? draft.policy.attempts.agent : draft.policy.attempts.controller),
      endedAtMs: null,
    });
  }
  // A drive that was put back or replaced is seen only by an agent that boots afterwards, not in the earlier report.
  if (
    target === "BomValidating/BootingAgent" ||
    draft.failedCause === "DeviceMissing" ||
    draft.failedCause === "ContentChanged"
  )
    draft.needNewBoot();
  if (isManual(draft) && draft.failedCause === "DeviceMissing") draft.patchReclamation({ devices: null });
  if (target === "BomValidating/BootingAgent") draft.memory.prove({ sku: null, tests: null });
  draft.clearFailure();
  return holdsSlot(target) ? readmit(draft, target, reason) : goto(target, reason);
}

export function failed(draft: Draft): HandlerResult {
  draft.inbox.take("stepReport");
  const late = broughtLate(draft);
  if (late !== null) return late;
  // The next decision sees what was just read, so other requests wait for it.
  const byAgent = draft.takeIntent("inspectByAgent");
  // This inspection began in Manageable and simply starts over: the host has no other failure.
  if (byAgent !== null && draft.context.inspection?.agent === true && isManual(draft))
    return inspectByAgent(draft, byAgent);
  if (inspected(draft, draft.takeIntent("inspect") ?? byAgent))
    return wait(draft.run.kept.lastError ?? "needs attention", draft.inbox.leaveRest() ? draft.nowMs : null);
  if (leftoversAccepted(draft)) return retry(draft, "leftovers accepted");
  if (draft.takeIntent("retry") !== null) return retry(draft, "retry requested");
  if (draft.takeIntent("restart") !== null) {
    draft.needNewBoot();
    const { voids: _voids, ...cleaning } = draft.context.cleaning;
    draft.memory.keep({ cleaning: { ...cleaning, versionRestarts: 0 } });
    draft.clearFailure();
    if (isManual(draft)) return runListAnew(draft);
    return draft.tenancy.instance === null && (draft.leaves || onAdminNetwork(draft))
      ? enqueue(draft, "WaitingForCleanup/Init", "restart requested")
      : goto("Assigned/BootingWithDiscoveryImage", "restart requested");
  }
  if (draft.tenancy.instance === null && draft.takeIntent("manage") !== null) {
    draft.clearFailure();
    draft.endReclamation("abandoned", "an operator moved the host to Manageable");
    draft.run.setCommand(null);
    return goto("Manageable", "manage requested");
  }
  const clean = draft.takeIntent("clean");
  if (clean !== null) return beginList(draft, clean);
  const release = draft.takeIntent("release");
  if (
    draft.reclamation === null &&
    draft.tenancy.instance !== null &&
    draft.tenancy.instance.releaseRequestedMs !== null
  ) {
    draft.beginReclamation(releaseKind(draft.tenancy.instance), release?.by ?? null, draft.tenancy.instance);
    draft.needNewBoot();
    return goto("Assigned/BootingWithDiscoveryImage", "the release was accepted");
  }
  if (draft.failedCause === "BmcUnreachable") return watchBmc(draft);
  const message = draft.run.kept.lastError ?? "needs attention";
  return eraseWait(draft, message) ?? wait(message, null);
}

/**
 * A BMC that answers a read ends nothing: what it did not do remains the first cause if the release times out before a restart is proven
 * (docs/adr/0063-causes.md). A release continues with a boot; that boot, or an agent that is there, ends the trouble.
 */
function goOnByItself(draft: Draft): HandlerResult {
  const { trouble } = draft.context;
  const said = draft.run.kept.lastError;
  const next = retry(draft, "the BMC responds again");
  if (draft.tenancy.isReleasing && trouble !== undefined) {
    draft.run.setError(said);
    draft.memory.keep({ trouble });
  }
  return next;
}

/** Retries by itself once the BMC answers (docs/lifecycle.md#failed). */
function watchBmc(draft: Draft): HandlerResult {
  const effect = draft.inbox.takeEffect("readSystem", (read) => !isOfBootHint(read));
  const nextMs = draft.nowMs + draft.policy.times.bmcRetryMs;
  if (effect !== null) {
    const outcome = readOutcome(effect, draft.view.run.generation);
    if (outcome.kind === "pending") return wait("checking whether the BMC responds", null);
    if (outcome.kind === "done") return goOnByItself(draft);
    return wait(draft.run.kept.lastError ?? "the BMC does not respond", nextMs);
  }
  // A BMC that answers reads and refuses everything else must not be polled without a pause.
  if (draft.nowMs - draft.run.enteredMs < draft.policy.times.bmcRetryMs)
    return wait(
      draft.run.kept.lastError ?? "the BMC does not respond",
      draft.run.enteredMs + draft.policy.times.bmcRetryMs,
    );
  draft.request("readSystem", {});
  return wait(draft.run.kept.lastError ?? "checking whether the BMC responds", null);
}
