// A restart of a BMC at a person's request: its phases, and what each look at the BMC means (docs/hardware.md#reset-bmc). It is never a reset to defaults.
import { refusal, type IntentFacts } from "@/server/domain/lifecycle/intents";
import type { Tone } from "@/server/domain/lifecycle/state-rows/state-row";

/**
 * `sent`: the request may have reached the BMC, which answers as before. `away`: it does not answer, or starts. `unknown`: nothing tells whether it took the
 * request.
 */
export const bmcResetPhases = ["requested", "sent", "away", "done", "failed", "unknown"] as const;
export type BmcResetPhase = (typeof bmcResetPhases)[number];

export const resetPhaseWords: Readonly<Record<BmcResetPhase, string>> = {
  requested: "requested",
  sent: "sent",
  away: "BMC is not back yet",
  done: "restarted",
  failed: "failed",
  unknown: "not known",
};

export const resetPhaseTones = {
  requested: "neutral",
  sent: "attention",
  away: "attention",
  done: "good",
  failed: "failed",
  unknown: "attention",
} as const satisfies Record<BmcResetPhase, Tone>;

export const resetConsequence =
  "The BMC restarts. For some minutes it does not answer: no power control, no console, no readings. The host keeps running, and the BMC keeps its settings, accounts and address.";

/** After this a person looks at it. Chosen, not measured: no vendor's time was at hand. */
export const resetLimitMs = 15 * 60_000;
/** How long a request waits for a host on which something is in progress. */
export const resetWaitMs = 5 * 60_000;

/**
 * Why a BMC may not be restarted now, in words; null: it may. Whoever may not restart the host now may not restart its BMC either: in these states Reclaim
 * works with it. Pure.
 */
export function bmcResetRefusal(
  facts: IntentFacts,
  { hasJob, pending }: { readonly hasJob: boolean; readonly pending: readonly string[] },
): string | null {
  const reason = refusal("reboot", facts);
  // safety: intents: a BMC restarts only where its host may
  if (reason !== null) return reason;
  // safety: intents: a BMC's restart breaks off no job
  if (hasJob)
    return "its BMC may still be doing a job of a clean step; retry the step or restart the plan, and reset the BMC after it";
  return pending.length === 0 ? null : `${pending.join(", ")} was requested and has not started yet`;
}

/** What one look at the BMC showed. */
export type BmcResetLook =
  /** It does not answer. */
  | { readonly kind: "silent"; readonly words: string }
  /** It answers, and shows no restart. `restartTime`: told as before; not told, now or in general; or told now, and not before. */
  | { readonly kind: "same"; readonly restartTime: "unmoved" | "untold" | "untoldBefore" }
  /**
   * It answers with an error, or does not tell yet which machine it is, or Reclaim could not look. `refused`: it did not take the credential, or forbade it.
   * `heard`: it answered.
   */
  | {
      readonly kind: "unclear";
      readonly refused: boolean;
      readonly heard: boolean;
      readonly words: string;
      readonly todo: string;
    }
  | { readonly kind: "restarted"; readonly words: string }
  /** Its certificate is not trusted any more, or another machine answers. */
  | { readonly kind: "changed"; readonly words: string; readonly todo: string };

/** Waits before a refused credential is sent again, and after them until the time limit: with the first attempt four in all, because BMCs lock accounts after five. */
const refusedWaitsMs = [60_000, 4 * 60_000] as const;
const maxLookWaitMs = 15_000;
const maxBusyWaitMs = 30_000;

/**
 * How long to wait before the next look at a BMC that was told to restart: longer the longer ago that is. Pure.
 * @param refusals how often the credential was refused since a look got in
 */
export function lookWaitMs(sinceSentMs: number, refusals: number, everyMs: number): number {
  const leftMs = Math.max(0, resetLimitMs - sinceSentMs) + 1;
  if (refusals > 0) return Math.min(refusedWaitsMs[refusals - 1] ?? leftMs, leftMs);
  return Math.min(Math.max(sinceSentMs / 10, everyMs), maxLookWaitMs);
}

/** How often the credential was refused since a look got in. A look that did not get in may have sent it as well. Pure. */
export function refusalsAfter(refusals: number, look: BmcResetLook): number {
  if (look.kind === "same") return 0;
  return look.kind === "unclear" && look.refused ? refusals + 1 : refusals;
}

/** How long to wait before a request is tried again that something in progress held back, so many times. Pure. */
export const busyWaitMs = (times: number, everyMs: number): number =>
  Math.min(everyMs * 2 ** times, maxBusyWaitMs);

export interface BmcResetStep {
  readonly phase: BmcResetPhase;
  /** Null: nothing, also not what was said before. */
  readonly says: string | null;
  readonly todo: string | null;
}

/** What the looks of one process heard of the BMC. In memory: what another process heard in between is not known to the next. */
export interface Heard {
  /** Looks without an answer since the last answer. */
  readonly silentLooks: number;
  /** When the first of them ended. */
  readonly silentSinceMs: number | null;
  /** It is the BMC's first silence since the request was sent. */
  readonly isFirst: boolean;
  /** How long its only silence lasted; null: there was none, or more than one, or one whose begin this process did not see. */
  readonly awayMs: number | null;
}

export const nothingHeard: Heard = { silentLooks: 0, silentSinceMs: null, isFirst: false, awayMs: null };

/**
 * What is heard with one more look. Pure.
 * @param wasAway a look before it, of whichever process, got no answer
 */
export function heardAfter(heard: Heard, look: BmcResetLook, wasAway: boolean, nowMs: number): Heard {
  const { silentLooks, silentSinceMs, isFirst } = heard;
  if (look.kind === "silent")
    return {
      silentLooks: silentLooks + 1,
      silentSinceMs: silentSinceMs ?? nowMs,
      isFirst: silentSinceMs === null ? !wasAway : isFirst,
      awayMs: null,
    };
  if (silentSinceMs === null || (look.kind === "unclear" && !look.heard)) return heard;
  return { ...nothingHeard, awayMs: isFirst ? nowMs - silentSinceMs : null };
}

/** What is known of a request that was sent, with what the look showed that is judged. */
export interface SentReset {
  readonly sentAtMs: number;
  readonly awayAtMs: number | null;
  readonly answered: boolean;
  readonly heard: Heard;
}

const seconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1_000))} s`;

/** What a look means. Pure. */
export function afterLook(
  { sentAtMs, awayAtMs, answered, heard }: SentReset,
  look: BmcResetLook,
  nowMs: number,
): BmcResetStep {
  const isLate = nowMs - sentAtMs > resetLimitMs;
  const sinceSent = seconds(nowMs - sentAtMs);
  switch (look.kind) {
    case "restarted":
      return {
        phase: "done",
        says: `${look.words}. ${absence(awayAtMs, heard, nowMs)}`,
        todo: null,
      };
    case "changed":
      return { phase: "failed", says: look.words, todo: look.todo };
    case "silent":
      return isLate ? endSilent(heard, look.words, nowMs) : { phase: "away", says: look.words, todo: null };
    case "unclear":
      return isLate
        ? { phase: "failed", says: look.words, todo: look.todo }
        : { phase: awayAtMs === null ? "sent" : "away", says: look.words, todo: null };
    case "same":
      if (isLate) return endUnshown(answered, look.restartTime, sinceSent);
      if (awayAtMs !== null) return { phase: "away", says: noneYet, todo: null };
      return {
        phase: "sent",
        says: answered ? null : `The answer to the restart was lost. ${noneYet}`,
        todo: null,
      };
  }
}

const noneYet = "The BMC answers, and shows no restart yet.";

/** How long a BMC that has restarted was away, as far as it was seen. */
function absence(awayAtMs: number | null, { awayMs }: Heard, nowMs: number): string {
  if (awayAtMs === null) return "It was not seen away.";
  return awayMs === null
    ? `It was away, and back within ${seconds(nowMs - awayAtMs)}.`
    : `It was away for ${seconds(awayMs)}.`;
}

/** The end of a request after which the BMC does not answer. One look tells little of a BMC that nobody asked before it. */
function endSilent({ silentLooks, silentSinceMs }: Heard, words: string, nowMs: number): BmcResetStep {
  return silentLooks < 2 || silentSinceMs === null
    ? {
        phase: "failed",
        says: `The BMC did not answer at the time limit: ${words}.`,
        todo: "Look at its network, and test the BMC.",
      }
    : {
        phase: "failed",
        says: `The BMC has not answered for ${seconds(nowMs - silentSinceMs)}: ${words}.`,
        todo: "Look at its network. If it stays silent, take the machine off its power for a minute, and then test the BMC.",
      };
}

const testFirst = "Test the BMC, and reset it again if it needs that.";

/** The end of a request after which nothing showed a restart. */
function endUnshown(
  answered: boolean,
  restartTime: (BmcResetLook & { readonly kind: "same" })["restartTime"],
  sinceSent: string,
): BmcResetStep {
  if (!answered)
    return {
      phase: "unknown",
      says: `The answer to the restart was lost ${sinceSent} ago. Since then the BMC shows no restart, so whether it took the request is not known.`,
      todo: testFirst,
    };
  if (restartTime !== "unmoved")
    return {
      phase: "unknown",
      says: `The BMC accepted the restart ${sinceSent} ago. It ${restartTime === "untold" ? "tells no restart time" : "told no restart time before"} and was not seen away, so whether it restarted is not known.`,
      todo: testFirst,
    };
  return {
    phase: "failed",
    says: `The BMC accepted the restart ${sinceSent} ago and has not restarted: it tells the same restart time as before.`,
    todo: "Reset it again, or restart it in its own web interface.",
  };
}
