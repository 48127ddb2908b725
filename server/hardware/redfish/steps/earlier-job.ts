// Waits for a BIOS job that an earlier attempt or step left running, and deletes it if it does not end, because it blocks every later job.
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import type { StepWork } from "@/server/hardware/redfish/steps/step-code";
import { StepFailed } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { readTask, sentTask, unfinishedTask } from "@/server/hardware/redfish/steps/tasks";

/** All earlier attempts are over. A job that applies at a restart has ended long before this, or never will. */
const stuckAfterMs = 60_000;

const earlierJob = sentTask.extend({ earlier: z.literal(true) });
type EarlierJob = z.infer<typeof earlierJob>;

/** Starts `work` only once no BIOS job is running. No effect on a BMC without a job queue. */
export function afterEarlierJob(work: StepWork): StepWork {
  return {
    begin: async (session) => {
      const running = session.step.known.platform.jobQueue
        ? await unfinishedTask(session, (name) => /BIOS/i.test(name), ["running"])
        : null;
      // safety: bmc: nothing is ordered beside a job that runs (always)
      return running === null ? work.begin(session) : waiting({ ...running, earlier: true });
    },
    check: async (session, handle) => {
      const earlier = earlierJob.safeParse(handle).data;
      return earlier === undefined ? work.check(session, handle) : follow(session, earlier, work);
    },
  };
}

const waiting = (handle: EarlierJob): StepProgress => ({
  kind: "running",
  handle,
  percent: null,
  message: `${handle.task ?? "a job"} of an earlier attempt still runs`,
});

async function follow(session: StepClient, earlier: EarlierJob, work: StepWork): Promise<StepProgress> {
  const reading = await readTask(session, earlier);
  // A job that waits for a restart may be the one this step needs. `work` checks what is pending.
  if (reading.phase !== "running") return work.begin(session);
  // safety: bmc: a job that runs has time to end before it is deleted
  if (session.nowMs() - earlier.sentAt < stuckAfterMs) return waiting(earlier);
  const { deleteJob } = session.profile;
  if (deleteJob === null || earlier.task === null)
    throw new StepFailed(`${reading.words}: it does not end, and this BMC cannot delete it`);
  await deleteJob(session, earlier.task);
  return work.begin(session);
}
