// The checks of what a BMC can do besides: logs, events, accounts, BIOS, erasing, restarts, defaults and firmware.
import { z } from "zod";
import { eventPlace } from "@/server/domain/hardware/shown-address";
import { formatCounted } from "@/server/domain/numbers";
import { notOffered, passed, type Made } from "@/server/hardware/redfish/check/report";
import { offeredComponents } from "@/server/hardware/redfish/inventory/component-measurements";
import { collectFirmware, readUpdateService } from "@/server/hardware/redfish/inventory/firmware";
import type { FoundStorage } from "@/server/hardware/redfish/inventory/drives";
import { ownPlaces } from "@/server/hardware/redfish/inventory/own-places";
import { optionalLink } from "@/server/hardware/redfish/resources/references";
import {
  biosResource,
  managerResource,
  pathOfLink,
  secureBootResource,
} from "@/server/hardware/redfish/resources/resources";
import type { ComputerSystem } from "@/server/hardware/redfish/resources/system";
import { accountsPath, allSubscriptions, enabledAccounts } from "@/server/hardware/redfish/steps/baseline";
import { readBios } from "@/server/hardware/redfish/steps/bios";
import { keptInReset } from "@/server/hardware/redfish/steps/reset-to-defaults";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

const withLogs = z.object({ LogServices: optionalLink });

export async function eventLogs(session: StepClient, system: ComputerSystem): Promise<Made> {
  const manager = (await session.get(session.links.manager, withLogs)).body;
  const places = [pathOfLink(system.LogServices), pathOfLink(manager.LogServices)].filter(
    (path) => path !== null,
  );
  const logs: string[] = [];
  for (const place of places)
    logs.push(...((await session.lookAll(place, z.unknown())) ?? []).map(({ path }) => path));
  return logs.length > 0
    ? passed(`${formatCounted(logs.length, "log")}: ${logs.join(", ")}`)
    : notOffered("neither the system nor the BMC has a log", "Health is read from the sensors alone.");
}

export async function events(session: StepClient): Promise<Made> {
  if ((await session.root()).EventService == null)
    return notOffered("the service root has no EventService, so nobody can subscribe to events");
  const subscriptions = await allSubscriptions(session);
  const to = subscriptions.map(({ body }) => eventPlace(body.Destination));
  return passed(
    to.length === 0 ? "no subscription" : `${formatCounted(to.length, "subscription")}: ${to.join(", ")}`,
  );
}

export async function accounts(session: StepClient): Promise<Made> {
  const names = (await enabledAccounts(session, await accountsPath(session))).map(
    ({ body }) => body.UserName,
  );
  return passed(
    names.length === 0
      ? "the BMC lists no enabled account"
      : `${formatCounted(names.length, "enabled account")}: ${names.join(", ")}`,
  );
}

export async function bios(session: StepClient): Promise<Made> {
  const { current, pending } = await readBios(session);
  const count = Object.keys(current.body.Attributes).length;
  if (count === 0) return notOffered(`${current.path} tells no setting`);
  const waiting = Object.keys(pending.body.Attributes).length;
  return passed(
    `${formatCounted(count, "setting")}, written to ${pending.path}${waiting === 0 || pending.path === current.path ? "" : `, which has ${waiting}`}`,
  );
}

export async function biosDefaults(session: StepClient, system: ComputerSystem): Promise<Made> {
  const path = pathOfLink(system.Bios);
  if (path === null) return notOffered("the system has no BIOS resource");
  const target = (await session.get(path, biosResource)).body.Actions?.["#Bios.ResetBios"]?.target;
  return target === undefined ? notOffered(`${path} offers no Bios.ResetBios action`) : passed(target);
}

export async function secureBootKeys(session: StepClient, system: ComputerSystem): Promise<Made> {
  const path = pathOfLink(system.SecureBoot);
  if (path === null) return notOffered("the system has no SecureBoot resource");
  const target = (await session.get(path, secureBootResource)).body.Actions?.["#SecureBoot.ResetKeys"]
    ?.target;
  return target === undefined ? notOffered(`${path} offers no SecureBoot.ResetKeys action`) : passed(target);
}

const byAgent = "The agent erases the drives that it sees.";

export function drivesByBmc({ drives }: FoundStorage): Made {
  const able = drives.filter(({ secureErase }) => secureErase !== null);
  return able.length === 0
    ? notOffered(`none of ${formatCounted(drives.length, "drive")} offers Drive.SecureErase`, byAgent)
    : passed(
        `${able.length} of ${formatCounted(drives.length, "drive")} ${able.length === 1 ? "offers" : "offer"} Drive.SecureErase`,
        able.length === drives.length ? null : byAgent,
      );
}

export async function bmcRestart(session: StepClient): Promise<Made> {
  const { manager } = session.links;
  const reset = (await session.get(manager, managerResource)).body.Actions?.["#Manager.Reset"];
  return reset == null
    ? notOffered(`${manager} offers no Manager.Reset action`)
    : passed(
        `${reset.target}: ${(await session.resetTypes(reset)).join(", ") || "its kinds are not listed"}`,
      );
}

export async function bmcDefaults(session: StepClient): Promise<Made> {
  const { manager } = session.links;
  const reset = (await session.get(manager, managerResource)).body.Actions?.["#Manager.ResetToDefaults"];
  if (reset == null) return notOffered(`${manager} offers no Manager.ResetToDefaults action`);
  const types = await session.resetTypes(reset);
  return types.includes(keptInReset)
    ? passed(`${reset.target} with ${keptInReset}`)
    : notOffered(
        `${reset.target} does not offer ${keptInReset}, only ${types.join(", ") || "kinds that it does not list"}, which would also delete the account that Reclaim signs in with`,
      );
}

export async function components(session: StepClient): Promise<Made> {
  const found = await offeredComponents(session);
  if (found === null)
    return notOffered("the service root has no ComponentIntegrity with components that sign");
  const { signed, others } = found;
  if (signed.length === 0) return notOffered(`no signed measurements of ${others.join(", ")}`);
  return passed(
    `signed measurements of ${signed.join(", ")}${others.length === 0 ? "" : `; none of ${others.join(", ")}`}`,
  );
}

export async function firmware(session: StepClient): Promise<Made> {
  const { client, call, gather, links, profile } = session;
  const path = pathOfLink((await session.root()).UpdateService);
  if (path === null) return notOffered("the service root has no UpdateService");
  const update = await readUpdateService(gather, path);
  const places = await ownPlaces({ client, call, gather }, links.system);
  const { components } = await collectFirmware(gather, profile, update, places, 1);
  const words = `${formatCounted(components.length, "component")} with a version`;
  const target = update?.Actions?.["#UpdateService.SimpleUpdate"]?.target;
  return target === undefined
    ? notOffered(
        `${words}, but no UpdateService.SimpleUpdate action`,
        "Update its firmware with the vendor's tools.",
      )
    : passed(`${words}, updated by ${target}`);
}
