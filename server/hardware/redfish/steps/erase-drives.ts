// Erases drives behind a RAID controller through the BMC, because the agent cannot see them.
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import type { FoundDrive } from "@/server/hardware/redfish/inventory/drives";
import { managerResource } from "@/server/hardware/redfish/resources/resources";
import { erasedByBmc } from "@/server/hardware/redfish/steps/device-results";
import { restartTimeMoved } from "@/server/hardware/redfish/steps/manager";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import type { TaskReading } from "@/server/hardware/redfish/resources/task";
import { allStorage } from "@/server/hardware/redfish/steps/storage";
import { StepFailed, refused } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { readTask, sentTask, taskOf } from "@/server/hardware/redfish/steps/tasks";

const named = z.array(z.string()).optional();
const handleShape = z.object({
  drives: z
    .array(
      sentTask.extend({
        serial: z.string(),
        /** When the task began, as the BMC told at the first look. */
        startTime: z.string().nullable().default(null),
      }),
    )
    .min(1),
  /** When the BMC last restarted before the erase; missing where a server of 0.2.0 followed it. */
  lastReset: z.string().nullish(),
});

const operations = z.object({
  Operations: z
    .array(
      z
        .object({ OperationName: z.string().nullish().catch(null) })
        .nullish()
        .catch(null),
    )
    .nullish()
    .catch(null),
});

/** The drives to erase, each with the action that erases it. */
async function targets(
  session: StepClient,
): Promise<ReadonlyArray<FoundDrive & { readonly secureErase: string }>> {
  const only = named.parse(session.step.args["devices"]);
  const wanted = session.step.known.platform.erasableDrives.filter(
    (serial) => only === undefined || only.includes(serial),
  );
  if (wanted.length === 0) throw new StepFailed("the BMC can erase none of the named drives");
  const { drives } = await allStorage(session);
  return wanted.map((serial) => {
    const found = drives.find(({ device }) => device.serial === serial);
    if (found === undefined) throw new StepFailed(`the BMC no longer shows drive ${serial}`);
    if (found.secureErase === null) throw new StepFailed(`${found.path} offers no Drive.SecureErase action`);
    return { ...found, secureErase: found.secureErase };
  });
}

export const secureEraseDrives = stepMaker({
  begin: async (session) => {
    const drives = await targets(session);
    // Check all drives before touching the first. An operation in progress must not be started again.
    for (const { path, device } of drives) {
      const running = (await session.get(path, operations)).body.Operations?.find((row) => row != null);
      // safety: bmc: a drive that is being erased is left alone
      if (running != null)
        // Refused, not failed: it may be an erase of ours, so the host still counts as one that may be erasing.
        throw refused(`drive ${device.serial} is busy with ${running.OperationName ?? "an operation"}`);
    }
    const manager = await session.get(session.links.manager, managerResource);
    const lastReset = manager.body.LastResetTime ?? null;
    const sent: z.infer<typeof handleShape>["drives"] = [];
    for (const { secureErase, device } of drives)
      sent.push({
        serial: device.serial,
        startTime: null,
        ...taskOf(
          session,
          await session.change("POST", secureErase, { "@Redfish.OperationApplyTime": "Immediate" }),
        ),
      });
    return {
      kind: "running",
      handle: { drives: sent, lastReset },
      percent: 0,
      message: `erasing ${sent.map(({ serial }) => serial).join(", ")}`,
    };
  },
  check: async (session, handle) => {
    const { drives: sent, lastReset } = handleShape.parse(handle);
    const readings = [];
    for (const drive of sent) readings.push({ ...drive, reading: await readingOf(session, drive) });
    const open = readings.filter(({ reading }) => reading.phase === "running" || reading.phase === "waiting");
    if (open.length > 0) {
      const percents = readings.map(({ reading }) =>
        reading.phase === "completed" ? 100 : (reading.percent ?? 0),
      );
      return {
        kind: "running",
        handle: {
          drives: readings.map(({ reading, ...drive }) => ({
            ...drive,
            // One that waits may begin later.
            startTime: drive.startTime ?? (reading.phase === "running" ? reading.startTime : null),
          })),
          ...(lastReset === undefined ? {} : { lastReset }),
        },
        percent: Math.floor(percents.reduce((sum, percent) => sum + percent, 0) / percents.length),
        message: open.map(({ serial, reading }) => `${serial}: ${reading.words}`).join("; "),
      };
    }
    const manager = await session.get(session.links.manager, managerResource);
    // safety: bmc: a task counts only for the BMC's run in which it began
    if (lastReset !== undefined && hasRestartedSince(lastReset, manager.body.LastResetTime ?? null))
      throw refused(
        "the BMC has restarted since the erase began, so a task with the same number may be another one",
      );
    const { drives } = await allStorage(session);
    const results = readings.map(({ serial, reading, task, sentAt }) => {
      const device = drives.find((row) => row.device.serial === serial)?.device;
      if (device === undefined) throw new StepFailed(`drive ${serial} is no longer there after its erase`);
      return erasedByBmc(
        session,
        device,
        "redfish-drive-secure-erase",
        { task, sentAt },
        reading.words,
        reading.phase === "completed",
      );
    });
    return ended(results);
  },
});

/** A BMC that tells its first restart has had one. */
const hasRestartedSince = (before: string | null, now: string | null): boolean =>
  restartTimeMoved(before, now) ?? (before === null && now !== null);

/**
 * The state of a drive's task. Where the BMC cannot tell what became of the erase it is refused, not failed: the erase may still be running, so the host
 * counts as one that may be erasing.
 */
async function readingOf(
  session: StepClient,
  { serial, startTime, ...sent }: z.infer<typeof handleShape>["drives"][number],
): Promise<TaskReading> {
  if (sent.task === null)
    throw refused(`the BMC returned no task: it is unknown whether drive ${serial} is erased`);
  const reading = await readTask(session, sent);
  if (reading.phase === "gone")
    throw refused(`${reading.words}: it is unknown whether drive ${serial} is erased`);
  // safety: bmc: another task at the path of an erase is not the erase
  if (startTime !== null && reading.startTime !== null && startTime !== reading.startTime)
    throw refused(
      `${sent.task} is another task than before: it is unknown whether drive ${serial} is erased`,
    );
  return reading;
}

function ended(results: (StepProgress & { kind: "done" })["devices"]): StepProgress {
  const bad = results.filter(({ result }) => result === "ERROR");
  // safety: bmc: a failed erase of one drive (never)
  return bad.length > 0
    ? failed(bad.map(({ serial, message }) => `${serial}: ${message}`).join("; "))
    : done(`erased ${results.map(({ serial }) => serial).join(", ")}`, results);
}
