// Dell's BOSS card: its controller erases both of its drives, and VD_0 is recreated afterwards (docs/design/hardware.md#dell-boss).
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import { erasedByBmc } from "@/server/hardware/redfish/steps/device-results";
import { done, failed, recovered, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { createVolume, madeVolumes, unitOf, type Unit } from "@/server/hardware/redfish/steps/storage";
import { StepFailed, refused, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import {
  readTask,
  sentTask,
  taskOf,
  unfinishedTask,
  whenCompleted,
  type SentTask,
} from "@/server/hardware/redfish/steps/tasks";

const decommission = z.object({ target: z.string().min(1) });
const action = "#DellStorage.ControllerDrivesDecommission";

const boss = (session: StepClient): Promise<Unit> =>
  unitOf(session, session.step.known.platform.bossController);

/** An unfinished job of this card. A second one must not be started beside it. */
const jobOf = (session: StepClient, unit: Unit): Promise<SentTask | null> =>
  unfinishedTask(session, (name) => name.includes(unit.unit.Id ?? unit.path));

export const secureEraseBoss = stepMaker({
  begin: async (session) => {
    const unit = await boss(session);
    const running = await jobOf(session, unit);
    // safety: bmc: an erase that runs is joined
    if (running !== null)
      return { kind: "running", handle: running, percent: null, message: `${unit.path} has a job already` };
    const offered = decommission.safeParse(unit.unit.Actions?.Oem?.[action]).data;
    const target = offered === undefined ? null : pathOf(offered.target);
    if (target === null) throw unsupported(`${unit.path} offers no ${action.slice(1)} action`);
    const sent = taskOf(
      session,
      await session.change("POST", target, { "@Redfish.OperationApplyTime": "Immediate" }),
    );
    if (sent.task === null)
      throw refused(`POST ${target} was accepted without a job: it is unknown whether the drives are erased`);
    return {
      kind: "running",
      handle: sent,
      percent: 0,
      message: `${unit.unit.Id ?? unit.path} erases its ${unit.drives.length} drives`,
    };
  },
  check: async (session, handle) => {
    const sent = sentTask.parse(handle);
    const reading = await readTask(session, sent);
    // A job that is gone proves nothing. A setting could be read back instead; for an erase there is no other evidence.
    // safety: bmc: an erase whose job is gone is none
    if (reading.phase === "gone")
      // Refused, not failed: it may still run, so the host is neither switched off nor counts as one that erases no longer.
      throw refused(`${reading.words}: it is unknown whether the drives are erased`);
    return recovered(
      await whenCompleted(session, sent, async () => {
        const unit = await boss(session);
        const left = await madeVolumes(session, unit);
        if (left.length > 0)
          return failed(
            `${reading.words}, but ${left.map(({ body, path }) => body.Name ?? path).join(", ")} is still there`,
          );
        return done(
          reading.words,
          unit.drives.map(({ device }) =>
            erasedByBmc(session, device, "dell-boss-decommission", sent, reading.words, true),
          ),
        );
      }),
    );
  },
});

const name = "VD_0";

async function made(session: StepClient, unit: Unit): Promise<StepProgress | null> {
  const volumes = await madeVolumes(session, unit);
  const found = volumes.find(({ body }) => body.Name === name);
  if (found === undefined)
    return volumes.length === 0
      ? null
      : failed(
          `${unit.path} has the volume ${volumes.map(({ body, path }) => body.Name ?? path).join(", ")} in place of ${name}`,
        );
  return found.body.RAIDType === "RAID1"
    ? done(`${name} is there, RAID1`)
    : failed(`${name} is ${found.body.RAIDType ?? "of no RAID type"}, not RAID1`);
}

export const createBossVolume = stepMaker({
  begin: async (session) => {
    const unit = await boss(session);
    const present = await made(session, unit);
    const running = await jobOf(session, unit);
    if (running !== null)
      return { kind: "running", handle: running, percent: null, message: `${unit.path} has a job already` };
    if (present !== null) return present;
    if (unit.drives.length < 2)
      throw new StepFailed(`${unit.path} shows ${unit.drives.length} drives; ${name} takes two`);
    const sent = await createVolume(session, unit, name, "RAID1", unit.drives.slice(0, 2), "Immediate");
    return { kind: "running", handle: sent, percent: 0, message: `${name} is ordered` };
  },
  check: async (session, handle) => {
    const sent = sentTask.parse(handle);
    const reading = await readTask(session, sent);
    if (reading.phase === "waiting") return { kind: "restart", handle: sent, message: reading.words };
    return recovered(
      await whenCompleted(
        session,
        sent,
        async () =>
          (await made(session, await boss(session))) ?? failed(`${reading.words}, but ${name} is not there`),
      ),
    );
  },
});
