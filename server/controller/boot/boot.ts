// Getting an agent onto a host: boot window, one-time boot, proven restart, and the reboot rule (docs/adr/0020-a-boot-is-proven.md).
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { momentText } from "@/server/domain/lifecycle/moment-text";
import { compareResetMarks } from "@/server/domain/hosts/reset-mark";
import {
  clearBoot,
  markAfter,
  markBefore,
  mayOnlyReset,
  noteBootSource,
  noteReset,
  noteTold,
  order,
  restart,
  send,
  sent,
} from "@/server/controller/boot/order-boot";
import { noRestart } from "@/server/controller/boot/no-restart";
import { takeInWithBoot } from "@/server/controller/inventory/bmc-storage";
import { bmcCause, bmcTrouble, type BmcAnswer } from "@/server/controller/host/bmc-cause";
import { bootValue, readOutcome, systemValue } from "@/server/controller/host/effect-outcome";
import { eraseWait } from "@/server/controller/interruptions/erase-wait";
import { voidErase } from "@/server/controller/interruptions/voided";
import { usableAgent } from "@/server/controller/host/usable-agent";
import type { Draft } from "@/server/controller/host/draft";
import { neverRegistered } from "@/server/controller/host/never-registered";
import { earliest, fail, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** Maximum consecutive boots in which something asked for a token before the restart was done. */
const maxContested = 3;
/** Maximum restarts of one boot that were sent and could not be confirmed. */
const maxUnconfirmed = 5;

const iso = (ms: number): string => new Date(ms).toISOString();

/** Null if an agent is there. Otherwise orders a boot, follows it up, and returns what it waits for. */
export function ensureAgent(draft: Draft): HandlerResult | null {
  const conflict = draft.inbox.take("agentIdentityConflict");
  // safety: boot: a second identity
  if (conflict !== null && conflict.bootEpoch === draft.bootEpoch) {
    draft.needNewBoot();
    return fail("AgentIdentityConflict", [{ key: "agentConflict", raw: conflict.message }]);
  }
  if (usableAgent(draft)) {
    registered(draft);
    return null;
  }
  const contested = draft.inbox.take("bootContested");
  if (contested !== null && contested.bootEpoch === draft.bootEpoch && draft.context.boot !== null) {
    const times = (draft.context.contestedBoots ?? 0) + 1;
    if (times > maxContested)
      return fail("BootContested", [
        { key: "bootContested", raw: `${contested.message}, ${times} boots in a row` },
      ]);
    draft.memory.keep({ contestedBoots: times });
    voidErase(draft, "contestedBoot", contested.message);
    draft.memory.keepBoot({ contested: true });
  }
  const { boot } = draft.context;
  // Also before each later restart: what a lost agent has reported since the last restart protects the drives in the same way.
  if (boot === null || boot.orderedAt !== null) {
    const erases = eraseWait(
      draft,
      boot === null ? "no restart yet" : `boot ${boot.attempt}: no restart and no registration yet`,
      mayOnlyReset(draft, (boot?.attempt ?? 0) + 1),
    );
    // safety: boot: no restart into an erase
    if (erases !== null) return erases;
  }
  const unconfirmed = draft.context.boot === null ? null : followUp(draft);
  if (unconfirmed !== null) return unconfirmed;
  if (draft.context.boot === null) restart(draft, 1);
  else if (isSpoilt(draft)) restart(draft, draft.context.boot.attempt + 1);
  return awaitAgent(draft);
}

/** No agent of the present boot may be used, and its restart is over, so the next boot need not wait for `failureRetryMs`. */
function isSpoilt(draft: Draft): boolean {
  const { boot, minEpoch } = draft.context;
  return (
    boot !== null &&
    boot.orderedAt !== null &&
    (boot.epoch < minEpoch || boot.contested === true) &&
    boot.attempt < draft.policy.times.maxBoots
  );
}

/** The agent of the boot has registered: reads what the restart reported and ends the wait for this boot. */
function registered(draft: Draft): void {
  const done = draft.inbox.takeEffect("bootAgent");
  if (done?.status === "done") {
    draft.run.setError(null);
    const outcome = readOutcome(done, draft.view.run.generation);
    if (outcome.kind === "done") {
      noteTold(draft, outcome.value);
      takeInWithBoot(draft, outcome.value, done.settledAtMs ?? draft.nowMs);
    }
  }
  clearBoot(draft);
  draft.memory.keep({ boot: null });
  draft.memory.forget("contestedBoots", "sentEpoch");
}

/** What a boot that was ordered waits for; orders the next one when it is due. */
function awaitAgent(draft: Draft): HandlerResult {
  const boot = draft.context.boot;
  if (boot === null) throw new Error("a boot was just ordered");
  const times = draft.policy.times;
  if (boot.bmcFailures >= times.bmcTries)
    return fail(bmcCause(draft), draft.troubles ?? [{ key: "bmcSilent", device: { kind: "bmc" }, raw: "" }]);
  if (boot.orderedAt === null) {
    if (boot.retryAt === null)
      return wait(
        `boot ${boot.attempt} of ${times.maxBoots} ordered from the BMC; no agent has registered yet`,
        null,
      );
    if (Date.parse(boot.retryAt) <= draft.nowMs) {
      draft.memory.keepBoot({ retryAt: null });
      if (boot.lookUp === true) lookUp(draft);
      else order(draft);
    }
    return awaitBmc(draft);
  }
  const nextMs = Date.parse(boot.orderedAt) + times.failureRetryMs;
  if (nextMs > draft.nowMs)
    return wait(
      `boot ${boot.attempt} of ${times.maxBoots}: ${draft.view.bootRefusal ?? "no agent has registered yet"}`,
      earliest(nextMs),
    );
  // safety: boot: no more restarts than policy allows
  if (boot.attempt >= times.maxBoots)
    return fail("ManualInterventionRequired", [neverRegistered(boot.attempt, draft.view.bootRefusal)]);
  const withheld = noRestart(draft);
  // safety: boot: an alert that stops the reboot rule
  if (withheld !== null) return withheld;
  restart(draft, boot.attempt + 1);
  return wait(`boot ${boot.attempt + 1} of ${times.maxBoots} ordered from the BMC`, null);
}

/** What a boot waits for that the BMC has not confirmed. */
function awaitBmc(draft: Draft): HandlerResult {
  const { boot } = draft.context;
  const retryAt = boot?.retryAt ?? null;
  if (boot === null || retryAt === null)
    return wait(`boot ${boot?.attempt ?? 0} of ${draft.policy.times.maxBoots}: retrying the BMC`, null);
  const untilMs = draft.erase.untilMs;
  return wait(
    untilMs !== null && Date.parse(retryAt) >= untilMs
      ? `the reset during an erase was not proven, and nothing else is sent while the erase may still be running, until ${momentText(untilMs)} at the latest`
      : `the BMC failed ${boot.bmcFailures} times: ${draft.run.kept.lastError ?? ""}`,
    Date.parse(retryAt),
  );
}

/** Reads the outcome of the restart and looks it up if it is unknown. Returns a result if the restart cannot be confirmed and the host must stop. */
function followUp(draft: Draft): HandlerResult | null {
  const boot = draft.context.boot;
  if (boot === null) return null;
  const generation = draft.view.run.generation;
  const looked = draft.inbox.takeEffect("lookBoot");
  const effect = draft.inbox.takeEffect("bootAgent");
  if (effect !== null) {
    const outcome = readOutcome(effect, generation);
    switch (outcome.kind) {
      case "pending":
        break;
      case "done":
        return restarted(draft, outcome.value, effect.settledAtMs ?? draft.nowMs);
      case "failed":
        return failedAtBmc(draft, outcome);
      case "neverSent":
        send(draft);
        return null;
      case "unknown":
        if (outcome.phase === "reset") {
          sent(draft);
          if (outcome.before.resetMark !== null)
            draft.memory.keepBoot({
              resetMark: outcome.before.resetMark,
              markClock: outcome.before.markClock ?? null,
            });
          if (outcome.message !== null) draft.run.setError(outcome.message);
          return lookUp(draft);
        }
        // Setting the boot source is idempotent and has no effect on a running host; only a restart must be looked up. If the BMC failed, it is retried later.
        return outcome.message === null
          ? orderAgain(draft)
          : failedAtBmc(draft, {
              errorKind: outcome.errorKind ?? "unreachable",
              message: outcome.message,
              answer: outcome.answer,
            });
    }
  }
  if (looked === null) return null;
  const outcome = readOutcome(looked, generation);
  if (outcome.kind === "failed") return failedAtBmc(draft, outcome);
  if (outcome.kind !== "done") return lookUp(draft);
  withoutMark(draft, "lookUp");
  return lookedUp(draft, outcome.value, looked.settledAtMs ?? draft.nowMs);
}

function failedAtBmc(draft: Draft, answer: BmcAnswer): null {
  const boot = draft.context.boot;
  if (boot === null) return null;
  draft.memory.keepBoot({
    bmcFailures: boot.bmcFailures + 1,
    retryAt: iso(draft.nowMs + draft.policy.times.bmcRetryMs),
  });
  draft.trouble(bmcTrouble(answer, boot.bmcFailures + 1), answer.message);
  return null;
}

function orderAgain(draft: Draft): null {
  order(draft);
  return null;
}

/** The effect is done and its value holds the proof; storing it already opened the boot window (`db/hot/hardware/effects.ts`). */
function restarted(draft: Draft, value: unknown, atMs: number): HandlerResult | null {
  sent(draft);
  const told = bootValue.safeParse(value);
  // safety: boot: a restart without proof is none
  if (!told.success) return notConfirmed(draft, "the version that ordered it did not check for proof");
  noteReset(draft, markBefore(told.data), markAfter(told.data));
  noteBootSource(draft, value);
  takeInWithBoot(draft, value, atMs);
  booted(draft, atMs);
  return null;
}

/**
 * If the BMC's reset mark moved on, the host was restarted since the request was permitted, and this decision opens the window. Anything else
 * proves nothing, and the restart is sent again: no agent can have registered in the meantime.
 */
function lookedUp(draft: Draft, value: unknown, atMs: number): HandlerResult | null {
  const boot = draft.context.boot;
  if (boot === null) return null;
  const read = systemValue(value);
  const { power } = read;
  const before = { resetMark: boot.resetMark ?? null, markClock: boot.markClock };
  const marks = before.resetMark === null ? "same" : compareResetMarks(before, read);
  // Marks that a clock has moved prove none of the next restarts either.
  if (marks === "unknown") draft.memory.keepCleaning({ marksUnreliable: true });
  if (power === "off" || marks !== "later")
    return notConfirmed(
      draft,
      draft.run.kept.lastError ?? `the outcome is unknown; the power state is ${power}`,
    );
  draft.run.setBootProven();
  noteReset(draft, before, read);
  booted(draft, atMs);
  return null;
}

function notConfirmed(draft: Draft, why: string): HandlerResult | null {
  const boot = draft.context.boot;
  if (boot === null) return null;
  const unconfirmed = (boot.unconfirmed ?? 0) + 1;
  draft.memory.keepBoot({ unconfirmed });
  // If the BMC reports our own restart late, it must not be taken for one that nobody ordered.
  draft.memory.forget("resetMark");
  const cause: Cause = {
    key: "resetNotConfirmed",
    device: { kind: "bmc" },
    facts: { tries: unconfirmed },
    raw: why,
  };
  // safety: boot: restarts that cannot be confirmed end
  if (unconfirmed > maxUnconfirmed) return fail("ResetNotConfirmed", [cause]);
  draft.trouble(cause, why);
  order(draft);
  return null;
}

function lookUp(draft: Draft): null {
  const boot = draft.context.boot;
  if (boot === null) return null;
  draft.memory.keepBoot({ lookUp: true });
  draft.request("lookBoot", { bootEpoch: boot.epoch });
  return null;
}

/** Removes a field of the boot that no longer applies. */
function withoutMark(draft: Draft, name: "lookUp" | "unconfirmed"): void {
  if (draft.context.boot === null) return;
  const boot = { ...draft.context.boot };
  delete boot[name];
  draft.memory.keep({ boot });
}

function booted(draft: Draft, atMs: number): void {
  draft.memory.keepBoot({ orderedAt: iso(atMs), bmcFailures: 0, retryAt: null });
  withoutMark(draft, "unconfirmed");
  draft.run.setError(null);
}
