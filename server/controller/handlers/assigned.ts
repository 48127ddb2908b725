// Assigned/…: a tenant has the host, or is giving it back.
import { releaseKind } from "@/server/controller/host/tenancy";
import { emptyProven } from "@/server/domain/lifecycle/context";
import { actingText, acts } from "@/server/domain/repair/health/acting";
import { isRefusal } from "@/server/controller/host/bmc-cause";
import { readOutcome } from "@/server/controller/host/effect-outcome";
import { ensureAgent } from "@/server/controller/boot/boot";
import { ensureNetwork, tenantExit, wantNetwork } from "@/server/controller/network/network";
import { endOfInstance } from "@/server/controller/network/release";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** Accepts a release in any Assigned state that precedes it. Null: none was requested. */
export function released(draft: Draft): HandlerResult | null {
  const release = draft.takeIntent("release");
  // The use case marks the instance in the transaction that writes the signal. The mark counts; the signal only wakes and names the requester.
  // A signal that names an earlier instance of this host must not end the present one.
  // safety: release: of the present instance only
  if ((draft.tenancy.instance?.releaseRequestedMs ?? null) === null) {
    if (release !== null)
      draft.inbox.refuse({
        intent: "release",
        reason: "the instance on this host has not been released",
        requestId: release.by.requestId,
      });
    return null;
  }
  draft.inbox.takeEffect("bootDisk");
  draft.inbox.takeEffect("network");
  draft.memory.keep({
    boot: null,
    proven: emptyProven(),
    minEpoch: draft.bootEpoch + 1,
  });
  draft.beginReclamation(releaseKind(draft.tenancy.instance), release?.by ?? null, draft.tenancy.instance);
  return goto("Assigned/BootingWithDiscoveryImage", "the release was accepted");
}

export function waitingForNetworkConfig(draft: Draft): HandlerResult {
  const release = released(draft);
  if (release !== null) return release;
  const waiting = ensureNetwork(draft, "tenant");
  if (waiting !== null) return waiting;
  // The network controller's answers from before it accepted the request no longer matter; left here they would read as a failed restart.
  draft.run.setError(null);
  draft.memory.forgetBootDevice("any");
  draft.request("bootDisk", {});
  return goto("Assigned/WaitingForRebootToReady", "every interface acknowledged the tenant's network");
}

export function waitingForRebootToReady(draft: Draft): HandlerResult {
  const release = released(draft);
  if (release !== null) return release;
  const effect = draft.inbox.takeEffect("bootDisk");
  const again = (reason: string): HandlerResult => wait(reason, draft.nowMs + draft.policy.times.bmcRetryMs);
  if (effect === null) {
    // Woken by time or another signal. With nothing in progress the restart is requested again, in the way that needs no reset mark.
    const before = draft.run.kept.lastError;
    if (before === null) return wait("the host restarts into the tenant's image", null);
    draft.request("bootDisk", { offAndOn: true });
    draft.run.setError(null);
    return wait(
      `the host is restarting into the tenant's image; the last attempt failed: ${before}${tenantExit}`,
      null,
    );
  }
  const outcome = readOutcome(effect, draft.view.run.generation);
  if (outcome.kind === "failed" || (outcome.kind === "unknown" && outcome.message !== null)) {
    draft.run.setError(outcome.message);
    const refused = outcome.kind === "failed" && isRefusal(outcome.errorKind);
    return again(`the BMC ${refused ? "refuses the restart" : "failed"}: ${outcome.message}${tenantExit}`);
  }
  switch (outcome.kind) {
    case "pending":
      return wait("the host restarts into the tenant's image", null);
    case "neverSent":
    case "unknown":
      // No tenant is on the host yet, so one more restart harms nobody.
      draft.request("bootDisk", { offAndOn: true });
      return wait("the host restarts into the tenant's image", null);
    case "done":
      if (draft.tenancy.instance === null)
        return fail("ManualInterventionRequired", [{ key: "recordBroken", raw: "the instance is gone" }]);
      draft.run.setError(null);
      draft.tenancy.setReady(draft.tenancy.instance);
      return goto("Assigned/Ready", "the host restarted into the tenant's image");
  }
}

export function assignedReady(draft: Draft): HandlerResult {
  return released(draft) ?? wait("in use by a tenant", null);
}

export function bootingWithDiscoveryImage(draft: Draft): HandlerResult {
  draft.takeIntent("release");
  const waiting = ensureAgent(draft);
  if (waiting !== null) return waiting;
  // Earlier failures of the BMC are over: whatever delays the release from here on is something else.
  draft.run.setError(null);
  return goto("Assigned/SwitchToAdminNetwork", "the agent registered");
}

/** An alert delays the switch of the network and the end of the instance. Once the release is overdue, the ports are quarantined anyway. */
function heldByAlert({ view: { run } }: Draft): HandlerResult | null {
  return acts(run.health, "PreventHostStateChanges")
    ? wait(
        `an alert is delaying the release: ${actingText(run.health, "PreventHostStateChanges")}; it continues when the alert is cleared or its report is removed`,
        null,
      )
    : null;
}

export function switchToAdminNetwork(draft: Draft): HandlerResult {
  const held = heldByAlert(draft);
  // safety: release: an alert that prevents changes waits
  if (held !== null) return held;
  wantNetwork(draft, "admin");
  return goto("Assigned/WaitingForNetworkReconfig", "the admin network was requested");
}

export function waitingForNetworkReconfig(draft: Draft): HandlerResult {
  const waiting = ensureNetwork(draft, "admin");
  // safety: release: the network is back before the instance ends
  if (waiting !== null) return waiting;
  const held = heldByAlert(draft);
  // safety: release: an alert that came meanwhile waits, too
  if (held !== null) return held;
  endOfInstance(draft);
  return goto(
    "WaitingForCleanup/Queued",
    "every interface acknowledged the admin network; the instance ended",
  );
}
