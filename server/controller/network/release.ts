// Ends a tenant's use of a host: instance, network resources and debt, in one transaction (docs/design/lifecycle.md#how-an-instance-ends).
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { causeSentence } from "@/server/domain/cleaning/failures/text";
import { actingText, acts } from "@/server/domain/repair/health/acting";
import { deviceKey } from "@/server/domain/hosts/inventory/inventory";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { acknowledged } from "@/server/domain/hosts/network/acknowledged";
import { exclusion } from "@/server/domain/cleaning/sanitization/media-rules";
import { neverRegistered } from "@/server/controller/host/never-registered";
import { ensureNetwork, neverAcknowledged } from "@/server/controller/network/network";
import type { Draft } from "@/server/controller/host/draft";
import { fail, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** Ends the instance for the tenant, frees its network resources, and records the host's debt. */
export function endOfInstance(draft: Draft): void {
  const instance = draft.tenancy.instance;
  if (instance === null) return;
  draft.tenancy.end(instance, "Instance has ended");
  // On fake hardware a tenant leaves nothing behind.
  // safety: fake: every machine owes what its tenant left (always)
  if (draft.fake) return;
  const known = new Map(
    [...(draft.view.inventory.bmc ?? []), ...(draft.view.inventory.agent?.body.storage ?? [])].map(
      (device) => [deviceKey(device), device],
    ),
  );
  const serials = new Set([
    ...[...known.values()]
      .filter((device) => exclusion(device, draft.policy.sanitization.excludedMedia) === null)
      .map((device) => device.serial),
    ...draft.context.drives,
  ]);
  // safety: release: the debt
  draft.tenancy.owe({ driveSerials: [...serials], instanceId: instance.id, tenantId: instance.tenantId });
}

/**
 * Whatever delays a release, after `instanceEndTimeout` the host's ports are quarantined. Once that is acknowledged, the instance ends for the
 * tenant and the host fails with its debt. Null while there is time. Applies in every state that still holds the instance.
 */
export function overdueRelease(draft: Draft): HandlerResult | null {
  const requested = draft.tenancy.instance?.releaseRequestedMs ?? null;
  // After a restore only a person knows whose ports these are now.
  if (
    requested === null ||
    draft.state === "Failed/NetworkReconfigTimeout" ||
    draft.state === "Failed/DatabaseRestored"
  )
    return null;
  const limitMs = requested + draft.policy.times.instanceEndTimeoutMs;
  if (limitMs > draft.nowMs) return null;
  rememberHeldUp(draft);
  const waiting = ensureNetwork(draft, "quarantine");
  // A failed host keeps trying at its own interval: it already has its cause, and nothing else could free the ports.
  if (waiting?.kind === "fail" && isFailed(draft.state))
    return wait(
      `the release is overdue; quarantine: ${waiting.message}`,
      draft.nowMs + draft.policy.times.networkRetryMs,
    );
  // safety: release: quarantine is acknowledged before the instance ends
  if (waiting !== null)
    return waiting.kind === "wait"
      ? wait(`the release is overdue; quarantine: ${waiting.reason}`, waiting.untilMs)
      : waiting;
  endOfInstance(draft);
  draft.memory.prove({ networkVersion: null });
  return fail("NetworkReconfigTimeout", [
    {
      key: "releaseOverdue",
      facts: { seconds: Math.round(draft.policy.times.instanceEndTimeoutMs / 1_000) },
      raw: "",
    },
  ]);
}

/** States in which a release waits for an alert that prevents changes of the host. */
const waitsForAlert: ReadonlySet<State> = new Set<State>([
  "Assigned/SwitchToAdminNetwork",
  "Assigned/WaitingForNetworkReconfig",
]);

/**
 * Keeps what the release waited for as the first cause (docs/adr/0063-causes.md), because the quarantine requested now replaces it in the record.
 * A failed host already has its cause, and so has one with trouble that is being retried.
 */
function rememberHeldUp(draft: Draft): void {
  const { boot, network } = draft.context;
  if (isFailed(draft.state) || draft.troubles !== null || network?.wanted.network === "quarantine") return;
  const { health } = draft.view.run;
  if (waitsForAlert.has(draft.state) && acts(health, "PreventHostStateChanges")) {
    const alert = actingText(health, "PreventHostStateChanges");
    const cause: Cause = { key: "alertHoldsRelease", facts: { alert }, raw: "" };
    draft.trouble(cause, causeSentence(cause));
    return;
  }
  const boots = bootsInVain(draft);
  if (boots > 0) {
    const cause = neverRegistered(boots, draft.view.bootRefusal);
    draft.trouble(cause, causeSentence(cause));
    return;
  }
  if (boot?.orderedAt != null) return;
  if (network === null || network.wanted.network !== "admin" || network.askedAt === null) return;
  const answer = acknowledged(
    { wanted: network.wanted, sha256: network.sha256, acks: draft.view.acks },
    "admin",
  );
  if (answer.done) return;
  const cause = neverAcknowledged(network, answer, draft.nowMs - Date.parse(network.askedAt));
  draft.trouble(cause, causeSentence(cause));
}

/** Boots of this series in which no agent registered; the last one counts once its agent should be there. */
function bootsInVain(draft: Draft): number {
  const { boot } = draft.context;
  if (boot === null) return 0;
  return boot.orderedAt === null || isAwaited(draft, boot.orderedAt) ? boot.attempt - 1 : boot.attempt;
}

/** An agent usually registers within half its boot window; until then its absence means nothing. */
const isAwaited = ({ nowMs, policy }: Draft, orderedAt: string): boolean =>
  nowMs - Date.parse(orderedAt) < policy.times.bootWindowMs / 2;

/** When an unfinished release becomes overdue, so that a waiting host wakes up for it. */
export function releaseDeadlineMs(draft: Draft): number | null {
  const requested = draft.tenancy.instance?.releaseRequestedMs ?? null;
  return requested === null ? null : requested + draft.policy.times.instanceEndTimeoutMs;
}

/** Whether the host is on the admin network, acknowledged by every interface. */
export function onAdminNetwork(draft: Draft): boolean {
  const network = draft.context.network;
  if (network === null) return true;
  return acknowledged({ wanted: network.wanted, sha256: network.sha256, acks: draft.view.acks }, "admin")
    .done;
}
