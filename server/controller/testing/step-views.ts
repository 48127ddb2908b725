// Step runs and their controller jobs, as a view has them.
import type { StepView } from "@/server/domain/hosts/record/reclamation";
import type { CleaningContext } from "@/server/domain/lifecycle/context";
import { minute, stepId } from "@/server/controller/testing/host-view";

type Own = Pick<StepView, "interface" | "step" | "where">;

/** A planned step that has not begun. */
export const stepRun = (position: number, own: Own, changes: Partial<StepView> = {}): StepView => ({
  id: stepId(position),
  position,
  ...own,
  args: {},
  abortable: false,
  timeLimitMs: 30 * minute,
  priority: 1,
  prioritySource: "default",
  proves: [],
  status: "planned",
  attempt: 0,
  maxAttempts: 3,
  startedAtMs: null,
  endedAtMs: null,
  deadlineAtMs: null,
  message: null,
  ...changes,
});

/** A step of a manual cleaning. */
export const manualRun = (name: string, changes: Partial<StepView> = {}): StepView =>
  stepRun(
    1,
    { interface: "deploy", step: name, where: "agent" },
    { timeLimitMs: minute, priority: 0, prioritySource: "manual", maxAttempts: 2, ...changes },
  );

export type Job = NonNullable<CleaningContext["job"]>;

/** The job of the first attempt of the first step, of which nothing is known yet. */
export const jobOf = (changes: Partial<Job> = {}): Job => ({
  stepRunId: stepId(1),
  attempt: 1,
  handle: null,
  lookAt: null,
  restartEpoch: null,
  restarts: 0,
  failures: 0,
  stops: 0,
  ...changes,
});
