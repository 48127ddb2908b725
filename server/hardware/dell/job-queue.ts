// Dell's job queue. Pending jobs block later changes, so an operator can clear it.
import { z } from "zod";
import { text } from "@/server/hardware/redfish/resources/references";
import { optionalAction } from "@/server/hardware/redfish/resources/resources";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { StepFailed, StepStopped, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

const service = z.object({
  Actions: z.object({ "#DellJobService.DeleteJobQueue": optionalAction }).nullish().catch(null),
});
const job = z.object({ Id: text, JobState: text });

/** Finished jobs stay listed as history; all others are pending or running. */
const ended = /^(Completed|CompletedWithErrors|Failed|RebootCompleted|RebootFailed)$/;

async function queue(session: StepClient) {
  const manager = await session.client.get(session.call, session.links.manager);
  if (!manager.ok) throw new StepStopped(manager.error);
  const found = session.profile.jobQueue(manager.answer.body);
  if (found === null) throw unsupported("the manager keeps no job queue");
  return found;
}

async function waiting(session: StepClient, jobs: string): Promise<readonly string[]> {
  return (await session.all(jobs, job)).flatMap(({ body, path }) =>
    ended.test(body.JobState ?? "") ? [] : [body.Id ?? path],
  );
}

/** The target of the action that deletes one job by its id, or all of them. */
async function deletion(session: StepClient, path: string): Promise<string> {
  const target = (await session.get(path, service)).body.Actions?.["#DellJobService.DeleteJobQueue"]?.target;
  if (target === undefined) throw unsupported(`${path} offers no DellJobService.DeleteJobQueue action`);
  return target;
}

/** Deletes one job and reads back that it is neither pending nor running. */
export async function deleteJob(session: StepClient, task: string): Promise<void> {
  const { service: path, jobs } = await queue(session);
  const id = task.split("/").at(-1) ?? task;
  const target = await deletion(session, path);
  const answer = await session.change("POST", target, { JobID: id });
  const back = await session.until(
    session.client.settings.limits.settingReadBackMs,
    () => waiting(session, jobs),
    (left) => !left.includes(id),
  );
  if (!back.ok)
    throw new StepFailed(`POST ${target} was answered ${answer.status}, but ${id} is still there`);
}

export const clearJobQueue = stepMaker({
  begin: async (session) => {
    const { service: path, jobs } = await queue(session);
    const before = await waiting(session, jobs);
    if (before.length === 0) return done("no job waits");
    const target = await deletion(session, path);
    const answer = await session.change("POST", target, { JobID: "JID_CLEARALL" });
    const back = await session.until(
      session.client.settings.limits.settingReadBackMs,
      () => waiting(session, jobs),
      (left) => left.length === 0,
    );
    return back.ok
      ? done(`deleted ${before.join(", ")}`)
      : failed(
          `POST ${target} was answered ${answer.status}, but ${back.value.join(", ")} still ${back.value.length === 1 ? "waits" : "wait"}`,
        );
  },
  check: async (session) => {
    const left = await waiting(session, (await queue(session)).jobs);
    return left.length === 0
      ? done("no job waits")
      : failed(`${left.join(", ")} still ${left.length === 1 ? "waits" : "wait"}`);
  },
});
