// A BMC's tasks and jobs: finding them and reading their state (DSP0266, Asynchronous operations; Dell calls them jobs).
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import type { RedfishAnswer } from "@/server/hardware/redfish/client/client";
import { optionalLink } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import { phaseOf, taskLocation, taskReading, taskResource } from "@/server/hardware/redfish/resources/task";
import type { TaskReading } from "@/server/hardware/redfish/resources/task";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

/** A task that was started: its path, or null if the BMC named none, and when, in ms of wall-clock time. */
export const sentTask = z.object({ task: z.string().nullable(), sentAt: z.number() });
export type SentTask = z.infer<typeof sentTask>;

/** An accepted job may take this long to appear (NICo waits as long for Dell's). */
const appearsWithinMs = 5 * 60_000;

export function taskOf(session: StepClient, answer: RedfishAnswer): SentTask {
  return { task: taskLocation(answer), sentAt: session.nowMs() };
}

const noTask = { percent: null, startTime: null, messageIds: [] } as const;

/** The state of a task. Without a path it counts as completed, and its effect is read back instead. */
export async function readTask(session: StepClient, sent: SentTask): Promise<TaskReading> {
  if (sent.task === null)
    return { phase: "completed", percent: 100, words: "", startTime: null, messageIds: [] };
  const found = await session.look(sent.task, taskResource);
  if (found === null)
    return session.nowMs() - sent.sentAt < appearsWithinMs
      ? { ...noTask, phase: "running", words: `${sent.task} is not there yet` }
      : { ...noTask, phase: "gone", words: `${sent.task} is not there` };
  return taskReading(sent.task, found.body);
}

const taskService = z.object({ Tasks: optionalLink });

export interface OpenTask extends SentTask {
  readonly name: string;
  readonly phase: "running" | "waiting";
}

/** Tasks that are not over; none if the BMC shows none, or keeps no tasks. */
export async function unfinishedTasks(session: StepClient): Promise<readonly OpenTask[]> {
  const service = pathOfLink((await session.root()).Tasks);
  const tasks = service === null ? null : pathOfLink((await session.get(service, taskService)).body.Tasks);
  if (tasks === null) return [];
  return (await session.all(tasks, taskResource)).flatMap(({ path, body }) => {
    const phase = phaseOf(body.TaskState ?? "", body.TaskStatus ?? null);
    if (phase !== "running" && phase !== "waiting") return [];
    return [{ task: path, sentAt: session.nowMs(), name: body.Name ?? "", phase }];
  });
}

/**
 * An unfinished task whose name says that it is ours, so that it is joined instead of started twice after a lost answer.
 * Null if the BMC shows none, or keeps no tasks.
 */
export async function unfinishedTask(
  session: StepClient,
  isOurs: (name: string) => boolean,
  phases: readonly OpenTask["phase"][] = ["running", "waiting"],
): Promise<SentTask | null> {
  const open = await unfinishedTasks(session);
  return open.find(({ name, phase }) => phases.includes(phase) && isOurs(name)) ?? null;
}

/** Continues with `then`, which reads back the effect, once the task is completed, or is gone and no longer expected to appear. */
export async function whenCompleted(
  session: StepClient,
  handle: SentTask,
  then: () => Promise<StepProgress>,
): Promise<StepProgress> {
  const reading = await readTask(session, handle);
  if (reading.phase === "failed") return { kind: "failed", message: reading.words };
  if (reading.phase === "completed" || reading.phase === "gone") return then();
  return { kind: "running", handle, percent: reading.percent, message: reading.words };
}
