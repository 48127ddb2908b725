// The facts that decide about an interruption, for tests.
import type { InterruptionFacts, Situation } from "@/server/domain/cleaning/interruptions";

/** No erase in progress, and nothing requested yet. */
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
