// BIOS settings: written as pending, applied by a restart, and read back after it.
import { z } from "zod";
import { biosSettings } from "@/server/domain/cleaning/steps/bios";
import type { StepProgress } from "@/server/hardware/interfaces";
import { biosResource, pathOfLink, type Settings } from "@/server/hardware/redfish/resources/resources";
import { registryDefaults } from "@/server/hardware/redfish/steps/bios-defaults";
import { afterEarlierJob } from "@/server/hardware/redfish/steps/earlier-job";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { StepFailed, WrongArgument, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { Resource, StepClient } from "@/server/hardware/redfish/steps/step-client";
import { sentTask, taskOf, whenCompleted } from "@/server/hardware/redfish/steps/tasks";

export interface Bios {
  readonly current: Resource<z.infer<typeof biosResource>>;
  readonly pending: Resource<z.infer<typeof biosResource>>;
}

export async function readBios(session: StepClient): Promise<Bios> {
  const path = pathOfLink((await session.system()).Bios);
  if (path === null) throw unsupported("the system has no BIOS resource");
  const current = await session.get(path, biosResource);
  const pendingPath = pathOfLink(current.body["@Redfish.Settings"]?.SettingsObject);
  if (pendingPath === null) throw unsupported(`${path} has no settings that can be written`);
  return { current, pending: await session.get(pendingPath, biosResource) };
}

const value = (wanted: Settings[string] | undefined): string =>
  wanted === undefined ? "nothing" : JSON.stringify(wanted);
const names = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, wanted]) => `${name} ${value(wanted)}`)
    .join(", ");

/** The value after the next restart. */
const coming = ({ current, pending }: Bios, name: string): Settings[string] | undefined =>
  pending.body.Attributes[name] ?? current.body.Attributes[name];

/** Writes the settings that are neither in effect nor pending. A no-op if there are none. */
export async function writeSettings(session: StepClient, wanted: Settings): Promise<StepProgress> {
  const bios = await readBios(session);
  const unknown = Object.keys(wanted).filter((name) => !(name in bios.current.body.Attributes));
  if (unknown.length > 0) throw new WrongArgument(`the BIOS has no setting ${unknown.join(", ")}`);
  const missing = Object.fromEntries(
    Object.entries(wanted).filter(([name, setting]) => coming(bios, name) !== setting),
  );
  if (Object.keys(missing).length === 0) {
    const inForce = Object.entries(wanted).every(
      ([name, setting]) => bios.current.body.Attributes[name] === setting,
    );
    return inForce
      ? done(`already in effect: ${names(wanted)}`)
      : {
          kind: "restart",
          handle: { task: null, sentAt: session.nowMs() },
          message: `already pending: ${names(wanted)}`,
        };
  }
  const onReset = bios.current.body["@Redfish.Settings"]?.SupportedApplyTimes?.includes("OnReset") === true;
  const answer = await session.patch(
    bios.pending,
    { Attributes: missing, ...(onReset ? { "@Redfish.SettingsApplyTime": { ApplyTime: "OnReset" } } : {}) },
    biosResource,
  );
  const back = await session.until(
    session.client.settings.limits.settingReadBackMs,
    () => readBios(session),
    (now) => Object.entries(missing).every(([name, setting]) => coming(now, name) === setting),
  );
  if (!back.ok) {
    const lost = Object.keys(missing).filter((name) => coming(back.value, name) !== missing[name]);
    throw new StepFailed(
      `PATCH ${bios.pending.path} was answered ${answer.status}, but ${lost.join(", ")} ${lost.length === 1 ? "is" : "are"} not pending`,
    );
  }
  return {
    kind: "restart",
    handle: taskOf(session, answer),
    message: `pending until the restart: ${names(missing)}`,
  };
}

/** After the restart: the job has ended and the settings read as wanted. */
async function confirmSettings(
  session: StepClient,
  handle: unknown,
  wanted: Settings,
): Promise<StepProgress> {
  const sent = sentTask.parse(handle);
  return whenCompleted(session, sent, async () => {
    const bios = await readBios(session);
    const other = Object.entries(wanted).filter(
      ([name, setting]) => bios.current.body.Attributes[name] !== setting,
    );
    // safety: bmc: BIOS settings are read back after the restart (always)
    if (other.length === 0) return done(`in effect after the restart: ${names(wanted)}`);
    return failed(
      `after the restart ${other.map(([name, setting]) => `${name} reads ${value(bios.current.body.Attributes[name])}, not ${value(setting)}`).join("; ")}`,
    );
  });
}

const settingsStep = (wantedOf: (session: StepClient) => Settings) =>
  stepMaker(
    afterEarlierJob({
      begin: (session) => writeSettings(session, wantedOf(session)),
      check: (session, handle) => confirmSettings(session, handle, wantedOf(session)),
    }),
  );

export const recommit = settingsStep((session) => {
  const wanted = session.step.known.baseline?.bios;
  if (wanted === undefined) throw new WrongArgument("the SKU's baseline names no BIOS settings");
  return wanted;
});

export const applyConfiguration = settingsStep((session) =>
  Object.fromEntries(biosSettings.parse(session.step.args["settings"]).map((row) => [row.name, row.value])),
);

const resetHandle = sentTask.extend({ seen: z.boolean() });

/** Proven by the BMC's own flag for pending defaults, or by the defaults in its registry. If it has neither, nothing can be proven. */
export const factoryReset = stepMaker(
  afterEarlierJob({
    begin: async (session) => {
      const { current } = await readBios(session);
      const target = current.body.Actions?.["#Bios.ResetBios"]?.target;
      if (target === undefined) throw unsupported(`${current.path} offers no Bios.ResetBios action`);
      if (current.body.ResetBiosToDefaultsPending === true)
        return {
          kind: "restart",
          handle: { task: null, sentAt: session.nowMs(), seen: true },
          message: "the defaults are already pending",
        };
      const answer = await session.change("POST", target, {});
      const back = await session.until(
        session.client.settings.limits.settingReadBackMs,
        () => session.get(current.path, biosResource),
        ({ body }) => body.ResetBiosToDefaultsPending !== false,
      );
      if (!back.ok)
        throw new StepFailed(`POST ${target} was answered ${answer.status}, but no defaults are pending`);
      return {
        kind: "restart",
        handle: { ...taskOf(session, answer), seen: back.value.body.ResetBiosToDefaultsPending === true },
        message: "the defaults are pending until the restart",
      };
    },
    check: async (session, handle) => {
      const sent = resetHandle.parse(handle);
      const progress = await whenCompleted(session, sent, async () => {
        const { current } = await readBios(session);
        if (sent.seen)
          return current.body.ResetBiosToDefaultsPending === true
            ? failed("the defaults are still pending after the restart")
            : done("the BIOS loaded its defaults at the restart");
        const defaults = await registryDefaults(session, current.body);
        if (defaults === null)
          return failed(
            "the BMC reports neither pending defaults nor their values, so they cannot be confirmed",
          );
        const other = Object.entries(defaults).filter(
          ([name, setting]) => name in current.body.Attributes && current.body.Attributes[name] !== setting,
        );
        return other.length === 0
          ? done("every setting reads as its default")
          : failed(
              `after the restart ${other.length} settings differ from their defaults: ${other
                .slice(0, 10)
                .map(([name]) => name)
                .join(", ")}`,
            );
      });
      return progress.kind === "running" ? { ...progress, handle: sent } : progress;
    },
  }),
);
