// Ordering a boot, leaving the one before it, and what the BMC tells of restarts (docs/adr/0020-a-boot-is-proven.md).
import { compareResetMarks } from "@/server/domain/hosts/reset-mark";
import { eraseBegan } from "@/server/domain/sanitization/voided";
import type { Draft } from "@/server/controller/host/draft";
import { bootValue, readOutcome, setForEveryBoot } from "@/server/controller/host/effect-outcome";
import type { BootValue } from "@/server/controller/host/effect-outcome";
import { voidErase } from "@/server/controller/interruptions/voided";
import { phaseOf, storageWithBoot } from "@/server/controller/inventory/bmc-storage";

/** Orders the next boot, the `attempt`th of this wait. */
export const restart = (draft: Draft, attempt: number): void => {
  leaveBoot(draft);
  draft.run.nextBoot(showsAll(draft));
  draft.memory.forget("bootToClear");
  draft.erase.over();
  draft.memory.keep({
    boot: { epoch: draft.bootEpoch, attempt, orderedAt: null, bmcFailures: 0, retryAt: null },
  });
  order(draft);
};

/**
 * Whether what somebody may have done to the host before this boot can be seen after it: on a drive that only its BMC reaches, and that was to be
 * erased before, it cannot. Such a host stays touched until its plan is made anew (docs/adr/0028-recheck-after-maintenance.md).
 */
function showsAll(draft: Draft): boolean {
  const hidden = (draft.reclamation?.devices?.expected ?? []).some(({ outOfBand }) => outOfBand === true);
  return (
    phaseOf(draft) === "before" ||
    !eraseBegan(draft.steps.rows) ||
    /* safety: recheck: a boot shows nothing of a drive that no agent reads (true) */ !hidden
  );
}

/** The present boot is given up for another one. One that restarted the host, or may have, and led to no agent, may have led to its disks. */
function leaveBoot(draft: Draft): void {
  const stale = draft.inbox.takeEffect("bootAgent");
  draft.inbox.takeEffect("lookBoot");
  const outcome = stale === null ? null : readOutcome(stale, draft.view.run.generation);
  if (outcome !== null && outcome.kind !== "failed" && outcome.kind !== "neverSent") sent(draft);
  if (outcome?.kind === "done") noteTold(draft, outcome.value);
  const registered = draft.view.agent !== null && draft.view.agent.bootEpoch === draft.bootEpoch;
  if (draft.context.sentEpoch !== draft.bootEpoch || registered) return;
  // safety: void: a boot without an agent
  voidErase(draft, "bootWithoutAgent", `boot ${draft.bootEpoch} restarted the host, and no agent registered`);
}

/** The restart of this boot was carried out, or may have been. */
export const sent = (draft: Draft): void => {
  draft.memory.keep({ sentEpoch: draft.bootEpoch });
};

/**
 * Asks for the boot of this epoch: the window is made by the same commit that writes the effect, and opens when the restart is read back as
 * done. Every fourth is a full power cycle. A restart that the BMC confirmed needs no decision: the agent's registration wakes the host, and
 * its absence is looked at when the next one is due.
 */
export const order = (draft: Draft): void => {
  const { boot } = draft.context;
  if (boot === null) return;
  draft.memory.forgetBootDevice("any");
  draft.run.setBootWindow(draft.nowMs + draft.policy.times.bootWindowMs);
  const offAndOn =
    boot.unconfirmed === undefined &&
    /* safety: void: marks that went back prove no restart */ draft.context.cleaning.marksUnreliable ===
      undefined
      ? {}
      : { offAndOn: true };
  const storage = storageWithBoot(draft);
  draft.request(
    "bootAgent",
    {
      bootEpoch: boot.epoch,
      powerCycle: boot.attempt % 4 === 0,
      ...offAndOn,
      ...(storage === null ? {} : { storage }),
    },
    draft.policy.times.failureRetryMs,
  );
};

/** Of a restart that told of itself. */
export function noteTold(draft: Draft, value: unknown): void {
  const told = bootValue.safeParse(value);
  if (told.success) noteReset(draft, told.data.restart.before, markAfter(told.data));
  noteBootSource(draft, value);
}

/** A boot source that stays set is to be taken away once the agent is there. */
export function noteBootSource(draft: Draft, value: unknown): void {
  if (setForEveryBoot.safeParse(value).success) draft.memory.keep({ bootToClear: 0 });
}

/**
 * Takes away the boot source of every boot, where one was set: once, because what boots the host next sets or takes it away before (`bootAgent`,
 * `bootDisk`). It meets no later boot: the next decision is made when the effects of this one have ended, or with a lease under which they get
 * no permit any more (docs/adr/0064-the-next-way.md, 3).
 */
export function clearBoot(draft: Draft): void {
  draft.inbox.takeEffect("lookBoot");
  if (draft.context.bootToClear === undefined) return;
  draft.memory.forget("bootToClear");
  draft.request("lookBoot", { bootEpoch: draft.bootEpoch, clearBoot: true }, draft.policy.times.bmcRetryMs);
}

/** A host that was switched on may be read before its reset is told: that mark says nothing later. */
export const markAfter = ({ restart: { proof }, resetMark }: BootValue): string | null =>
  proof === "resetMark" ? resetMark : null;

/**
 * Between the last restart of ours and this one the host was left alone, as far as its BMC tells; else what was erased counts no more. Marks
 * that went back tell nothing: they void once, and are not read again in this reclamation (docs/adr/0033-reset-marks-that-move.md).
 */
export function noteReset(draft: Draft, before: string | null, after: string | null): void {
  const known = draft.context.resetMark ?? null;
  const { cleaning } = draft.context;
  const told =
    known === null || cleaning.marksUnreliable === true ? "same" : compareResetMarks(known, before);
  // safety: void: a restart that nobody had ordered
  if (told === "later")
    voidErase(
      draft,
      "unorderedReset",
      `the BMC reports a restart at ${before ?? "an unknown time"} that Reclaim did not order`,
    );
  // safety: void: a clock that was set back may hide a restart
  if (told === "unknown") {
    draft.memory.keepCleaning({ marksUnreliable: true });
    voidErase(
      draft,
      "unorderedReset",
      `the BMC's time of the last restart went from ${known ?? "no time"} to ${before ?? "no time"}, so a restart in between cannot be ruled out`,
    );
  }
  if (after === null || draft.context.cleaning.marksUnreliable === true) draft.memory.forget("resetMark");
  else draft.memory.keep({ resetMark: after });
}
