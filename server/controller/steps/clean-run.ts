// Runs clean steps in sequence, for automated plans and manual cleanings alike.
import { stepName } from "@/server/domain/cleaning/steps/step";
import { runAgentStep } from "@/server/controller/steps/agent-step";
import { runControllerStep } from "@/server/controller/steps/controller-step";
import { unknownStep } from "@/server/controller/steps/cleaning-mode";
import type { CleaningMode, StepRow } from "@/server/controller/steps/cleaning-mode";
import { beforeNext } from "@/server/controller/interruptions/interruptions";
import { declaredStep } from "@/server/controller/inventory/known-hardware";
import { runReservedStep } from "@/server/controller/steps/reserved-step";
import type { Draft } from "@/server/controller/host/draft";
import { goto } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** The step that is running, or the next one. A failed step is tried again only after a retry. */
export const openStep = (draft: Draft): StepRow | undefined =>
  draft.steps.rows.find((row) => row.status !== "succeeded" && row.status !== "excepted");

/** Where the run continues: the state of its open step, or what follows the last one. */
export function goOn(draft: Draft, mode: CleaningMode): HandlerResult {
  const row = openStep(draft);
  if (row === undefined) return mode.over(draft);
  const declared = declaredStep(draft, row);
  return declared === null ? unknown(draft, row) : goto(mode.stateOf(declared), `next: ${stepName(row)}`);
}

/** Runs steps until something must be waited for. Starting the next step in the same state is not a transition. */
export function runSteps(draft: Draft, mode: CleaningMode): HandlerResult {
  for (;;) {
    const row = openStep(draft);
    if (row === undefined) return beforeNext(draft, draft.state) ?? mode.over(draft);
    const declared = declaredStep(draft, row);
    if (declared === null) return unknown(draft, row);
    const state = mode.stateOf(declared);
    const before = row.status === "running" ? null : beforeNext(draft, state);
    if (before !== null) return before;
    if (state !== draft.state) return goOn(draft, mode);
    const outcome = declared.reserved
      ? runReservedStep(draft, row, declared, mode)
      : declared.where === "agent"
        ? runAgentStep(draft, row, declared, mode)
        : runControllerStep(draft, row, declared, mode);
    if (outcome.kind !== "over") return outcome.step;
  }
}

const unknown = (draft: Draft, row: StepRow): HandlerResult =>
  unknownStep(
    draft,
    row,
    `${stepName(row)} is planned, but neither this version nor the host's agent supports it`,
  );
