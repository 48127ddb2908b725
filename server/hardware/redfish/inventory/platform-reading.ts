// Reads the platform of a host after cleaning: the parts that its baseline names, and those that are wanted of every host (docs/adr/0143-platform-at-baseline.md).
import { isFirmwareOwn, leadsToAddress } from "@/server/hardware/redfish/resources/device-path";
import { bootNames } from "@/server/domain/hosts/inventory/boot-order";
import { nothingRead } from "@/server/domain/hosts/platform/judge";
import type {
  PartRead,
  PlatformPart,
  PlatformQuery,
  PlatformReading,
} from "@/server/domain/hosts/platform/reading";
import { collectFirmware, readUpdateService } from "@/server/hardware/redfish/inventory/firmware";
import { readComponents } from "@/server/hardware/redfish/inventory/component-measurements";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import { ownPlaces } from "@/server/hardware/redfish/inventory/own-places";
import { hasTpm, settingOf } from "@/server/hardware/redfish/inventory/platform";
import {
  accountsPath,
  allSubscriptions,
  foreignAccounts,
  media,
} from "@/server/hardware/redfish/steps/baseline";
import {
  allHostInterfaces,
  allKeys,
  enabledBootEntries,
  entriesOf,
  secureBootDatabases,
} from "@/server/hardware/redfish/steps/baseline-firmware";
import { dpuMode, enabledProtocols, hasUefiPassword } from "@/server/hardware/redfish/steps/baseline-service";
import { bootOrder } from "@/server/hardware/redfish/steps/boot-order";
import { StepFailed, StepStopped } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { pathOf } from "@/server/hardware/redfish/resources/references";
import { biosResource, pathOfLink } from "@/server/hardware/redfish/resources/resources";

type Value<Part extends PlatformPart> = PlatformReading[Part] extends PartRead<infer T> ? T : never;
type Read<Part extends PlatformPart> = (
  session: StepClient,
  query: PlatformQuery,
) => Promise<Value<Part> | null>;

async function firmware(session: StepClient): Promise<Value<"firmware"> | null> {
  const { UpdateService } = await session.root();
  const path = UpdateService == null ? null : pathOf(UpdateService["@odata.id"]);
  if (path === null) return null;
  const { client, call, gather, links, profile } = session;
  const service = await readUpdateService(gather, path);
  const places = await ownPlaces({ client, call, gather }, links.system);
  const { components } = await collectFirmware(gather, profile, service, places, 1);
  if (gather.leftOut.length > 0) throw new StepFailed(gather.leftOut.join("; "));
  return components.map(({ component, version }) => ({ component, version }));
}

async function bios(session: StepClient, query: PlatformQuery): Promise<Value<"bios"> | null> {
  const path = pathOfLink((await session.system()).Bios);
  if (path === null) return null;
  const { Attributes } = (await session.get(path, biosResource)).body;
  return Object.fromEntries(
    query.bios.flatMap((name) => {
      const found = Object.hasOwn(Attributes, name) ? Attributes[name] : null;
      return found == null ? [] : [[name, found] as const];
    }),
  );
}

async function lockdown(session: StepClient): Promise<boolean | null> {
  const { profile, gather, links } = session;
  if (profile.lockdown === null) return null;
  const path = profile.lockdown.resource(await gather.resource("manager", links.manager));
  const value =
    path === null ? null : settingOf(await gather.resource("lockdown", path), profile.lockdown.attribute);
  return value == null ? null : value === profile.lockdown.on;
}

async function hostInterface(session: StepClient): Promise<boolean | null> {
  const states = new Set(
    (await allHostInterfaces(session))?.map(({ body }) => body.InterfaceEnabled ?? null),
  );
  const [state = null] = states;
  if (states.size > 1) throw new StepFailed("several host interfaces, of which some are on");
  return state;
}

async function secureBoot(session: StepClient, query: PlatformQuery): Promise<Value<"secureBoot"> | null> {
  const found = await secureBootDatabases(session);
  if (found === null) return null;
  const lists: [string, string[]][] = [];
  for (const row of found) {
    const name = row.body.DatabaseId ?? row.body.Id ?? "";
    if (query.secureBoot.includes(name))
      lists.push([name, (await entriesOf(session, row)).map(({ id }) => id)]);
  }
  return Object.fromEntries(lists);
}

const readers: { readonly [Part in PlatformPart]: Read<Part> } = {
  firmware,
  bios,
  lockdown,
  accounts: async (session) => foreignAccounts(session, await accountsPath(session)),
  keys: async (session) =>
    (await allKeys(session, await accountsPath(session)))?.map(({ row }) => row.body.KeyString ?? "") ?? null,
  subscriptions: async (session) =>
    (await allSubscriptions(session)).map(({ body }) => body.Destination ?? ""),
  media: async (session) => (await media(session)).map(({ what }) => what),
  hostInterface,
  bootEntries: async (session) =>
    (await enabledBootEntries(session))?.map(({ body }) => ({
      name: body.DisplayName ?? "",
      own: isFirmwareOwn(body.UefiDevicePath),
      toAddress: leadsToAddress(body.UefiDevicePath),
    })) ?? null,
  secureBoot,
  protocols: enabledProtocols,
  bootOrder: async (session) => {
    const entries = await bootOrder(session);
    return entries === null ? null : bootNames(entries);
  },
  uefiPassword: hasUefiPassword,
  dpuMode,
  measurements: (session, query) => readComponents(session, query.components),
  tpm: async (session) => {
    const system = await session.system();
    return system.TrustedModules == null || system.TrustedModules.length === 0 ? null : hasTpm(system);
  },
};

/** What a BMC that shows no such part is told to have said. Nearly none tells these two, so its silence does not mean that there is none. */
export const absentWords = (part: string): string =>
  part === "uefiPassword" || part === "dpuMode" ? "not told by the BMC" : "the BMC shows none";

/** A part, or why it is not known. `silent`: the BMC has stopped answering. */
async function readPart<Part extends PlatformPart>(
  part: Part,
  session: StepClient,
  query: PlatformQuery,
): Promise<PartRead<Value<Part>> & { readonly silent?: boolean }> {
  try {
    const value = await readers[part](session, query);
    return value === null ? { absent: absentWords(part) } : { value };
  } catch (error) {
    if (error instanceof StepFailed) return { unknown: error.message };
    if (!(error instanceof StepStopped || error instanceof CannotTell)) throw error;
    return { unknown: error.error.message, silent: error.error.kind === "unreachable" };
  }
}

/**
 * Reads what `query` names, part by part; the others stay unread. After a part that the BMC did not answer, no other is asked for: with its drives read, the
 * host goes on to its gates, which name what is not known.
 * @param session makes a new one for each part, so that what one part leaves out does not fail the next
 */
export async function readPlatform(
  session: () => StepClient,
  query: PlatformQuery,
): Promise<PlatformReading> {
  const read = { ...nothingRead };
  let silence: string | null = null;
  for (const part of query.parts) {
    // A name of another release is no part: it stays unread.
    if (!isPart(part)) continue;
    if (silence !== null) {
      Object.assign(read, { [part]: { unknown: silence } });
      continue;
    }
    const { silent = false, ...found } = await readPart(part, session(), query);
    Object.assign(read, { [part]: found });
    if (silent) silence = `the BMC stopped answering at ${part}`;
  }
  return read;
}

const isPart = (name: string): name is PlatformPart => Object.hasOwn(readers, name);
