// Ordering a boot, giving up the one before it, and what the BMC reports about restarts (docs/adr/0020-a-boot-is-proven.md).
import { compareResetMarks, type MarkReading } from "@/server/domain/hosts/reset-mark";
import { eraseBegan } from "@/server/domain/cleaning/sanitization/voided";
import type { Draft } from "@/server/controller/host/draft";
import { bootValue, readOutcome, setForEveryBoot } from "@/server/controller/host/effect-outcome";
import type { BootValue } from "@/server/controller/host/effect-outcome";
import { voidErase } from "@/server/controller/interruptions/voided";
import { phaseOf, storageWithBoot } from "@/server/controller/inventory/bmc-storage";

/** Orders the next boot; `attempt` counts the boots of this wait. If an erase may run that goes on over a reset, that stays on record. */
export const restart = (draft: Draft, attempt: number): void => {
  leaveBoot(draft);
  draft.run.nextBoot(showsAll(draft));
  draft.memory.forget("bootToClear");
  const boot = { epoch: draft.bootEpoch, attempt, orderedAt: null, bmcFailures: 0, retryAt: null };
  // safety: reset: the erase stays on record (always)
  if (draft.erase.untilMs === null) {
    draft.erase.over();
    draft.memory.keep({ boot });
  } else {
    // safety: reset: no command that came since the journal was read
    draft.evidence.expectUnmoved(draft.view.run.evidenceSeq);
    draft.memory.keep({ boot: { ...boot, resetOnly: true } });
  }
  send(draft);
};

/** Whether the next boot can be a plain reset that the BMC's mark will prove: every fourth one, and each without a mark, switches the host off. */
export const mayOnlyReset = ({ context }: Draft, attempt: number): boolean =>
  !cyclesPower(attempt) && context.cleaning.marksUnreliable === undefined && context.resetMark !== undefined;

const cyclesPower = (attempt: number): boolean => attempt % 4 === 0;

/**
 * Whether this boot shows everything that somebody may have done to the host before it. It does not for a drive that only the BMC reaches, once
 * an erase of the plan has begun: such a host stays touched until its plan is made again (docs/adr/0028-recheck-after-maintenance.md).
 */
function showsAll(draft: Draft): boolean {
  const hidden = (draft.reclamation?.devices?.expected ?? []).some(({ outOfBand }) => outOfBand === true);
  return phaseOf(draft) === "before" || !eraseBegan(draft.steps.rows) || !hidden;
}

/** Gives up the present boot for the next one. If it restarted the host, or may have, and no agent registered, the host may have booted from its disks. */
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

/** Records that the restart of this boot was carried out, or may have been. */
export const sent = (draft: Draft): void => {
  draft.memory.keep({ sentEpoch: draft.bootEpoch });
};

/** Orders the boot of this epoch once more, as far as an erase allows it: one reset that was not proven is all that is sent into one. */
export const order = (draft: Draft): void => {
  const { untilMs } = draft.erase;
  const { boot } = draft.context;
  if (boot === null) return;
  // safety: reset: sent once
  if (untilMs !== null) {
    draft.memory.keepBoot({ retryAt: new Date(untilMs).toISOString() });
    return;
  }
  const { resetOnly: _over, ...free } = boot;
  draft.erase.over();
  draft.memory.keep({ boot: free });
  send(draft);
};

/**
 * Requests the boot of this epoch. The commit that writes the effect also makes the boot window, which opens when the restart is confirmed.
 * Every fourth restart is a full power cycle. A confirmed restart needs no decision of its own: the agent's registration wakes the host, and a
 * missing agent is noticed when the next boot is due.
 */
export const send = (draft: Draft): void => {
  const { boot } = draft.context;
  if (boot === null) return;
  draft.memory.forgetBootDevice("any");
  draft.run.setBootWindow(draft.nowMs + draft.policy.times.bootWindowMs);
  const offAndOn =
    boot.unconfirmed === undefined && draft.context.cleaning.marksUnreliable === undefined
      ? {}
      : { offAndOn: true };
  const storage = storageWithBoot(draft) ?? {};
  draft.request(
    "bootAgent",
    {
      bootEpoch: boot.epoch,
      powerCycle: cyclesPower(boot.attempt),
      ...offAndOn,
      ...(boot.resetOnly === true ? { resetOnly: true } : {}),
      ...storage,
    },
    draft.policy.times.failureRetryMs,
  );
};

/** Records the reset mark and boot source from the value of a restart that reported them. */
export function noteTold(draft: Draft, value: unknown): void {
  const told = bootValue.safeParse(value);
  if (told.success) noteReset(draft, markBefore(told.data), markAfter(told.data));
  noteBootSource(draft, value);
}

/** A boot source that stays set must be removed once the agent is there. */
export function noteBootSource(draft: Draft, value: unknown): void {
  if (setForEveryBoot.safeParse(value).success) draft.memory.keep({ bootToClear: 0 });
}

/**
 * Removes a boot source that was set for every boot. Once is enough: whatever boots the host next (`bootAgent`, `bootDisk`) sets or removes it first.
 * This cannot affect a later boot: the next decision is made when the effects of this one have ended, or under a lease that denies them any
 * permit (docs/adr/0064-the-next-way.md, 3).
 */
export function clearBoot(draft: Draft): void {
  draft.inbox.takeEffect("lookBoot");
  if (draft.context.bootToClear === undefined) return;
  draft.memory.forget("bootToClear");
  draft.request("lookBoot", { bootEpoch: draft.bootEpoch, clearBoot: true }, draft.policy.times.bmcRetryMs);
}

/** A host that was switched on may be read before its BMC reports the reset, so that mark must not be compared later. */
export const markAfter = (value: BootValue): MarkReading | null =>
  value.restart.proof === "resetMark" ? value : null;

export const markBefore = ({ restart }: BootValue): MarkReading => ({
  resetMark: restart.before,
  markClock: restart.beforeClock,
});

/**
 * Checks that the host was left alone between our last restart and this one, as far as its BMC reports; if not, the erases are void. Marks that
 * went back prove nothing: they void once, and marks are then ignored for this reclamation (docs/adr/0020-a-boot-is-proven.md).
 */
export function noteReset(draft: Draft, before: MarkReading, after: MarkReading | null): void {
  const known = { resetMark: draft.context.resetMark ?? null, markClock: draft.context.markClock };
  const { cleaning } = draft.context;
  const told =
    known.resetMark === null || cleaning.marksUnreliable === true ? "same" : compareResetMarks(known, before);
  // safety: void: a restart that nobody had ordered
  if (told === "later")
    voidErase(
      draft,
      "unorderedReset",
      `the BMC reports a restart at ${before.resetMark ?? "an unknown time"} that Reclaim did not order`,
    );
  // safety: void: a clock that was set back may hide a restart
  if (told === "unknown") {
    draft.memory.keepCleaning({ marksUnreliable: true });
    voidErase(
      draft,
      "unorderedReset",
      `the BMC's time of the last restart went from ${known.resetMark ?? "no time"} to ${before.resetMark ?? "no time"}, so a restart in between cannot be ruled out`,
    );
  }
  if (after === null || after.resetMark === null || draft.context.cleaning.marksUnreliable === true)
    draft.memory.forget("resetMark", "markClock");
  else draft.memory.keep({ resetMark: after.resetMark, markClock: after.markClock ?? null });
}
