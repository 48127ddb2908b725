// Storage units, drives and volumes for the steps of the `raid` interface.
import { z } from "zod";
import { collectStorage, type FoundDrive, type FoundUnit } from "@/server/hardware/redfish/inventory/drives";
import { links, text } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import { storageLinksOf } from "@/server/hardware/redfish/resources/system";
import { StepFailed, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { Resource, StepClient } from "@/server/hardware/redfish/steps/step-client";
import { taskOf, type SentTask } from "@/server/hardware/redfish/steps/tasks";

export const volume = z.object({
  Id: text,
  Name: text,
  RAIDType: text,
  VolumeType: text,
  Links: z.object({ Drives: links }).nullish().catch(null),
});
export type Volume = Resource<z.infer<typeof volume>>;

export interface Unit extends FoundUnit {
  readonly volumes: string;
  readonly drives: readonly FoundDrive[];
}

/** Everything behind the system's storage. Anything that cannot be read stops the step. */
export async function allStorage(session: StepClient) {
  const storage = await collectStorage(session.gather, storageLinksOf(await session.system()), null);
  const lost = session.gather.leftOut;
  if (lost.length > 0) throw new StepFailed(lost.join("; "));
  return storage;
}

/** The unit with this id, with its drives in the BMC's order. */
export async function unitOf(session: StepClient, id: string | null): Promise<Unit> {
  const storage = id === null ? null : await allStorage(session);
  const found = storage?.units.find(({ unit }) => unit.Id === id);
  const volumes = pathOfLink(found?.unit.Volumes);
  if (storage === null || found === undefined)
    throw unsupported(`the system has no storage controller ${id ?? "of that kind"}`);
  if (volumes === null) throw unsupported(`${found.path} has no volumes`);
  return { ...found, volumes, drives: storage.drives.filter(({ unitPath }) => unitPath === found.path) };
}

/** Volumes that somebody created. Some BMCs also list a single drive as a volume. */
export async function madeVolumes(session: StepClient, unit: Unit): Promise<readonly Volume[]> {
  return (await session.all(unit.volumes, volume)).filter(({ body }) => body.VolumeType !== "RawDevice");
}

/** Requests a volume over these drives. `applyTime` is the value that the controller accepts. */
export async function createVolume(
  session: StepClient,
  unit: Unit,
  name: string,
  raidType: string,
  drives: readonly FoundDrive[],
  applyTime: "Immediate" | "OnReset",
): Promise<SentTask> {
  const body = {
    Name: name,
    RAIDType: raidType,
    Links: { Drives: drives.map(({ path }) => ({ "@odata.id": path })) },
    "@Redfish.OperationApplyTime": applyTime,
  };
  return taskOf(session, await session.change("POST", unit.volumes, body));
}
