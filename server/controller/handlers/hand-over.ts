// The last look at a claimed host, before its tenant's network is requested: it must still be what was proven (docs/adr/0121-ready-lasts.md).
import { z } from "zod";
import { isAged } from "@/server/domain/hosts/ready-watch/age";
import { judgeReady } from "@/server/domain/hosts/ready-watch/baseline";
import { readyReading } from "@/server/domain/hosts/ready-watch/reading";
import { readOutcome, systemReading } from "@/server/controller/host/effect-outcome";
import { otherHost } from "@/server/controller/inventory/bmc-inventory";
import type { Draft } from "@/server/controller/host/draft";
import { wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";
import type { InstanceView } from "@/server/domain/hosts/record/host";

const order = z.object({ only: z.literal("watch"), of: z.string() });
const value = z.object({ system: systemReading, watched: readyReading });

const looking = "comparing the host with what was proven of it, before the tenant's network is requested";

/**
 * - `same`: it may be handed over.
 * - `changed`: it may not, because it was read and is not what was proven.
 * - `unread`: it may not, because nothing could be compared, or its proof is too old; that does not say that it changed.
 *
 * Otherwise what it waits for.
 */
type HandOver =
  | { readonly kind: "same" }
  | { readonly kind: "changed" | "unread"; readonly why: string }
  | { readonly kind: "waiting"; readonly result: HandlerResult };

/** `same`: the claimed host may go to its tenant. `takenBack`: it was not the tenant's yet, its instance has ended, and the host must be proven again. */
type Look =
  | Extract<HandOver, { readonly kind: "same" | "waiting" }>
  | { readonly kind: "takenBack"; readonly why: string };

/** The one look through which every claimed host goes, whatever it waited for. */
export function handOverLook(draft: Draft, instance: InstanceView): Look {
  // Without a machine there is nothing to compare, and an instance that is given up never gets its network.
  if (draft.fake || draft.tenancy.isReleasing) return { kind: "same" };
  const looked = lookBeforeHandOver(draft, instance);
  if (looked.kind === "same" || looked.kind === "waiting") return looked;
  const why = `it was not handed over: ${looked.why}`;
  if (looked.kind === "changed") draft.tenancy.noteReadyChanged(why);
  takeBack(draft, instance);
  return { kind: "takenBack", why };
}

/** Nothing of the host was the tenant's yet: the instance ends without a debt. */
export function takeBack(draft: Draft, instance: InstanceView): void {
  const why =
    "The host did not pass the check before its hand-over, so the instance has ended. Create it again to get another host";
  draft.tenancy.note(instance, "Error", why);
  draft.tenancy.end(instance, why);
  draft.run.setError(null);
  draft.memory.forget("handOver");
}

/** A reading is requested by a decision that saw the instance, so it is newer than the claim; one for another instance never counts. */
function lookBeforeHandOver(draft: Draft, instance: InstanceView): HandOver {
  const effect = draft.inbox.takeEffect("verify");
  const isOurs = order.safeParse(effect?.request).data?.of === instance.id;
  const outcome = effect !== null && isOurs ? readOutcome(effect, draft.view.run.generation) : null;
  switch (outcome?.kind) {
    case "pending":
      return waiting(looking, null);
    case "done":
      return judged(draft, instance, outcome.value);
    case "failed":
      return again(draft, instance, outcome.message, "unread");
    case undefined:
    case "neverSent":
    case "unknown":
      // Nothing is known since the claim, and a reading changes nothing on the host, so it is requested, or requested again.
      return read(draft, instance);
  }
}

/** Requests the reading, unless an earlier one failed and its retry is not due yet. */
function read(draft: Draft, instance: InstanceView): HandOver {
  const { handOver } = draft.context;
  const retryMs =
    handOver?.of === instance.id && handOver.retryAt !== null ? Date.parse(handOver.retryAt) : 0;
  if (retryMs > draft.nowMs)
    return waiting(`${looking}; ${draft.run.kept.lastError ?? "again soon"}`, retryMs);
  draft.request("verify", { only: "watch", of: instance.id });
  return waiting(looking, null);
}

const waiting = (reason: string, untilMs: number | null): HandOver => ({
  kind: "waiting",
  result: wait(reason, untilMs),
});

function judged(draft: Draft, instance: InstanceView, found: unknown): HandOver {
  const { watch } = draft.view;
  const { system, watched } = value.parse(found);
  const other = otherHost(draft, { system, macs: [], links: null });
  if (other !== null) return again(draft, instance, other, "changed");
  // safety: hand-over: nothing is known to compare with
  if (watch === null) return { kind: "unread", why: "nothing is recorded to compare it with" };
  // The round that rechecks aged hosts may not have come to it yet.
  const { proofMaxAgeDays: days } = draft.view.site.policy;
  // safety: hand-over: a proof past its full age
  if (isAged(watch.readySinceMs, draft.nowMs, days))
    return { kind: "unread", why: `its proof has reached the maximum age of the policy (${days} days)` };
  // safety: hand-over: a boot that is not trusted any more
  if (
    draft.view.site.policy.attestation === "required" &&
    draft.view.measurement?.state === "MeasuringFailed"
  )
    return { kind: "unread", why: "the measurements of its boot are not trusted any more" };
  const verdict = judgeReady(watch, watched, draft.nowMs);
  // safety: hand-over: a host that changed while it waited (always)
  if (verdict.kind === "same") {
    draft.run.setError(null);
    return { kind: "same" };
  }
  if (verdict.kind === "doubt") return { kind: "changed", why: verdict.why };
  // No later reading brings a record to compare with.
  return verdict.kind === "unknown"
    ? { kind: "unread", why: verdict.why }
    : again(draft, instance, verdict.why, verdict.kind === "unread" ? "unread" : "changed");
}

/** Tried again as every BMC is; a host that still cannot be read, or still looks changed, is not handed over. */
function again(draft: Draft, instance: InstanceView, message: string, kind: "changed" | "unread"): HandOver {
  const { handOver } = draft.context;
  const { bmcTries, bmcRetryMs } = draft.policy.times;
  const failures = (handOver?.of === instance.id ? handOver.failures : 0) + 1;
  if (failures >= bmcTries)
    return { kind, why: `it could not be compared with what was proven of it: ${message}` };
  const untilMs = draft.nowMs + bmcRetryMs;
  draft.run.setError(message);
  draft.memory.keep({ handOver: { of: instance.id, failures, retryAt: new Date(untilMs).toISOString() } });
  return waiting(`${looking}; ${message}`, untilMs);
}
