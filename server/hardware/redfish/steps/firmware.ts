// Firmware: versions against the SKU's baseline, and updates that the BMC fetches itself.
import { z } from "zod";
import { firmwareSettings } from "@/server/domain/cleaning/steps/firmware";
import type { StepProgress } from "@/server/hardware/interfaces";
import {
  collectFirmware,
  readUpdateService,
  type FirmwareComponent,
} from "@/server/hardware/redfish/inventory/firmware";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import { pathOfLink, type UpdateService } from "@/server/hardware/redfish/resources/resources";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { StepFailed, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { Talk } from "@/server/hardware/redfish/steps/talk";
import { readTask, sentTask, taskOf, unfinishedTask } from "@/server/hardware/redfish/steps/tasks";

async function firmware(
  talk: Talk,
): Promise<{ readonly service: UpdateService; readonly components: readonly FirmwareComponent[] }> {
  const service = await readUpdateService(
    talk.gather,
    pathOfLink((await talk.root()).UpdateService) ?? undefined,
  );
  if (service === null) throw unsupported("the BMC has no update service");
  const components = await collectFirmware(talk.gather, talk.profile, service);
  if (talk.gather.leftOut.length > 0) throw new StepFailed(talk.gather.leftOut.join("; "));
  return { service, components };
}

async function compare(talk: Talk): Promise<StepProgress> {
  const wanted = talk.step.known.baseline?.firmware;
  if (wanted === undefined) throw new StepFailed("the SKU's baseline names no firmware");
  const { components } = await firmware(talk);
  const other = wanted.flatMap(({ component, version }) => {
    const found = components.find((row) => row.component === component);
    return found?.version === version
      ? []
      : [`${component} is ${found === undefined ? "not there" : found.version}, not ${version}`];
  });
  return other.length === 0
    ? done(`${wanted.length} components are at the baseline`)
    : failed(other.join("; "));
}

/** Looks only: an update is an operator's decision, by `firmware.update`. */
export const verifyFirmware = stepMaker({ begin: compare, check: compare });

const updateHandle = sentTask.extend({
  index: z.int().min(0),
  before: z.string(),
  doneAt: z.number().nullable(),
  said: z.array(z.string()),
});
type UpdateHandle = z.infer<typeof updateHandle>;

/** Orders update `index`; all before it were read back. */
async function order(talk: Talk, index: number, said: readonly string[]): Promise<StepProgress> {
  const wanted = firmwareSettings.parse(talk.step.args["settings"])[index];
  if (wanted === undefined) return done(said.join("; "));
  const { service, components } = await firmware(talk);
  const action = service.Actions?.["#UpdateService.SimpleUpdate"];
  const target = action == null ? null : pathOf(action.target);
  if (action == null || target === null)
    throw unsupported("the update service offers no SimpleUpdate action");
  const protocol = new URL(wanted.url).protocol.replace(":", "").toUpperCase();
  const protocols = action["TransferProtocol@Redfish.AllowableValues"];
  if (protocols != null && !protocols.includes(protocol))
    throw unsupported(`${target} fetches by ${protocols.join(", ")}, not by ${protocol}`);
  const found = components.find((row) => row.component === wanted.component);
  if (found === undefined) throw new StepFailed(`the BMC lists no component ${wanted.component}`);
  const running = await unfinishedTask(talk, (name) => /update/i.test(name));
  if (running !== null)
    return {
      kind: "running",
      handle: { ...running, index, before: found.version, doneAt: null, said: [...said] },
      percent: null,
      message: "an update is under way already",
    };
  const answer = await talk.change("POST", target, {
    ImageURI: wanted.url,
    TransferProtocol: protocol,
    Targets: [found.path],
  });
  const handle: UpdateHandle = {
    ...taskOf(talk, answer),
    index,
    before: found.version,
    doneAt: null,
    said: [...said],
  };
  if (handle.task === null)
    throw new StepFailed(
      `POST ${target} was accepted without a task: whether ${wanted.component} is updated cannot be told`,
    );
  return {
    kind: "running",
    handle,
    percent: 0,
    message: `${wanted.component} is being updated from ${found.version}`,
  };
}

async function check(talk: Talk, handle: UpdateHandle): Promise<StepProgress> {
  const wanted = firmwareSettings.parse(talk.step.args["settings"])[handle.index];
  if (wanted === undefined) throw new StepFailed("there is no such component in the step's arguments");
  const reading = await readTask(talk, handle);
  if (reading.phase === "failed") return failed(`${wanted.component}: ${reading.words}`);
  if (reading.phase === "gone")
    return failed(`${wanted.component}: ${reading.words}, so whether it was updated cannot be told`);
  if (reading.phase === "waiting")
    return { kind: "restart", handle, message: `${wanted.component}: ${reading.words}` };
  if (reading.phase === "running")
    return {
      kind: "running",
      handle,
      percent: reading.percent,
      message: `${wanted.component}: ${reading.words}`,
    };
  const doneAt = handle.doneAt ?? talk.nowMs();
  const leftMs = (wanted.wait ?? 0) * 1_000 - (talk.nowMs() - doneAt);
  if (leftMs > 0)
    return {
      kind: "running",
      handle: { ...handle, doneAt },
      percent: 100,
      message: `${wanted.component}: updated, ${Math.ceil(leftMs / 1_000)} s of its wait are left`,
    };
  const { components } = await firmware(talk);
  const now = components.find((row) => row.component === wanted.component);
  if (now === undefined) return failed(`${wanted.component} is no longer listed after its update`);
  const line =
    now.version === handle.before
      ? `${wanted.component} reads ${now.version} as before`
      : `${wanted.component} went from ${handle.before} to ${now.version}`;
  return order(talk, handle.index + 1, [
    ...handle.said,
    `${line}; the BMC fetched ${wanted.url} itself, so its SHA-256 was not compared`,
  ]);
}

export const updateFirmware = stepMaker({
  begin: (talk) => order(talk, 0, []),
  check: (talk, handle) => check(talk, updateHandle.parse(handle)),
});
