// What decides about an interruption, for tests.
import type { InterruptionFacts, Situation } from "@/server/domain/cleaning/interruptions";

/** Nothing erases, and nothing was asked for yet. */
export const interruptionFactsOf = (
  situation: Situation,
  changes: Partial<InterruptionFacts> = {},
): InterruptionFacts => ({
  situation,
  step: null,
  abortable: false,
  erasing: false,
  holdAsked: false,
  abortAsked: false,
  ...changes,
});
