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
  /** It answers, and shows no restart. `tellsRestarts`: by its own restart time, and not only by what was not seen. */
  | { readonly kind: "same"; readonly tellsRestarts: boolean }
  /** It answers with an error, or does not tell yet which machine it is. `refused`: it did not take the credential, or forbade it. */
  | { readonly kind: "unclear"; readonly refused: boolean; readonly words: string; readonly todo: string }
  | { readonly kind: "restarted"; readonly words: string }
  /** Its certificate is not trusted any more, or another machine answers. */
  | { readonly kind: "changed"; readonly words: string; readonly todo: string };

/** Waits before a refused credential is sent again, and after them until the time limit: with the first attempt four in all, because BMCs lock accounts after five. */
const refusedWaitsMs = [60_000, 4 * 60_000] as const;
const maxLookWaitMs = 15_000;
const maxBusyWaitMs = 30_000;

/**
 * How long to wait before the next look at a BMC that was told to restart: longer the longer ago that is. Pure.
 * @param refusals looks in a row of which the credential was refused
 */
export function lookWaitMs(sinceSentMs: number, refusals: number, everyMs: number): number {
  const leftMs = Math.max(0, resetLimitMs - sinceSentMs) + 1;
  if (refusals > 0) return Math.min(refusedWaitsMs[refusals - 1] ?? leftMs, leftMs);
  return Math.min(Math.max(sinceSentMs / 10, everyMs), maxLookWaitMs);
}

/** How long to wait before a request is tried again that something in progress held back, so many times. Pure. */
export const busyWaitMs = (times: number, everyMs: number): number =>
  Math.min(everyMs * 2 ** times, maxBusyWaitMs);

export interface BmcResetStep {
  readonly phase: BmcResetPhase;
  readonly says: string | null;
  readonly todo: string | null;
}

/** What is known of a request that was sent. */
export interface SentReset {
  readonly sentAtMs: number;
  readonly awayAtMs: number | null;
  readonly answered: boolean;
}

const seconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1_000))} s`;

/** What a look means. Pure. */
export function afterLook(
  { sentAtMs, awayAtMs, answered }: SentReset,
  look: BmcResetLook,
  nowMs: number,
): BmcResetStep {
  const isLate = nowMs - sentAtMs > resetLimitMs;
  const sinceSent = seconds(nowMs - sentAtMs);
  switch (look.kind) {
    case "restarted":
      return {
        phase: "done",
        says:
          awayAtMs === null
            ? `${look.words}. It was not seen away.`
            : `${look.words}. It was away for ${seconds(nowMs - awayAtMs)}.`,
        todo: null,
      };
    case "changed":
      return { phase: "failed", says: look.words, todo: look.todo };
    case "silent":
      return isLate
        ? {
            phase: "failed",
            says: `The BMC has not answered for ${seconds(nowMs - (awayAtMs ?? sentAtMs))}: ${look.words}`,
            todo: "Look at its network. If it stays silent, take the machine off its power for a minute, and then test the BMC.",
          }
        : { phase: "away", says: look.words, todo: null };
    case "unclear":
      return isLate
        ? { phase: "failed", says: look.words, todo: look.todo }
        : { phase: awayAtMs === null ? "sent" : "away", says: look.words, todo: null };
    case "same":
      if (!isLate)
        return awayAtMs === null
          ? { phase: "sent", says: null, todo: null }
          : { phase: "away", says: "The BMC answers, and shows no restart yet.", todo: null };
      return endUnshown(answered, look.tellsRestarts, sinceSent);
  }
}

const testFirst = "Test the BMC, and reset it again if it needs that.";

/** The end of a request after which nothing showed a restart. */
function endUnshown(answered: boolean, tellsRestarts: boolean, sinceSent: string): BmcResetStep {
  if (!answered)
    return {
      phase: "unknown",
      says: `The answer to the restart was lost ${sinceSent} ago. Since then the BMC shows no restart, so whether it took the request is not known.`,
      todo: testFirst,
    };
  if (!tellsRestarts)
    return {
      phase: "unknown",
      says: `The BMC accepted the restart ${sinceSent} ago. It tells no restart time and was not seen away, so whether it restarted is not known.`,
      todo: testFirst,
    };
  return {
    phase: "failed",
    says: `The BMC accepted the restart ${sinceSent} ago and has not restarted: it tells the same restart time as before.`,
    todo: "Reset it again, or restart it in its own web interface.",
  };
}
