// Enroll, Verifying, Manageable, Ready, ForceDeletion: a host in the provider's hands.
import { isRevoked } from "@/server/controller/boot/measured";
import { atWork } from "@/server/domain/repair/health/acting";
import { incomparable } from "@/server/domain/reclamations/gates/storage";
import { keepBoot, keptOf } from "@/server/controller/inventory/bmc-inventory";
import { readOutcome, verifyValue } from "@/server/controller/host/effect-outcome";
import { identify } from "@/server/controller/inventory/identity";
import { learnedUnexpected } from "@/server/domain/hosts/enrolment/expected-identity";
import { enqueue } from "@/server/controller/interruptions/queued";
import { beginList, inspectByAgent } from "@/server/controller/handlers/manual-cleaning";
import { inspected } from "@/server/controller/inventory/inspection";
import { touchedText } from "@/server/controller/inventory/content";
import { handOverLook } from "@/server/controller/handlers/hand-over";
import { endOfInstance } from "@/server/controller/network/release";
import type { Draft } from "@/server/controller/host/draft";
import { goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

export function enroll(draft: Draft): HandlerResult {
  if (draft.takeIntent("manage") !== null) {
    draft.run.setError(null);
    draft.request("verify", {});
    return goto("Verifying", "manage requested");
  }
  return wait("waiting for manage", null);
}

/** A `provide` requested at enrolment waits until the BMC has been read. A host that goes back to Enroll is not provided. */
export function verifying(draft: Draft): HandlerResult {
  const result = readBmc(draft);
  if (result.kind === "wait") draft.inbox.leave("provide");
  return result;
}

function readBmc(draft: Draft): HandlerResult {
  // Requested in this decision: an existing reading is an old one, and its claim did not look up whose identity it shows.
  // safety: provider: no reading whose identity nobody looked up
  if (draft.view.run.state !== "Verifying") return wait("reading the BMC", null);
  const effect = draft.inbox.takeEffect("verify");
  if (effect === null) {
    // Nothing is in progress: an earlier reading failed, and its retry is due.
    if (draft.run.kept.lastError !== null) draft.request("verify", {});
    return wait("reading the BMC", null);
  }
  const outcome = readOutcome(effect, draft.view.run.generation);
  const back = (message: string): HandlerResult => {
    draft.run.setError(message);
    return goto("Enroll", message);
  };
  switch (outcome.kind) {
    case "pending":
      return wait("reading the BMC", null);
    case "neverSent":
    case "unknown":
      draft.request("verify", {});
      return wait("reading the BMC again", null);
    case "failed": {
      // A failed reading is not final: a BMC that is starting or busy also gives such answers.
      const againMs = draft.nowMs + draft.policy.times.bmcRetryMs;
      if (outcome.errorKind !== "failed" || againMs - draft.run.enteredMs >= draft.policy.times.verifyingMs)
        return back(outcome.message);
      draft.run.setError(outcome.message);
      return wait(`retrying the BMC: ${outcome.message}`, againMs);
    }
    case "done": {
      const found = verifyValue.parse(outcome.value);
      const identity = identify(draft.view.host, found, draft.view.told);
      if (identity.kind === "refused") return back(identity.message);
      if (identity.kind === "learned" && identity.eraseUntilMs !== null) {
        // safety: provider: the erase of a learned chassis
        draft.erase.foundUntil(identity.eraseUntilMs);
      }
      draft.hardware.keep({
        ...keptOf(found),
        learned: identity.kind === "learned" ? identity.learned : null,
      });
      keepBoot(draft, found);
      draft.run.setError(null);
      return goto("Manageable", "identity, power and inventory were read from the BMC");
    }
  }
}

export function manageable(draft: Draft): HandlerResult {
  const unexpected = learnedUnexpected(draft.view.host);
  // safety: provider: what an earlier release learned is compared before anything begins
  if (unexpected !== null) {
    draft.run.setError(unexpected);
    return goto("Enroll", unexpected);
  }
  // Verified in this decision: requests are left to the next one, which sees what was learned, the debt and the drives.
  // safety: provider: what was just learned is seen before anything begins
  if (draft.hardware.found !== null)
    return wait("waiting for provide or clean", draft.inbox.leaveRest() ? draft.nowMs : null);
  const { inspection } = draft.context;
  // Its list was given up, or ended under a release that does not know this kind of inspection (docs/adr/0024-rolling-upgrade.md).
  if (inspection?.agent === true && inspection.readAt === null && inspection.message === null)
    draft.memory.forget("inspection");
  const byAgent = draft.takeIntent("inspectByAgent");
  if (byAgent !== null && !draft.fake) return inspectByAgent(draft, byAgent);
  // A fake host has no agent to ask, so its inventory is read as for `inspect`.
  if (inspected(draft, draft.takeIntent("inspect") ?? byAgent))
    return wait("waiting for provide or clean", draft.inbox.leaveRest() ? draft.nowMs : null);
  if (draft.takeIntent("manage") !== null) {
    draft.memory.forget("inspection");
    draft.run.setError(null);
  }
  const clean = draft.takeIntent("clean");
  if (clean !== null) return beginList(draft, clean);
  const provide = draft.takeIntent("provide");
  if (provide === null) return wait("waiting for provide or clean", null);
  draft.run.setError(null);
  draft.memory.forget("inspection");
  draft.beginReclamation("onboarding", provide.by, null);
  return goto("WaitingForCleanup/Queued", "provide requested");
}

export function ready(draft: Draft): HandlerResult {
  const assign = draft.takeIntent("assign");
  // The claim wrote the instance in its own statement. The row counts; the signal only wakes.
  const { instance } = draft.tenancy;
  // safety: provider: a claimed host is not managed away
  if (instance !== null) {
    draft.run.setAllocatable(false);
    const looked = handOverLook(draft, instance);
    if (looked.kind === "waiting") return looked.result;
    if (looked.kind === "takenBack")
      return draft.context.exceptedUntil === undefined
        ? recheck(draft, looked.why)
        : cleanAnew(draft, looked.why);
    const { network, drives, eraseUntil } = draft.context;
    draft.memory.begin({ network, drives, eraseUntil });
    draft.run.setCommand(null);
    draft.tenancy.note(instance, "Provisioning", "The host's network is being configured");
    return goto("Assigned/WaitingForNetworkConfig", "claimed by an instance");
  }
  if (assign !== null)
    draft.inbox.refuse({
      intent: "assign",
      reason: "the instance is not on this host",
      requestId: assign.by.requestId,
    });
  if (draft.takeIntent("manage") !== null) {
    draft.run.setAllocatable(false);
    return goto("Manageable", "manage requested");
  }
  if (draft.run.kept.maintenance)
    return wait(`in maintenance: ${draft.run.kept.maintenanceReason ?? "no reason given"}`, null);
  const work = draft.run.kept.touched && !draft.fake ? atWork(draft.view.run.health) : null;
  // safety: recheck: a host that somebody works on is not restarted
  if (work !== null) return wait(work, null);
  const { exceptedUntil } = draft.context;
  const untilMs = exceptedUntil === undefined ? null : Date.parse(exceptedUntil);
  // safety: exceptions: the end of one takes the host out of allocation
  if (untilMs !== null && draft.nowMs >= untilMs)
    return cleanAnew(draft, "an exception that the host's Ready state relied on has ended");
  // safety: recheck: a host that was touched is checked again (never)
  if (!draft.run.kept.touched || draft.fake) return wait("available for allocation", untilMs);
  // safety: exceptions: a touched host that rested on one is not only looked at
  return untilMs === null && !isRevoked(draft)
    ? recheck(draft, touchedText(draft))
    : cleanAnew(draft, touchedText(draft));
}

/** An exception belongs to one reclamation. The next one must prove what it covered, which a mere recheck would not do. */
function cleanAnew(draft: Draft, why: string): HandlerResult {
  draft.run.setAllocatable(false);
  draft.beginReclamation("recheck", null, null);
  draft.needNewBoot();
  draft.run.setCommand(null);
  return goto("WaitingForCleanup/Queued", `${why}; it is cleaned again`);
}

/**
 * Somebody may have touched the host: a new boot shows whether it is unchanged. Where no boot could show that, because the host owes a
 * sanitization or its drives cannot all be compared, the host is cleaned like one that is provided.
 */
function recheck(draft: Draft, why: string): HandlerResult {
  const known = draft.view.lastReady;
  draft.run.setAllocatable(false);
  draft.beginReclamation("recheck", null, null);
  draft.needNewBoot();
  draft.run.setCommand(null);
  // safety: recheck: a host that owes is cleaned
  if (draft.tenancy.debts > 0)
    return goto(
      "WaitingForCleanup/Queued",
      `${why}; the host has a sanitization debt, so its drives are erased`,
    );
  if (known === null || known.content === null || known.content.drives.length === 0)
    return goto("WaitingForCleanup/Queued", `${why}; the drives' content is unknown, so they are erased`);
  const hidden = incomparable(known.devices?.expected ?? [], known.content);
  // safety: recheck: a host whose drives cannot all be compared is cleaned
  if (hidden !== undefined)
    return goto(
      "WaitingForCleanup/Queued",
      `${why}; the content of drive ${hidden.serial} cannot be compared with its recorded content, so the drives are erased`,
    );
  draft.patchReclamation({
    devices: known.devices,
    content: { ...known.content, since: "ready", read: null },
    platform: known.platform,
  });
  return enqueue(draft, "BomValidating/BootingAgent", `${why}; the host is checked again`);
}

/** The host leaves Reclaim without being cleaned. Its debts and any erase that may still run stay on record by serial. */
export function forceDeletion(draft: Draft): HandlerResult {
  // safety: provider: an erase outlives its host
  draft.hardware.leaveErase(draft.erase.afterDeletionUntilMs);
  endOfInstance(draft);
  draft.endReclamation("forceDeleted", "removed by an administrator; not cleaned");
  draft.hardware.delete();
  return wait("removed", null);
}
