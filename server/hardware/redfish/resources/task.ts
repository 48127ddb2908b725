// A BMC's task or job as one GET returns it: its path and its state (DSP0266, Asynchronous operations; Dell calls them jobs).
import { z } from "zod";
import type { RedfishAnswer } from "@/server/hardware/redfish/client/client";
import { pathOf, text } from "@/server/hardware/redfish/resources/references";

const created = z.object({
  "@odata.id": z.string(),
  "@odata.type": z.string().regex(/^#(Task|Job|DellJob)\./),
});

export const taskResource = z.object({
  Name: text,
  TaskState: text,
  TaskStatus: text,
  JobState: text,
  StartTime: text,
  PercentComplete: z.number().nullish().catch(null),
  Message: text,
  Messages: z
    .array(z.object({ Message: text, MessageId: text }).nullish().catch(null))
    .nullish()
    .catch(null),
});

export const taskPhases = ["waiting", "running", "completed", "failed", "gone"] as const;
export interface TaskReading {
  readonly phase: (typeof taskPhases)[number];
  readonly percent: number | null;
  /** The state and the BMC's own text. */
  readonly words: string;
  /** When it began, as the BMC tells it, by which it is told from another task at its path; null: not told. */
  readonly startTime: string | null;
  /** Of its messages, such as `Update.1.0.VerificationFailed`. */
  readonly messageIds: readonly string[];
}

const failedStates = new Set([
  "Exception",
  "Killed",
  "Cancelled",
  "Interrupted",
  "Failed",
  "CompletedWithErrors",
  "ScheduledWithErrors",
  "RebootFailed",
  "DownloadFailed",
]);
const waitingStates = new Set([
  "New",
  "Pending",
  "Scheduled",
  "RebootPending",
  "WaitingForRestart",
  "ReadyForExecution",
]);

/** The path of the task that an answer names; null if it names none. */
export function taskLocation(answer: RedfishAnswer): string | null {
  const body = created.safeParse(answer.body);
  const reference = answer.location ?? (body.success ? body.data["@odata.id"] : null);
  // A 201 names the new resource, not a task.
  return reference === null || (answer.status === 201 && !/(Task|Job)/i.test(reference))
    ? null
    : pathOf(reference);
}

/** The state of a task, and the BMC's text about it. */
export function taskReading(path: string, found: z.infer<typeof taskResource>): TaskReading {
  const { TaskState, TaskStatus, JobState, PercentComplete, Message, Messages, Name, StartTime } = found;
  const state = TaskState ?? JobState ?? "";
  const said = [Message, ...(Messages ?? []).map((row) => row?.Message)].filter(
    (line) => line != null && line !== "",
  );
  const words = `${Name ?? path}: ${state}${said.length > 0 ? `: ${said.join(" ")}` : ""}`.slice(0, 1_000);
  return {
    phase: phaseOf(state, TaskStatus ?? null),
    percent: PercentComplete ?? null,
    words,
    startTime: StartTime ?? null,
    messageIds: (Messages ?? []).flatMap((row) => row?.MessageId ?? []),
  };
}

export function phaseOf(state: string, status: string | null): TaskReading["phase"] {
  if (failedStates.has(state) || (state === "Completed" && status === "Critical")) return "failed";
  if (state === "Completed") return "completed";
  return waitingStates.has(state) ? "waiting" : "running";
}
