// Words and marks of stages and goals.
import type { Tone } from "@/components/ui/tone";
import { enrolmentStages } from "@/server/domain/enrolment/progress";
import type { EnrolmentGoal, EnrolmentStage } from "@/server/domain/enrolment/progress";

export const goalWords = {
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

/** Of the address; null: all. */
export const parseStage = (search: { get: (name: string) => string | null }): EnrolmentStage | null =>
  enrolmentStages.find((stage) => stage === search.get("stage")) ?? null;

export const linesPerPage = 200;

/** The input of a page of lines; the same on the server, which reads ahead, and in the browser. */
export const linesQuery = (id: string, stage: EnrolmentStage | null) => ({
  id,
  stages: stage === null ? [] : [stage],
  limit: linesPerPage,
});
