// A job of the BIOS that an earlier attempt or step left running: it is waited for, and deleted when it does not end, because it holds up every later one.
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import type { StepWork } from "@/server/hardware/redfish/steps/step-code";
import { StepFailed } from "@/server/hardware/redfish/steps/stopped";
import type { Talk } from "@/server/hardware/redfish/steps/talk";
import { readTask, sentTask, unfinishedTask } from "@/server/hardware/redfish/steps/tasks";

/** Every attempt before this one is over. A job that works at a restart has ended long ago by then, or never will. */
const stuckAfterMs = 60_000;

const earlierJob = sentTask.extend({ earlier: z.literal(true) });
type EarlierJob = z.infer<typeof earlierJob>;

/** The same work, begun only once no job of the BIOS runs any more. On a BMC that keeps no queue of jobs nothing is changed. */
export function afterEarlierJob(work: StepWork): StepWork {
  return {
    begin: async (talk) => {
      const running = talk.step.known.platform.jobQueue
        ? await unfinishedTask(talk, (name) => /BIOS/i.test(name), ["running"])
        : null;
      // safety: bmc: nothing is ordered beside a job that runs (always)
      return running === null ? work.begin(talk) : waiting({ ...running, earlier: true });
    },
    check: async (talk, handle) => {
      const earlier = earlierJob.safeParse(handle).data;
      return earlier === undefined ? work.check(talk, handle) : follow(talk, earlier, work);
    },
  };
}

const waiting = (handle: EarlierJob): StepProgress => ({
  kind: "running",
  handle,
  percent: null,
  message: `${handle.task ?? "a job"} of an earlier attempt still runs`,
});

async function follow(talk: Talk, earlier: EarlierJob, work: StepWork): Promise<StepProgress> {
  const reading = await readTask(talk, earlier);
  // One that waits for a restart may be the very one that this step needs: the work looks at what is pending.
  if (reading.phase !== "running") return work.begin(talk);
  // safety: bmc: a job that runs has time to end before it is deleted
  if (talk.nowMs() - earlier.sentAt < stuckAfterMs) return waiting(earlier);
  const { deleteJob } = talk.profile;
  if (deleteJob === null || earlier.task === null)
    throw new StepFailed(`${reading.words}: it does not end, and this BMC cannot delete it`);
  await deleteJob(talk, earlier.task);
  return work.begin(talk);
}
