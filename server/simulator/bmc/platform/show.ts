// Shows a resource as it is by now: the tree's content with this machine's differences. Null where the path is not one that changes.
import { json } from "@/server/simulator/bmc/answer";
import type { Job } from "@/server/simulator/bmc/platform/jobs";
import type { Places } from "@/server/simulator/bmc/platform/places";
import type { Platform } from "@/server/simulator/bmc/platform/platform";

type Json = Record<string, unknown>;

const link = (path: string) => ({ "@odata.id": path });
const under = (path: string, collection: string | null): boolean =>
  collection !== null &&
  path.startsWith(`${collection}/`) &&
  !path.slice(collection.length + 1).includes("/");

function object(text: string | null): Json {
  const value: unknown = text === null ? {} : JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const attributesOf = (text: string | null): Json => object(json(object(text)["Attributes"] ?? {}));

const taskStates = {
  waiting: "Pending",
  running: "Running",
  completed: "Completed",
  failed: "Exception",
} as const;
const jobStates = {
  waiting: "Scheduled",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
} as const;
const words = {
  waiting: "Task successfully scheduled.",
  running: "Job in progress.",
  completed: "Job completed successfully.",
  failed: "Job failed.",
} as const;

function task(path: string, job: Job, platform: Platform): Json {
  const { id, name, state } = job;
  return {
    "@odata.id": path,
    "@odata.type": "#Task.v1_5_1.Task",
    Id: id,
    Name: name,
    TaskState: taskStates[state],
    TaskStatus: state === "failed" ? "Critical" : "OK",
    PercentComplete: platform.jobs.percent(job),
    Messages: [{ MessageId: "Base.1.8.Job", Message: words[state] }],
  };
}

const dellJob = (path: string, job: Job, platform: Platform): Json => ({
  "@odata.id": path,
  "@odata.type": "#DellJob.v1_2_0.DellJob",
  Id: job.id,
  Name: job.name,
  JobState: jobStates[job.state],
  Message: words[job.state],
  PercentComplete: platform.jobs.percent(job),
});

/** The members of a collection with what was made and without what is gone. */
function collection(
  text: string | null,
  changes: Readonly<Record<string, unknown>>,
  here: (path: string) => boolean,
): string {
  const body = object(text);
  const captured = Array.isArray(body["Members"])
    ? body["Members"].flatMap((item: unknown) =>
        typeof item === "object" && item !== null && "@odata.id" in item ? [String(item["@odata.id"])] : [],
      )
    : [];
  const gone = (path: string) => changes[path] === null;
  const made = Object.keys(changes).filter((path) => here(path) && !gone(path) && !captured.includes(path));
  const members = [...captured.filter((path) => !gone(path)), ...made].map(link);
  return json({ ...body, Members: members, "Members@odata.count": members.length });
}

/** `text`: as the tree has it; null where it has nothing there. `inForce`: the BIOS settings of the tree, which its pending ones follow. */
export function show(
  path: string,
  text: string | null,
  places: Places,
  platform: Platform,
  inForce: () => string | null,
): string | null {
  const merged = (changes: Json): string => json({ ...object(text), ...changes });
  switch (path) {
    case places.bios: {
      platform.jobs.list();
      return merged({
        ResetBiosToDefaultsPending: platform.biosDefaultsPending,
        Attributes: { ...attributesOf(text), ...platform.bios },
      });
    }
    case places.biosSettings: {
      platform.jobs.list();
      // Some BMCs show here all settings as they will be, others only what is pending. What was pending at the capture is long in force.
      const all = Object.keys(attributesOf(text)).length > 0;
      return merged({
        Attributes: {
          ...(all ? { ...attributesOf(inForce()), ...platform.bios } : {}),
          ...platform.biosPending,
        },
      });
    }
    case places.secureBoot:
      return platform.secureBootMode === null ? text : merged({ SecureBootMode: platform.secureBootMode });
    case places.attributes:
      return merged({ Attributes: { ...attributesOf(text), ...platform.attributes } });
    case places.manager:
      return platform.lastReset === null || !(text ?? "").includes('"LastResetTime"')
        ? text
        : merged({ LastResetTime: platform.lastReset });
    case places.accounts:
      return collection(text, platform.accounts, (item) => under(item, places.accounts));
    case places.subscriptions:
      return collection(text, platform.subscriptions, (item) => under(item, places.subscriptions));
    case places.jobs:
    case places.tasks: {
      const jobs = Object.fromEntries(platform.jobs.list().map(({ id }) => [`${path}/${id}`, id]));
      return collection(text, jobs, () => true);
    }
  }
  const listed = listsOf(places).find((list) => path === list);
  return listed === undefined
    ? member(path, text, places, platform)
    : collection(text, platform.others, (item) => under(item, listed));
}

/** Collections that a tenant may have added to. */
export const listsOf = ({ lists }: Places): readonly string[] => [
  ...lists.keys,
  ...(lists.bootEntries === null ? [] : [lists.bootEntries]),
  ...lists.secureBoot,
];

function member(path: string, text: string | null, places: Places, platform: Platform): string | null {
  const merged = (changes: Json): string => json({ ...object(text), ...changes });
  if (under(path, places.tasks) || under(path, places.jobs)) {
    const job = platform.jobs.list().find(({ id }) => path.endsWith(`/${id}`));
    return job === undefined
      ? text
      : json(under(path, places.tasks) ? task(path, job, platform) : dellJob(path, job, platform));
  }
  if (under(path, places.accounts) && path in platform.accounts)
    return platform.accounts[path] === null
      ? ""
      : merged({ "@odata.id": path, Id: path.split("/").at(-1), ...platform.accounts[path] });
  if (under(path, places.subscriptions) && path in platform.subscriptions)
    return platform.subscriptions[path] === null
      ? ""
      : merged({ "@odata.id": path, Id: path.split("/").at(-1), Destination: platform.subscriptions[path] });
  if ([...places.secureErase.values()].includes(path)) {
    const erased = platform.jobs
      .list()
      .find(
        ({ state, effect }) =>
          state === "running" && effect.kind === "eraseDrive" && (text ?? "").includes(`"${effect.serial}"`),
      );
    return erased === undefined
      ? text
      : merged({
          Operations: [{ OperationName: "Erase", PercentageComplete: platform.jobs.percent(erased) }],
        });
  }
  if (
    places.storage.some(({ decommission, drives }) => decommission !== null && drives.includes(path)) &&
    platform.driveGone(String(object(text)["SerialNumber"]))
  )
    return merged({ Status: { State: "Absent" } });
  const other = platform.others[path];
  if (other !== undefined)
    return other === null ? "" : merged({ "@odata.id": path, Id: path.split("/").at(-1), ...other });
  const image = platform.media[path];
  if (places.media.has(path) && image !== undefined)
    return merged({
      Image: image,
      ImageName: image?.split("/").at(-1) ?? null,
      Inserted: image !== null,
      ConnectedVia: image === null ? "NotConnected" : "URI",
    });
  if (path in platform.firmware || under(path, places.firmware)) {
    platform.jobs.list();
    const version = platform.firmware[path];
    return version === undefined ? text : merged({ Version: version });
  }
  for (const { volumes } of places.storage) {
    if (path !== volumes && !under(path, volumes)) continue;
    platform.jobs.list();
    if (path === volumes) return collection(text, platform.volumes, (item) => under(item, volumes));
    const made = platform.volumes[path];
    if (made === undefined) return text;
    if (made === null) return "";
    const { Name, RAIDType, drives } = made;
    return json({
      "@odata.id": path,
      "@odata.type": "#Volume.v1_6_2.Volume",
      Id: path.split("/").at(-1),
      Name,
      RAIDType,
      VolumeType: "Mirrored",
      Links: { Drives: drives.map(link) },
      Status: { State: "Enabled", Health: "OK" },
    });
  }
  return text;
}
