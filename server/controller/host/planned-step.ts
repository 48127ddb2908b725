// A step run as it is when its plan begins.
import type { StepView } from "@/server/domain/hosts/record/reclamation";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import type { Draft } from "@/server/controller/host/draft";

type Declared = Pick<CleanStep, "interface" | "step" | "where" | "abortable">;
type Planned = Pick<StepView, "args" | "timeLimitMs" | "priority" | "prioritySource" | "proves">;

/** `index`: its position in the plan, from 0. */
export const plannedStep = <Own extends Planned>(
  draft: Draft,
  index: number,
  declared: Declared,
  planned: Own,
): StepView & Own => ({
  id: draft.id(),
  position: index + 1,
  interface: declared.interface,
  step: declared.step,
  where: declared.where,
  abortable: declared.abortable,
  ...planned,
  status: "planned",
  attempt: 0,
  maxAttempts: declared.where === "agent" ? draft.policy.attempts.agent : draft.policy.attempts.controller,
  startedAtMs: null,
  endedAtMs: null,
  deadlineAtMs: null,
  message: null,
});
