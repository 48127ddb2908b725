// Firmware: versions compared with the SKU's baseline, and updates that the BMC downloads itself.
import { z } from "zod";
import { keptFirmwareSettings } from "@/server/domain/cleaning/steps/firmware";
import { fileAddressFault } from "@/server/domain/hosts/platform/rollout";
import { findComponent } from "@/server/domain/hosts/inventory/firmware-name";
import type { StepProgress } from "@/server/hardware/interfaces";
import {
  collectFirmware,
  readUpdateService,
  type FirmwareComponent,
  type FoundFirmware,
} from "@/server/hardware/redfish/inventory/firmware";
import { ownPlaces } from "@/server/hardware/redfish/inventory/own-places";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import { pathOfLink, type UpdateService } from "@/server/hardware/redfish/resources/resources";
import type { TaskReading } from "@/server/hardware/redfish/resources/task";
import { compareFile, fetched, openUpdate } from "@/server/hardware/redfish/steps/firmware-order";
import type { UpdateFile } from "@/server/hardware/redfish/steps/firmware-order";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { StepFailed, StepStopped, WrongArgument, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { readTask, sentTask, taskOf } from "@/server/hardware/redfish/steps/tasks";
import type { SentTask } from "@/server/hardware/redfish/steps/tasks";

export interface Firmware extends FoundFirmware {
  readonly service: UpdateService;
  /** The service also has the systems of other hosts. */
  readonly several: boolean;
}

export async function firmware(session: StepClient): Promise<Firmware> {
  const reference = pathOfLink((await session.root()).UpdateService);
  const service = await readUpdateService(session.gather, reference ?? undefined);
  if (service === null) throw unsupported("the BMC has no update service");
  const places = await ownPlaces(session, session.links.system);
  const found = await collectFirmware(session.gather, session.profile, service, places);
  if (session.gather.leftOut.length > 0) throw new StepFailed(session.gather.leftOut.join("; "));
  return { ...found, service, several: places !== null };
}

/** Null if there is no component with that name. */
const whyNotOwn = ({ others }: FoundFirmware, component: string): string | null =>
  others.some(({ name, label }) => component === name || component === label)
    ? `${component} is not linked to this system (RelatedItem), and the service has several systems`
    : null;

async function compare(session: StepClient): Promise<StepProgress> {
  const wanted = session.step.known.baseline?.firmware;
  if (wanted === undefined) throw new WrongArgument("the SKU's baseline names no firmware");
  const all = await firmware(session);
  const other = wanted.flatMap(({ component, version }) => {
    const found = findComponent(all.components, component);
    if (found?.version === version) return [];
    if (found !== undefined) return [`${component} is ${found.version}, not ${version}`];
    const why = whyNotOwn(all, component);
    return why === null
      ? [`${component} is not there, not ${version}`]
      : [`${why}: leave it out of the SKU's baseline`];
  });
  return other.length === 0
    ? done(`${wanted.length} components are at the baseline`)
    : failed(other.join("; "));
}

/** Read-only: an operator decides about updates, with `firmware.update`. */
export const verifyFirmware = stepMaker({ begin: compare, check: compare });

const updateHandle = sentTask.extend({
  index: z.int().min(0),
  before: z.string(),
  doneAt: z.number().nullable(),
  said: z.array(z.string()),
});
type UpdateHandle = z.infer<typeof updateHandle>;

/** Has the BMC fetch a file and write it to a component. Its task is the only way to learn what became of it. */
export async function sendUpdate(session: StepClient, all: Firmware, file: UpdateFile): Promise<SentTask> {
  const { component, url } = file;
  const fault = fileAddressFault(url);
  if (fault !== null)
    throw new WrongArgument(`${component} is not updated: the address of its file ${fault}`);
  const action = all.service.Actions?.["#UpdateService.SimpleUpdate"];
  const target = action == null ? null : pathOf(action.target);
  if (action == null || target === null)
    throw unsupported("the update service offers no SimpleUpdate action");
  const protocol = new URL(url).protocol.replace(":", "").toUpperCase();
  const protocols = action["TransferProtocol@Redfish.AllowableValues"];
  if (protocols != null && !protocols.includes(protocol))
    throw unsupported(`${target} fetches by ${protocols.join(", ")}, not by ${protocol}`);
  const { path } = ownComponent(all, component);
  await compareFile(session, file);
  const answer = await session.change("POST", target, {
    ImageURI: url,
    TransferProtocol: protocol,
    Targets: [path],
  });
  const sent = taskOf(session, answer);
  if (sent.task === null)
    throw new StepFailed(
      `POST ${target} was accepted without a task: whether ${component} was updated is unknown`,
    );
  return sent;
}

/** Starts update `index`. All updates before it were read back. */
async function order(session: StepClient, index: number, said: readonly string[]): Promise<StepProgress> {
  const wanted = keptFirmwareSettings.parse(session.step.args["settings"])[index];
  if (wanted === undefined) return done(said.join("; "));
  const all = await firmware(session);
  const found = ownComponent(all, wanted.component);
  const running = await earlierUpdate(session, all, { index, before: found.version, said });
  if (running !== null) return running;
  const sent = await sendUpdate(session, all, wanted);
  const handle: UpdateHandle = { ...sent, index, before: found.version, doneAt: null, said: [...said] };
  return {
    kind: "running",
    handle,
    percent: 0,
    message: `${wanted.component} is being updated from ${found.version}`,
  };
}

/**
 * Refuses components that the BMC does not list while nothing is updated yet. Later a missing one may be listed again: a BMC that was updated restarts, and
 * fills its list little by little.
 */
async function begin(session: StepClient): Promise<StepProgress> {
  const all = await firmware(session);
  if (all.components.length === 0) throw new StepFailed("the BMC lists no firmware at all");
  for (const { component } of keptFirmwareSettings.parse(session.step.args["settings"]))
    if (findComponent(all.components, component) === undefined)
      throw new WrongArgument(notListed(all, component));
  return order(session, 0, []);
}

export function notListed(all: FoundFirmware, component: string): string {
  const why = whyNotOwn(all, component);
  return why === null ? `the BMC lists no component ${component}` : `${why}: update it at the BMC itself`;
}

export function ownComponent(all: Firmware, component: string): FirmwareComponent {
  const found = findComponent(all.components, component);
  if (found === undefined) throw new StepFailed(notListed(all, component));
  // safety: bmc: firmware that another host has too is not updated
  if (!found.alone)
    throw new WrongArgument(
      `${component} is not of this system alone (RelatedItem), and the service has several systems: update it at the BMC itself`,
    );
  return found;
}

/** An update that is already in progress. It is waited for without joining it where nobody knows whether it is this host's update. */
async function earlierUpdate(
  session: StepClient,
  all: Firmware,
  {
    index,
    before,
    said,
  }: { readonly index: number; readonly before: string; readonly said: readonly string[] },
): Promise<StepProgress | null> {
  const open = await openUpdate(session, all);
  if (open === null) return null;
  // safety: bmc: an update of another system is not joined
  if (all.several || !open.named) return waiting({ ...open.sent, other: true, index, said: [...said] });
  return {
    kind: "running",
    handle: { ...open.sent, index, before, doneAt: null, said: [...said] },
    percent: null,
    message: "an update is already in progress",
  };
}

const otherUpdate = sentTask.extend({
  other: z.literal(true),
  index: z.int().min(0),
  said: z.array(z.string()),
});

const waiting = (handle: z.infer<typeof otherUpdate>): StepProgress => ({
  kind: "running",
  handle,
  percent: null,
  message: `${handle.task ?? "an update"} is in progress, and may be an update of this or another system; waiting for it`,
});

/** Starts this step's update once the other one has ended. */
async function waitFor(session: StepClient, handle: z.infer<typeof otherUpdate>): Promise<StepProgress> {
  const { phase } = await readTask(session, handle);
  return phase === "running" ? waiting(handle) : order(session, handle.index, handle.said);
}

/**
 * Messages of a task by which a BMC says that a file is not for its component (DMTF Update registry, DSP2065). `VerificationFailed` is none of them: a file
 * that was cut off on its way gives it, too.
 */
export const wrongFile = /^Update\..*\.(NoTargetsDetermined|UpdateNotApplicable)$/;

/** A BMC that was updated may take this long to list all its firmware again. */
export const listedWithinMs = 15 * 60_000;

const ended = { phase: "completed", percent: 100, startTime: null, messageIds: [] } as const;

/** The firmware of the host, or why the service does not list it at present. */
export async function listing(session: StepClient): Promise<Firmware | string> {
  try {
    return await firmware(session);
  } catch (error) {
    if (error instanceof StepFailed) return error.message;
    // Without a status it is the service's root that links no update service.
    if (error instanceof StepStopped && error.error.kind === "unsupported") return error.message;
    throw error;
  }
}

/** Null while the service does not list the component. */
async function versionOf(session: StepClient, component: string): Promise<string | null> {
  const all = await listing(session);
  return typeof all === "string" ? null : (findComponent(all.components, component)?.version ?? null);
}

async function check(session: StepClient, handle: UpdateHandle): Promise<StepProgress> {
  const [wanted, next] = keptFirmwareSettings.parse(session.step.args["settings"]).slice(handle.index);
  if (wanted === undefined) throw new WrongArgument("there is no such component in the step's arguments");
  // A BMC that restarts with its new firmware may forget its tasks: one that has ended is not asked about again.
  const reading: TaskReading =
    handle.doneAt === null ? await readTask(session, handle) : { ...ended, words: "the update has ended" };
  if (reading.phase === "failed") {
    const why = `${wanted.component}: ${reading.words}`;
    if (reading.messageIds.some((id) => wrongFile.test(id))) throw new WrongArgument(why);
    return failed(why);
  }
  // The version tells, where the BMC restarted before anybody saw the end of its task.
  if (reading.phase === "gone" && (await versionOf(session, wanted.component)) === handle.before)
    return failed(`${wanted.component}: ${reading.words}, so it is unknown whether it was updated`);
  if (reading.phase === "waiting")
    return { kind: "restart", handle, message: `${wanted.component}: ${reading.words}` };
  if (reading.phase === "running")
    return {
      kind: "running",
      handle,
      percent: reading.percent,
      message: `${wanted.component}: ${reading.words}`,
    };
  const doneAt = handle.doneAt ?? session.nowMs();
  const leftMs = (wanted.wait ?? 0) * 1_000 - (session.nowMs() - doneAt);
  if (leftMs > 0)
    return {
      kind: "running",
      handle: { ...handle, doneAt },
      percent: 100,
      message: `${wanted.component}: updated, ${Math.ceil(leftMs / 1_000)} s of its wait are left`,
    };
  const isLate = session.nowMs() - doneAt >= (wanted.wait ?? 0) * 1_000 + listedWithinMs;
  const all = await listing(session);
  // A service that starts answers for parts of its lists that they are not there.
  if (typeof all === "string") {
    const why = `${all} after the update of ${wanted.component}`;
    return isLate
      ? failed(why)
      : { kind: "running", handle: { ...handle, doneAt }, percent: 100, message: `${why} yet` };
  }
  const now = findComponent(all.components, wanted.component);
  const missing = [wanted, ...(next === undefined ? [] : [next])].find(
    ({ component }) => findComponent(all.components, component) === undefined,
  );
  if (now === undefined || missing !== undefined) {
    const why = `${notListed(all, (missing ?? wanted).component)} after the update of ${wanted.component}`;
    return isLate
      ? failed(why)
      : { kind: "running", handle: { ...handle, doneAt }, percent: 100, message: `${why} yet` };
  }
  const line =
    now.version === handle.before
      ? `${wanted.component} reads ${now.version} as before`
      : `${wanted.component} went from ${handle.before} to ${now.version}`;
  return order(session, handle.index + 1, [...handle.said, `${line}; ${fetched(wanted)}`]);
}

export const updateFirmware = stepMaker({
  begin,
  check: (session, handle) => {
    const other = otherUpdate.safeParse(handle).data;
    return other === undefined ? check(session, updateHandle.parse(handle)) : waitFor(session, other);
  },
});
