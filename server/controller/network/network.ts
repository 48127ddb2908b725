// Requests a network from the site's network controller, by version, until every interface has acknowledged it.
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import { acknowledged } from "@/server/domain/hosts/network/acknowledged";
import type { Unacknowledged } from "@/server/domain/hosts/network/acknowledged";
import { isAttachedTo, wantedDigest } from "@/server/domain/hosts/network/wanted-digest";
import type { NetworkContext } from "@/server/domain/lifecycle/context";
import { isFailed } from "@/server/domain/lifecycle/states";
import type { FailureCause } from "@/server/domain/lifecycle/states";
import type { EffectOutcome } from "@/server/controller/host/effect-outcome";
import { noController, readOutcome } from "@/server/controller/host/effect-outcome";
import type { Draft } from "@/server/controller/host/draft";
import { fail, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** For a host that is being given to a tenant: retries never end, except by a release of the instance. */
export const tenantExit = ". Reclaim retries until it succeeds; to give up the host, release its instance";

/** An accepted request needs no decision, because each acknowledgement wakes the host. It is looked at after this all the same. */
const acknowledgedWithinMs = 60_000;

/** Requests a network unless it is already the wanted one. The version rises with each change and never otherwise. */
export function wantNetwork(draft: Draft, network: NetworkWanted["network"]): void {
  const before = draft.context.network;
  const attachment = network === "tenant" ? (draft.tenancy.instance?.network ?? null) : null;
  // A controller of an earlier release requests a tenant's network without the tenant's attachment.
  const isNamed = before === null || attachment === null || isAttachedTo(before.wanted, attachment);
  if (before?.wanted.network === network && isNamed) return;
  const wanted: NetworkWanted = {
    host: draft.view.run.hostId,
    version: (before?.wanted.version ?? 0) + 1,
    network,
    tenant: network === "tenant" ? (draft.tenancy.instance?.tenantId ?? null) : null,
    interfaces: [...draft.view.host.networkInterfaces],
    extensionServices: network === "tenant",
    ...(attachment !== null ? { attachment } : {}),
  };
  draft.inbox.takeEffect("network");
  draft.memory.keep({
    network: { wanted, sha256: wantedDigest(wanted), askedAt: null, retryAt: null, failures: 0 },
  });
  draft.request("network", { ...wanted }, acknowledgedWithinMs);
}

/** Null if every interface has acknowledged. Otherwise follows up the request and returns what it waits for. */
export function ensureNetwork(draft: Draft, network: NetworkWanted["network"]): HandlerResult | null {
  wantNetwork(draft, network);
  const asked = draft.context.network;
  if (asked === null) throw new Error("a network was just requested");
  let context = asked;
  const keep = (change: Partial<NetworkContext>): void => {
    context = { ...context, ...change };
    draft.memory.keep({ network: context });
  };
  const sent = draft.inbox.takeEffect("network");
  if (sent !== null && context.askedAt === null) {
    const outcome = readOutcome(sent, draft.view.run.generation);
    if (outcome.kind === "done") {
      keep({ askedAt: new Date(sent.settledAtMs ?? draft.nowMs).toISOString(), failures: 0, retryAt: null });
      if (isOver(draft, network)) draft.run.setError(null);
    } else if (outcome.kind === "failed" || (outcome.kind === "unknown" && outcome.message !== null)) {
      keep({ failures: context.failures + 1 });
      if (context.failures === definiteAfter)
        tellTenant(draft, `the site's network controller failed ${definiteAfter} times`);
      const over = givenUp(draft, context, outcome);
      if (over !== null) return over;
      keep({ retryAt: new Date(draft.nowMs + draft.policy.times.networkRetryMs).toISOString() });
      draft.trouble(failing(context, outcome, "networkFails"), outcome.message ?? "");
    } else if (outcome.kind !== "pending") {
      // The request carries its version, so it is idempotent.
      draft.request("network", { ...context.wanted }, acknowledgedWithinMs);
    }
  }
  // A request in progress has no answer yet, and a second one would be the same.
  if (draft.takeIntent("askNetwork") !== null && (context.askedAt !== null || context.retryAt !== null))
    keep({ askedAt: null, failures: 0, retryAt: new Date(draft.nowMs).toISOString() });
  if (context.retryAt !== null) {
    const retryMs = Date.parse(context.retryAt);
    if (retryMs > draft.nowMs)
      return wait(
        `the network controller failed ${context.failures} times: ${draft.run.kept.lastError ?? ""}${context.failures < definiteAfter ? "" : exitOf(context)}`,
        retryMs,
      );
    keep({ retryAt: null });
    draft.request("network", { ...context.wanted }, acknowledgedWithinMs);
  }
  const state = acknowledged(
    { wanted: context.wanted, sha256: context.sha256, acks: draft.view.acks },
    network,
  );
  if (!state.done) return unacknowledged(draft, context, state);
  draft.memory.prove({ networkVersion: context.wanted.version });
  return null;
}

/** What people can do about a network that a tenant waits for, since the host does not fail there. */
const exitOf = ({ wanted }: NetworkContext): string => (wanted.network === "tenant" ? tenantExit : "");

/** After this many failures, a refusal by the controller is taken as final. */
const definiteAfter = 3;

/** The controller answered that it will not do it, or it may not be asked at its address. */
const isDefinite = ({ kind, errorKind }: Answer): boolean =>
  kind === "failed" && (errorKind === "unsupported" || errorKind === "refused");

/**
 * Stops asking a controller that fails. A host that a tenant waits for does not fail: there is no reclamation to retry, and the tenant may give
 * the host up. Null while there is time.
 */
function givenUp(draft: Draft, context: NetworkContext, answer: Answer): HandlerResult | null {
  if (draft.reclamation === null) return null;
  const { networkRetryMs, stateMs } = draft.policy.times;
  const { failures } = context;
  if (answer.errorKind === noController)
    return stopAsking(
      draft,
      context,
      "NetworkNotConfigured",
      failing(context, answer, "networkNotConfigured"),
    );
  // safety: network: a controller that is none is not asked for ever
  if (isDefinite(answer) && failures >= definiteAfter) {
    return stopAsking(draft, context, "NetworkRefused", failing(context, answer, "networkRefused"));
  }
  if (failures * networkRetryMs < stateMs) return null;
  return stopAsking(draft, context, "NetworkUnreachable", failing(context, answer, "networkFails"));
}

type Answer = Extract<EffectOutcome, { readonly kind: "failed" | "unknown" }>;

/** The cause for a network controller that does not accept the request. */
const failing = (
  { wanted, failures }: NetworkContext,
  { answer, message }: Answer,
  key: "networkFails" | "networkNotConfigured" | "networkRefused",
): Cause => ({
  key,
  device: { kind: "network" },
  facts: { network: wanted.network, tries: failures },
  ...(answer === null ? {} : { status: { bus: "redfish", ...answer } }),
  raw: message ?? "",
});

/** Adds to the status history that the tenant reads: no addresses or interfaces of the site. */
function tellTenant(draft: Draft, why: string): void {
  const { instance } = draft.tenancy;
  if (instance === null || draft.reclamation !== null) return;
  draft.tenancy.note(
    instance,
    "Provisioning",
    `The network is not ready: ${why}. Reclaim retries until it succeeds. To give up the host, release the instance.`,
  );
}

const silentExit = ({ wanted }: NetworkContext): string =>
  wanted.network === "tenant" ? "; check those interfaces, or release the instance to give up the host" : "";

/** The controller accepted the request, and some interface has not acknowledged it. */
function unacknowledged(draft: Draft, context: NetworkContext, state: Unacknowledged): HandlerResult {
  const { reason } = state;
  if (context.askedAt === null) return wait(reason, null);
  const untilMs = Date.parse(context.askedAt) + draft.policy.times.stateMs;
  // safety: network: a controller that stays silent (always)
  if (untilMs > draft.nowMs) return wait(reason, untilMs);
  const minutes = Math.round(draft.policy.times.stateMs / 60_000);
  if (draft.reclamation === null) {
    tellTenant(draft, `not every interface has acknowledged it after ${minutes} min`);
    // The controller may have lost the request. It carries its version, so it is idempotent.
    draft.memory.keep({ network: { ...context, askedAt: null } });
    draft.request("network", { ...context.wanted }, acknowledgedWithinMs);
    return wait(
      `${reason}, ${minutes} min after the network controller accepted the request${silentExit(context)}`,
      null,
    );
  }
  return stopAsking(
    draft,
    context,
    "NetworkTimeout",
    neverAcknowledged(context, state, draft.policy.times.stateMs),
  );
}

/** The cause for interfaces that have not acknowledged a network that the controller accepted `ms` ago. Pure. */
export const neverAcknowledged = (
  { wanted }: NetworkContext,
  { waiting, reason }: Unacknowledged,
  ms: number,
): Cause => ({
  key: "networkSilent",
  device: { kind: "network" },
  facts: { network: wanted.network, seconds: Math.round(ms / 1_000), interfaces: waiting.join(", ") },
  raw: reason,
});

/** Whether the trouble was with this network: accepting another one, such as the quarantine, ends no earlier cause. */
function isOver(draft: Draft, network: NetworkWanted["network"]): boolean {
  const first = draft.troubles?.[0];
  return !isFailed(draft.state) && first?.device?.kind === "network" && first.facts?.["network"] === network;
}

/** Fails, and resets the request so that whoever asks next starts over. */
function stopAsking(
  draft: Draft,
  context: NetworkContext,
  failure: FailureCause,
  cause: Cause,
): HandlerResult {
  draft.memory.keep({
    network: {
      ...context,
      askedAt: null,
      failures: 0,
      retryAt: new Date(draft.nowMs).toISOString(),
    },
  });
  return fail(failure, [cause]);
}
