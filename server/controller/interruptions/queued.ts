// …/Queued: a host waits for a place among those being cleaned. The tenant is already gone; only cleaning waits (docs/cleaning.md#admission).
import { isLimited } from "@/server/domain/cleaning/queue/admission";
import { brakeOn } from "@/server/domain/cleaning/queue/brake";
import type { BrakeFacts } from "@/server/domain/cleaning/queue/brake";
import { isFirmwareKnown } from "@/server/domain/cleaning/queue/narrowed";
import { unnamedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { usableAgent } from "@/server/controller/host/usable-agent";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

const firmwareOf = ({
  model,
  firmware,
}: {
  readonly model: string;
  readonly firmware?: string | undefined;
}): readonly string[] => (firmware === undefined ? [] : [`${model} ${firmware}`]);

/**
 * Whether the agent listed the drives in the host's last boot, and either runs now or did so since the reclamation began: before it, anybody may have
 * changed drives and their firmware.
 */
function isPresent(draft: Draft): boolean {
  const { agent } = draft.view.inventory;
  // safety: admission: a list of an earlier boot tells no firmware
  if (agent === null || agent.bootEpoch !== draft.bootEpoch) return false;
  const begunMs = draft.reclamation?.startedAtMs ?? Number.POSITIVE_INFINITY;
  // safety: admission: a list of before the reclamation tells no firmware (true)
  return usableAgent(draft) || agent.collectedMs >= begunMs;
}

/** What is known of the host, in the words that name brakes (`db/hot/fleet/brake.ts`). */
function factsOf(draft: Draft, steps: readonly string[]): BrakeFacts {
  const { host, image, lastAgent, inventory } = draft.view;
  const ofAgent = inventory.agent?.body.storage ?? [];
  const expected = draft.reclamation?.devices?.expected ?? [];
  const lists = {
    agent: isPresent(draft) ? ofAgent : null,
    bmc: inventory.bmc,
    expected,
    unnamed:
      unnamedStorage(inventory.agent?.body.unnamed ?? [], draft.policy.sanitization.excludedMedia).unresolved
        .length + (inventory.bmcUnresolved?.length ?? 0),
  };
  return {
    has: {
      model: host.model === null ? [] : [host.model],
      image: image !== null ? [image] : lastAgent === null ? [] : [lastAgent.agentVersion],
      driveFirmware: [...(inventory.bmc ?? []), ...expected, ...ofAgent].flatMap(firmwareOf),
      step: steps,
    },
    unknown: isFirmwareKnown(lists) ? [] : ["driveFirmware"],
  };
}

/** Why no host with these steps may begin now, or null. A claim that read no brakes shows none. */
export function brakedBy(
  draft: Draft,
  steps: readonly { readonly interface: string; readonly step: string }[],
): string | null {
  const brake = brakeOn(draft.view.brakes ?? [], factsOf(draft, steps.map(stepName)));
  return brake === null ? null : `new starts are paused: ${brake.message}`;
}

/** Sends a host into the queue; it continues with `next` once it has a place. */
export function enqueue(draft: Draft, next: State, reason: string): HandlerResult {
  draft.memory.keepCleaning({ admitted: false, waitsForPlace: false, afterQueue: next });
  return goto(
    draft.reclamation?.kind === "manualCleaning" ? "ManualCleaning/Queued" : "WaitingForCleanup/Queued",
    reason,
  );
}

export function queued(draft: Draft): HandlerResult {
  const { reclamation } = draft;
  if (reclamation === null)
    return fail("ManualInterventionRequired", [
      { key: "recordBroken", raw: "the host is queued without a reclamation" },
    ]);
  draft.inbox.take("look");
  // Claimed in a state whose claim reads no brakes; the next claim does.
  // safety: admission: a claim without brakes shows none
  if (draft.view.brakes === null) return wait("checking for a brake", draft.nowMs);
  const { cleaning } = draft.context;
  if (reclamation.queuedAtMs === null) draft.patchReclamation({ queuedAtMs: draft.nowMs });
  const braked = brakedBy(
    draft,
    draft.steps.rows.filter((step) => step.status !== "succeeded"),
  );
  // safety: admission: a brake holds back who was told to begin
  if (braked !== null) {
    draft.memory.keepCleaning({ waitsForPlace: false });
    return wait(braked, null);
  }
  // safety: admission: a place is waited for
  if (draft.inbox.take("admitted") === null && isLimited(draft.view.site.policy.admission)) {
    draft.memory.keepCleaning({ waitsForPlace: true });
    return wait("waiting for admission", null);
  }
  const next = cleaning.afterQueue;
  draft.memory.keepCleaning({ admitted: true, waitsForPlace: false, afterQueue: null });
  // Entering the next state moves the limit by the time spent in the queue.
  draft.patchReclamation({
    admittedAtMs: draft.nowMs,
    limitAtMs:
      reclamation.limitAtMs ?? (reclamation.pausedAtMs ?? draft.nowMs) + draft.policy.times.reclamationMs,
  });
  const first: State =
    reclamation.kind === "manualCleaning" ? "ManualCleaning/RunningStep" : "WaitingForCleanup/Init";
  return goto(next !== null && isState(next) ? next : first, "admitted");
}
