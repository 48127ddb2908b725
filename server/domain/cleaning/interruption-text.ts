// What an abort, hold, resume or retry would do now, in one sentence for the person who is about to request it.
import { interrupt } from "@/server/domain/cleaning/interruptions";
import type {
  Interruption,
  InterruptionEffect,
  InterruptionFacts,
} from "@/server/domain/cleaning/interruptions";

const words = {
  stopNow: () => "The cleaning ends now, as failed.",
  stopStep: (step) => `${step} is stopped, and the cleaning ends with it, as failed.`,
  stopAfterStep: (step) => `${step} cannot be stopped. The cleaning ends after it, as failed.`,
  stopAfterEstimate: () =>
    "The agent is silent and an erase may still be running. The cleaning ends as failed after the erase's estimated time.",
  holdBeforeNext: (step) =>
    `${step} ends first; then the host waits until it is resumed or the hold expires. Its clock stops.`,
  holdNow: () => "The host waits from now on until it is resumed or the hold expires. Its clock stops.",
  prolongHold: () => "The current hold gets this reason and expiry.",
  resume: () => "The hold ends, and the next step begins.",
  withdraw: () => "A pending hold or abort is withdrawn; the cleaning continues.",
  retryStep: () => "The cleaning continues at the failed step with a new attempt.",
} satisfies Record<InterruptionEffect, (step: string) => string>;

/** Null if the intent is refused or nothing is being cleaned. Pure. */
export function formatInterruption(intent: Interruption, facts: InterruptionFacts | null): string | null {
  if (facts === null) return null;
  const answer = interrupt(intent, facts);
  return answer.ok ? words[answer.effect](facts.step ?? "The running step") : null;
}
