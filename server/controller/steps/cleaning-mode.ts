// Types shared by the parts of a run of clean steps: its states, and how a step ended.
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { State } from "@/server/domain/lifecycle/states";
import type { StepView } from "@/server/domain/hosts/record/reclamation";
import type { Draft } from "@/server/controller/host/draft";
import { fail } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** The run of a clean step. */
export type StepRow = StepView;

/** The states of a run, and what follows it. */
export interface CleaningMode {
  /** The state while a step runs. */
  readonly stateOf: (step: CleanStep) => State;
  /** The state while an agent boots for a step. */
  readonly booting: State;
  /** What follows the last step. */
  readonly over: (draft: Draft) => HandlerResult;
}

/** `over`: the step succeeded, and the next one follows. */
export type StepOutcome = { readonly kind: "over" } | { readonly kind: "step"; readonly step: HandlerResult };

/** A step that nothing is known of must not stay running: no power action would be permitted any more. */
export function unknownStep(draft: Draft, row: StepRow, message: string): HandlerResult {
  draft.steps.fail(row, message);
  return fail("CleanFailed", [{ key: "stepFailed", step: stepName(row), raw: message }], true);
}
