// Shows a resource in its current state: the tree's content with this machine's differences.
// Content that does not change is returned as it is; an empty text means that the resource is gone.
import { json } from "@/server/simulator/bmc/answer";
import { bootOrderOf } from "@/server/simulator/bmc/platform/boot-order";
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

/** The attributes of a BIOS resource; none if it is null. */
export const attributesOf = (text: string | null): Json => object(json(object(text)["Attributes"] ?? {}));

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
  const { id, name, state, messageId, orderedAt } = job;
  return {
    "@odata.id": path,
    "@odata.type": "#Task.v1_5_1.Task",
    Id: id,
    Name: name,
    TaskState: taskStates[state],
    TaskStatus: state === "failed" ? "Critical" : "OK",
    StartTime: orderedAt,
    PercentComplete: platform.jobs.percent(job),
    Messages: [{ MessageId: messageId, Message: words[state] }],
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

/** The members of a collection, with what was added and without what is gone. */
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

/** `text`: the content in the tree; null if it has none there. `inForce`: the tree's BIOS settings, on which the pending ones are based. */
export function show(
  path: string,
  text: string | null,
  places: Places,
  platform: Platform,
  inForce: () => string | null,
): string | null {
  switch (path) {
    case places.bios: {
      platform.jobs.list();
      return merged(text, {
        ResetBiosToDefaultsPending: platform.biosDefaultsPending,
        Attributes: { ...attributesOf(text), ...platform.bios },
      });
    }
    case places.biosSettings: {
      platform.jobs.list();
      // Some BMCs show all settings here as they will be, others only the pending ones. What was pending at the capture has long been applied.
      const all = Object.keys(attributesOf(text)).length > 0;
      return merged(text, {
        Attributes: {
          ...(all ? { ...attributesOf(inForce()), ...platform.bios } : {}),
          ...platform.biosPending,
        },
      });
    }
    case places.system:
    case places.systemSettings:
      return showBootOrder(path, text, places, platform);
    case places.secureBoot:
      return merged(text, {
        ...platform.others[path],
        ...(platform.secureBootMode === null ? {} : { SecureBootMode: platform.secureBootMode }),
      });
    case places.attributes:
      return merged(text, { Attributes: { ...attributesOf(text), ...platform.attributes } });
    case places.manager:
      return platform.lastReset === null || !(text ?? "").includes('"LastResetTime"')
        ? text
        : merged(text, { LastResetTime: platform.lastReset });
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

function showBootOrder(path: string, text: string | null, places: Places, platform: Platform): string | null {
  if (text === null || places.bootOrder === null) return text;
  platform.jobs.list();
  const order = bootOrderOf(places, platform, path === places.systemSettings);
  const { Boot: boot } = object(text);
  return merged(text, { Boot: { ...object(json(boot ?? {})), BootOrder: order } });
}

/** Collections to which a tenant may have added something. */
export const listsOf = ({ lists }: Places): readonly string[] => [
  ...lists.keys,
  ...(lists.bootEntries === null ? [] : [lists.bootEntries]),
  ...lists.secureBoot,
];

/** The current content of one kind of resource: undefined if the path is not of this kind, an empty text if it is gone. */
type ShowKind = (
  path: string,
  text: string | null,
  places: Places,
  platform: Platform,
) => string | null | undefined;

const merged = (text: string | null, changes: Json): string => json({ ...object(text), ...changes });
/** The content of a resource that was created after the capture. */
const made = (path: string, text: string | null, own: object): string =>
  merged(text, { "@odata.id": path, Id: path.split("/").at(-1), ...own });

const showJob: ShowKind = (path, text, places, platform) => {
  const isTask = under(path, places.tasks);
  if (!isTask && !under(path, places.jobs)) return undefined;
  const job = platform.jobs.list().find(({ id }) => path.endsWith(`/${id}`));
  if (job === undefined) return text;
  return json(isTask ? task(path, job, platform) : dellJob(path, job, platform));
};

const showAccount: ShowKind = (path, text, places, { accounts }) => {
  if (!under(path, places.accounts) || !(path in accounts)) return undefined;
  const account = accounts[path] ?? null;
  return account === null ? "" : made(path, text, account);
};

const showSubscription: ShowKind = (path, text, places, { subscriptions }) => {
  if (!under(path, places.subscriptions) || !(path in subscriptions)) return undefined;
  const destination = subscriptions[path] ?? null;
  return destination === null ? "" : made(path, text, { Destination: destination });
};

const showErasableDrive: ShowKind = (path, text, places, { jobs }) => {
  if (![...places.secureErase.values()].includes(path)) return undefined;
  const erase = jobs
    .list()
    .find(
      ({ state, effect }) =>
        state === "running" && effect.kind === "eraseDrive" && (text ?? "").includes(`"${effect.serial}"`),
    );
  return erase === undefined
    ? text
    : merged(text, { Operations: [{ OperationName: "Erase", PercentageComplete: jobs.percent(erase) }] });
};

const showDecommissioned: ShowKind = (path, text, { storage }, platform) => {
  const gone =
    storage.some(({ decommission, drives }) => decommission !== null && drives.includes(path)) &&
    platform.driveGone(String(object(text)["SerialNumber"]));
  return gone ? merged(text, { Status: { State: "Absent" } }) : undefined;
};

const showListed: ShowKind = (path, text, _places, { others }) => {
  const other = others[path];
  if (other === undefined) return undefined;
  return other === null ? "" : made(path, text, other);
};

const showMedia: ShowKind = (path, text, places, { media }) => {
  const image = media[path];
  if (!places.media.has(path) || image === undefined) return undefined;
  return merged(text, {
    Image: image,
    ImageName: image?.split("/").at(-1) ?? null,
    Inserted: image !== null,
    ConnectedVia: image === null ? "NotConnected" : "URI",
  });
};

const showFirmware: ShowKind = (path, text, places, platform) => {
  if (!(path in platform.firmware) && !under(path, places.firmware)) return undefined;
  platform.jobs.list();
  const version = platform.shownVersion(path);
  return version === undefined ? text : merged(text, { Version: version });
};

const showVolume: ShowKind = (path, text, { storage }, platform) => {
  const place = storage.find(({ volumes }) => path === volumes || under(path, volumes));
  if (place === undefined) return undefined;
  platform.jobs.list();
  if (path === place.volumes) return collection(text, platform.volumes, (item) => under(item, place.volumes));
  const volume = platform.volumes[path];
  if (volume === undefined) return text;
  if (volume === null) return "";
  const { Name, RAIDType, drives } = volume;
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
};

/** The first kind that recognises the path shows it. */
const kinds: readonly ShowKind[] = [
  showJob,
  showAccount,
  showSubscription,
  showErasableDrive,
  showDecommissioned,
  showListed,
  showMedia,
  showFirmware,
  showVolume,
];

function member(path: string, text: string | null, places: Places, platform: Platform): string | null {
  for (const showKind of kinds) {
    const shown = showKind(path, text, places, platform);
    if (shown !== undefined) return shown;
  }
  return text;
}
