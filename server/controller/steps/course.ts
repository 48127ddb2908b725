// What the parts of a run of clean steps tell each other: where it goes, and how a step ended.
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { State } from "@/server/domain/lifecycle/states";
import { fail } from "@/server/controller/host/draft";
import type { Draft, Step } from "@/server/controller/host/draft";

export type StepRow = Draft["steps"][number];

/** The states that a run is in, and what follows it. */
export interface Course {
  /** While a step runs. */
  readonly stateOf: (step: CleanStep) => State;
  /** While an agent boots that a step needs. */
  readonly booting: State;
  /** What follows the last step. */
  readonly over: (draft: Draft) => Step;
}

/** `over`: the step succeeded, look for the next one. */
export type StepOutcome = { readonly kind: "over" } | { readonly kind: "step"; readonly step: Step };

/** A step that nothing can be known of does not stay running: no power action would be permitted any more. */
export function unknownStep(draft: Draft, row: StepRow, message: string): Step {
  draft.patchStep(row, { status: "failed", endedAtMs: draft.nowMs, message });
  return fail("CleanFailed", message, true);
}
