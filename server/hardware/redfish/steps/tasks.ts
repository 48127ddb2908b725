// Tasks and jobs of a BMC: where one is, and how it stands (DSP0266, Asynchronous operations; Dell calls them jobs).
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import type { RedfishAnswer } from "@/server/hardware/redfish/client/client";
import { optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import type { Talk } from "@/server/hardware/redfish/steps/talk";

/** A task that was sent: its path, or null where the BMC told none; and when, in ms of the day's clock. */
export const sentTask = z.object({ task: z.string().nullable(), sentAt: z.number() });
export type SentTask = z.infer<typeof sentTask>;

const created = z.object({
  "@odata.id": z.string(),
  "@odata.type": z.string().regex(/^#(Task|Job|DellJob)\./),
});

const task = z.object({
  Name: text,
  TaskState: text,
  TaskStatus: text,
  JobState: text,
  PercentComplete: z.number().nullish().catch(null),
  Message: text,
  Messages: z
    .array(z.object({ Message: text }).nullish().catch(null))
    .nullish()
    .catch(null),
});

export const taskPhases = ["waiting", "running", "completed", "failed", "gone"] as const;
export interface TaskReading {
  readonly phase: (typeof taskPhases)[number];
  readonly percent: number | null;
  /** State and the BMC's own words. */
  readonly words: string;
}

/** A job that was accepted may take this long to appear (NICo waits as long for Dell's). */
const appearsWithinMs = 5 * 60_000;

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

export function taskOf(talk: Talk, answer: RedfishAnswer): SentTask {
  const body = created.safeParse(answer.body);
  const reference = answer.location ?? (body.success ? body.data["@odata.id"] : null);
  // A 201 names what was made, not a task.
  const path =
    reference === null || (answer.status === 201 && !/(Task|Job)/i.test(reference))
      ? null
      : pathOf(reference);
  return { task: path, sentAt: talk.nowMs() };
}

/** How a task stands. One without a path is taken as completed: its effect is what is read back. */
export async function readTask(talk: Talk, sent: SentTask): Promise<TaskReading> {
  if (sent.task === null) return { phase: "completed", percent: 100, words: "" };
  const found = await talk.look(sent.task, task);
  if (found === null)
    return talk.nowMs() - sent.sentAt < appearsWithinMs
      ? { phase: "running", percent: null, words: `${sent.task} is not there yet` }
      : { phase: "gone", percent: null, words: `${sent.task} is not there` };
  const { TaskState, TaskStatus, JobState, PercentComplete, Message, Messages, Name } = found.body;
  const state = TaskState ?? JobState ?? "";
  const said = [Message, ...(Messages ?? []).map((row) => row?.Message)].filter(
    (line) => line != null && line !== "",
  );
  const words = `${Name ?? sent.task}: ${state}${said.length > 0 ? `: ${said.join(" ")}` : ""}`.slice(
    0,
    1_000,
  );
  return { phase: phaseOf(state, TaskStatus ?? null), percent: PercentComplete ?? null, words };
}

function phaseOf(state: string, status: string | null): TaskReading["phase"] {
  if (failedStates.has(state) || (state === "Completed" && status === "Critical")) return "failed";
  if (state === "Completed") return "completed";
  return waitingStates.has(state) ? "waiting" : "running";
}

const taskService = z.object({ Tasks: optionalLink });

/**
 * A task that has not ended and whose name says that it is ours, so that it is joined and not ordered twice when an
 * answer was lost. Null where the BMC shows none, or keeps no tasks.
 */
export async function unfinishedTask(
  talk: Talk,
  isOurs: (name: string) => boolean,
  phases: readonly TaskReading["phase"][] = ["running", "waiting"],
): Promise<SentTask | null> {
  const service = pathOfLink((await talk.root()).Tasks);
  const tasks = service === null ? null : pathOfLink((await talk.get(service, taskService)).body.Tasks);
  if (tasks === null) return null;
  const found = (await talk.all(tasks, task)).find(({ body }) => {
    const phase = phaseOf(body.TaskState ?? "", body.TaskStatus ?? null);
    return phases.includes(phase) && isOurs(body.Name ?? "");
  });
  return found === undefined ? null : { task: found.path, sentAt: talk.nowMs() };
}

/** Goes on with `then` once the task is completed, or gone after its time: what it did is read back there. */
export async function whenCompleted(
  talk: Talk,
  handle: SentTask,
  then: () => Promise<StepProgress>,
): Promise<StepProgress> {
  const reading = await readTask(talk, handle);
  if (reading.phase === "failed") return { kind: "failed", message: reading.words };
  if (reading.phase === "completed" || reading.phase === "gone") return then();
  return { kind: "running", handle, percent: reading.percent, message: reading.words };
}
