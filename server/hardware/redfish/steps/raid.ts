// Volumes of the RAID controller: deleted and created one by one, each read back.
import { z } from "zod";
import type { StepProgress } from "@/server/hardware/interfaces";
import { raidTypes } from "@/server/hardware/redfish/inventory/raid";
import type { FoundDrive } from "@/server/hardware/redfish/inventory/drives";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import {
  createVolume,
  madeVolumes,
  unitOf,
  type Unit,
  type Volume,
} from "@/server/hardware/redfish/steps/storage";
import { StepFailed } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import {
  readTask,
  sentTask,
  taskOf,
  unfinishedTask,
  type SentTask,
} from "@/server/hardware/redfish/steps/tasks";

const names = { root: "root", data: "data" } as const;

/** `tasks`: the tasks in progress; `left`: volumes that must disappear. */
const handleShape = z.object({ tasks: z.array(sentTask), left: z.array(z.string()) });
type Handle = z.infer<typeof handleShape>;

const flag = z.boolean().optional();

interface VolumeTarget {
  readonly deleteAll: boolean;
  readonly root: boolean;
  readonly data: boolean;
}

/** By default root and data volumes are created and nothing is deleted, as in Ironic. */
function wantedOf({ step: { args } }: StepClient): VolumeTarget {
  return {
    deleteAll: flag.parse(args["delete_existing"]) ?? false,
    root: flag.parse(args["create_root_volume"]) ?? true,
    data: flag.parse(args["create_nonroot_volumes"]) ?? true,
  };
}

const title = ({ body, path }: Volume): string => body.Name ?? body.Id ?? path;

async function remove(session: StepClient, volumes: readonly Volume[]): Promise<StepProgress> {
  const tasks: SentTask[] = [];
  for (const { path } of volumes) tasks.push(taskOf(session, await session.change("DELETE", path, null)));
  return {
    kind: "running",
    handle: { tasks, left: volumes.map(({ path }) => path) },
    percent: null,
    message: `deleting ${volumes.map(title).join(", ")}`,
  };
}

/** The progress of the tasks; null once all have succeeded. */
async function underWay(session: StepClient, handle: Handle): Promise<StepProgress | null> {
  for (const sent of handle.tasks) {
    const reading = await readTask(session, sent);
    if (reading.phase === "failed") return failed(reading.words);
    if (reading.phase === "waiting") return { kind: "restart", handle, message: reading.words };
    if (reading.phase === "running")
      return { kind: "running", handle, percent: reading.percent, message: reading.words };
  }
  return null;
}

/** Waits for an unfinished job of the controller, whoever started it, and looks at its result afterwards. */
async function joined(session: StepClient, unit: Unit): Promise<StepProgress | null> {
  const running = await unfinishedTask(session, (name) => name.includes(unit.unit.Id ?? unit.path));
  return running === null
    ? null
    : {
        kind: "running",
        handle: { tasks: [running], left: [] },
        percent: null,
        message: `${unit.path} has a job already`,
      };
}

const controller = (session: StepClient): Promise<Unit> =>
  unitOf(session, session.step.known.platform.raidController);

export const deleteConfiguration = stepMaker({
  begin: async (session) => {
    const unit = await controller(session);
    const running = await joined(session, unit);
    if (running !== null) return running;
    const volumes = await madeVolumes(session, unit);
    if (volumes.length === 0) return done("the controller has no volumes");
    return remove(session, volumes);
  },
  check: async (session, handle) => {
    const sent = handleShape.parse(handle);
    const busy = await underWay(session, sent);
    if (busy !== null) return busy;
    const left = await madeVolumes(session, await controller(session));
    return left.length === 0
      ? done(`${sent.left.length} volumes were deleted`)
      : failed(`still there: ${left.map(title).join(", ")}`);
  },
});

/** The drives that no volume uses, by slot: two for the root volume, the others for data. */
function freeDrives(unit: Unit, volumes: readonly Volume[]): readonly FoundDrive[] {
  const used = new Set(volumes.flatMap(({ body }) => body.Links?.Drives ?? []));
  return unit.drives
    .filter(({ path }) => !used.has(path))
    .toSorted((a, b) => (a.device.slot ?? "").localeCompare(b.device.slot ?? "", "en", { numeric: true }));
}

/** A level that survives the loss of one drive, if the controller offers it for this many drives; otherwise RAID0. */
function dataLevel(drives: number, offered: readonly string[]): string {
  const level =
    drives >= 3 && offered.includes("RAID5")
      ? "RAID5"
      : drives === 2 && offered.includes("RAID1")
        ? "RAID1"
        : "RAID0";
  if (!offered.includes(level))
    throw new StepFailed(
      `the controller makes none of RAID5, RAID1 and RAID0 over ${drives} drives, only ${offered.join(", ")}`,
    );
  return level;
}

/** Creates the next missing volume; done if none is missing. */
async function goOn(session: StepClient): Promise<StepProgress> {
  const wanted = wantedOf(session);
  const unit = await controller(session);
  const volumes = await madeVolumes(session, unit);
  const has = (name: string): boolean => volumes.some(({ body }) => body.Name === name);
  const free = freeDrives(unit, volumes);
  const make = async (name: string, level: string, drives: readonly FoundDrive[]): Promise<StepProgress> => {
    const sent = await createVolume(session, unit, name, level, drives, "Immediate");
    return {
      kind: "running",
      handle: { tasks: [sent], left: [] },
      percent: null,
      message: `making ${name}, ${level} over ${drives.length} drives`,
    };
  };
  if (wanted.root && !has(names.root)) {
    if (free.length < 2)
      throw new StepFailed(
        `the root volume takes two drives, and ${free.length} of ${unit.drives.length} are free`,
      );
    return make(names.root, "RAID1", free.slice(0, 2));
  }
  if (wanted.data && !has(names.data) && free.length > 0)
    return make(names.data, dataLevel(free.length, await raidTypes(session.gather, unit)), free);
  return done(
    volumes.length === 0
      ? "no volumes were asked for"
      : `the controller has ${volumes.map((row) => `${title(row)} (${row.body.RAIDType ?? "no level"})`).join(", ")}`,
  );
}

export const createConfiguration = stepMaker({
  begin: async (session) => {
    const unit = await controller(session);
    const running = await joined(session, unit);
    if (running !== null) return running;
    const existing = wantedOf(session).deleteAll ? await madeVolumes(session, unit) : [];
    if (existing.length === 0) return goOn(session);
    return remove(session, existing);
  },
  check: async (session, handle) => {
    const sent = handleShape.parse(handle);
    const busy = await underWay(session, sent);
    if (busy !== null) return busy;
    const still =
      sent.left.length === 0
        ? []
        : (await madeVolumes(session, await controller(session))).filter(({ path }) =>
            sent.left.includes(path),
          );
    return still.length > 0 ? failed(`still there: ${still.map(title).join(", ")}`) : goOn(session);
  },
});
