// Labels and marks for stages and goals.
import type { Tone } from "@/components/ui/tone";
import { enrolmentStages } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentGoal, EnrolmentStage } from "@/server/domain/hosts/enrolment/progress";

export const goalLabels = {
  ready: "Ready",
  manageable: "Manageable",
  enrolled: "Enrol only",
} as const satisfies Record<EnrolmentGoal, string>;

export const stageLooks = {
  refused: { words: "Not enrolled", tone: "attention" },
  stopped: { words: "Stopped", tone: "failed" },
  confirm: { words: "To confirm", tone: "attention" },
  verifying: { words: "Verifying", tone: "working" },
  cleaning: { words: "In progress", tone: "working" },
  done: { words: "Done", tone: "good" },
  gone: { words: "Deleted", tone: "neutral" },
} as const satisfies Record<EnrolmentStage, { readonly words: string; readonly tone: Tone }>;

/** The stage in the URL; null: all. */
export const parseStage = (search: { get: (name: string) => string | null }): EnrolmentStage | null =>
  enrolmentStages.find((stage) => stage === search.get("stage")) ?? null;

export const linesPerPage = 200;

/** The input of one page of lines, shared by the server's prefetch and the browser. */
export const linesQuery = (id: string, stage: EnrolmentStage | null) => ({
  id,
  stages: stage === null ? [] : [stage],
  limit: linesPerPage,
});
