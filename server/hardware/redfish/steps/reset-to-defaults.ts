// Sets the BMC back to its defaults, except its network and accounts (docs/adr/0146-bmc-to-defaults.md).
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import { managerResource } from "@/server/hardware/redfish/resources/resources";
import { otherUsers, ownAccount } from "@/server/hardware/redfish/steps/baseline";
import { beforeRestart, resetHandle, whenRestarted } from "@/server/hardware/redfish/steps/manager";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { readTask, sentTask, unfinishedTask } from "@/server/hardware/redfish/steps/tasks";

/** The only kind that keeps both the address and the account by which Reclaim reaches the BMC (Redfish ResetToDefaultsType). */
export const keptInReset = "PreserveNetworkAndUsers";

const runningJob = z.object({ job: sentTask });
const bootedHandle = z.object({ booted: z.literal(true) });

const waiting = (job: z.infer<typeof sentTask>): StepProgress => ({
  kind: "running",
  handle: { job },
  percent: null,
  message: `${job.task ?? "a job"} still runs, which the reset would break off; waiting for it`,
});

async function begin(session: StepClient): Promise<StepProgress> {
  const { body } = await session.get(session.links.manager, managerResource);
  const action = body.Actions?.["#Manager.ResetToDefaults"];
  if (action == null) throw unsupported(`${session.links.manager} offers no Manager.ResetToDefaults action`);
  const types = await session.resetTypes(action);
  // safety: bmc: a reset that would delete the account that we sign in with is not ordered
  if (!types.includes(keptInReset))
    throw unsupported(
      `${action.target} does not offer ${keptInReset}, but only ${types.join(", ") || "kinds that it does not list"}, which would also delete the account that Reclaim signs in with`,
    );
  const users = await otherUsers(session);
  if (users !== null) throw unsupported(`${users}, whose settings a reset would delete as well`);
  if ((await ownAccount(session)) === null)
    throw unsupported(
      "the BMC does not list the account that Reclaim signs in with, so it may not keep it over a reset",
    );
  const job = await unfinishedTask(session, () => true, ["running"]);
  // safety: bmc: a reset does not break off a job (always)
  if (job !== null) return waiting(job);
  await session.change("POST", action.target, { ResetType: keptInReset });
  return {
    kind: "running",
    handle: beforeRestart(body.LastResetTime),
    percent: null,
    message: "the BMC accepted the reset to its defaults; waiting for its restart",
  };
}

export const resetToDefaults = stepMaker({
  begin,
  check: async (session, handle) => {
    const busy = runningJob.safeParse(handle).data;
    if (busy !== undefined) {
      const { phase } = await readTask(session, busy.job);
      return phase === "running" ? waiting(busy.job) : begin(session);
    }
    if (bootedHandle.safeParse(handle).success) return afterBoot(session);
    return whenRestarted(session, resetHandle.parse(handle), (words) => ({
      kind: "restart",
      handle: { booted: true },
      // The BMC learns the entries of the boot menu from the firmware, at the host's next start.
      message: `${words}; the host is restarted, so that the BMC knows its boot entries again`,
    }));
  },
});

/**
 * The account is still there, so whoever comes next gets in. Nothing here shows that the BMC did load its defaults: what the reset left is read and judged
 * with the platform.
 */
async function afterBoot(session: StepClient): Promise<StepProgress> {
  // safety: bmc: the account that we sign in with outlives a reset
  if ((await ownAccount(session)) === null)
    return failed(
      "after its reset the BMC lists no enabled account with the name that Reclaim signs in with, though it still lets it in",
    );
  return done(
    "the BMC accepted the reset to its defaults and restarted; Reclaim's account and the BMC's address are still the same",
  );
}
