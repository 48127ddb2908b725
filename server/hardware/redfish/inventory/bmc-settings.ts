// Reads the BMC settings that a baseline can name, for a baseline taken from this host (docs/adr/0062-bios-attributes.md).
// Nothing else depends on them, so a part that cannot be read stops nothing.
import { commonBootNames, isOfOneDrive } from "@/server/domain/hosts/inventory/boot-order";
import { keptBmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import type { BmcBaseline, BmcPartsRead, BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import { nameWithoutAddress } from "@/server/domain/hosts/inventory/name-without-address";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import { accountsPath, allSubscriptions, enabledAccounts } from "@/server/hardware/redfish/steps/baseline";
import {
  allHostInterfaces,
  allKeys,
  enabledBootEntries,
  entriesOf,
  secureBootDatabases,
} from "@/server/hardware/redfish/steps/baseline-firmware";
import { dpuMode, enabledProtocols, hasUefiPassword } from "@/server/hardware/redfish/steps/baseline-service";
import { bootOrder } from "@/server/hardware/redfish/steps/boot-order";
import { measurementsForBaseline } from "@/server/hardware/redfish/inventory/component-measurements";
import { absentWords } from "@/server/hardware/redfish/inventory/platform-reading";
import { StepFailed, StepStopped } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

type Read = BmcPartsRead[keyof BmcBaseline];

/** The databases that firmware updates leave alone. The revocation list grows with each update. */
const keptDatabases: ReadonlySet<string> = new Set(["PK", "KEK", "db"]);

/** Null: the BMC shows none. */
async function databasesOf(session: StepClient): Promise<Readonly<Record<string, readonly string[]>> | null> {
  const found = await secureBootDatabases(session);
  if (found === null) return null;
  const lists: [string, readonly string[]][] = [];
  for (const row of found) {
    const name = row.body.DatabaseId ?? row.body.Id ?? "";
    if (keptDatabases.has(name)) lists.push([name, (await entriesOf(session, row)).map(({ id }) => id)]);
  }
  return lists.length === 0 ? null : Object.fromEntries(lists);
}

/** The state that all interfaces share; undefined if they differ. */
async function hostInterfaceOf(session: StepClient): Promise<boolean | null | undefined> {
  const states = new Set(
    (await allHostInterfaces(session))?.map(({ body }) => body.InterfaceEnabled ?? null),
  );
  const [state = null] = states;
  return states.size > 1 ? undefined : state;
}

/** Without MAC addresses. An entry that may be named after one drive would have those of all other hosts removed. */
async function namesOfMenu(session: StepClient): Promise<readonly string[] | null> {
  const entries = await enabledBootEntries(session);
  return (
    entries?.map(({ body: { DisplayName: name, UefiDevicePath: path } }) => {
      // safety: platform: a boot entry of one drive is no entry of a baseline
      if (isOfOneDrive({ name: name ?? "", path: path ?? null }))
        throw new StepFailed(`${name ?? ""} may be named after a drive of this host`);
      return nameWithoutAddress(name ?? "");
    }) ?? null
  );
}

/** The entries with which the order begins that mean the same on every host of the model. */
async function namesOfOrder(session: StepClient): Promise<readonly string[] | null> {
  const entries = await bootOrder(session);
  if (entries === null) return null;
  const names = commonBootNames(entries);
  if (names.length === 0)
    throw new StepFailed(
      `it begins with ${entries[0]?.name ?? "a disabled entry"}, which is not the same on every host of the model`,
    );
  return names;
}

const lookAt: { readonly [Member in keyof BmcBaseline]-?: (session: StepClient) => Promise<unknown> } = {
  accounts: async (session) =>
    (await enabledAccounts(session, await accountsPath(session))).map(({ body }) => body.UserName),
  subscriptions: async (session) =>
    (await allSubscriptions(session)).map(({ body }) => body.Destination ?? ""),
  keys: async (session) =>
    (await allKeys(session, await accountsPath(session)))?.map(({ row }) => row.body.KeyString ?? "") ?? null,
  hostInterface: hostInterfaceOf,
  bootEntries: namesOfMenu,
  secureBoot: databasesOf,
  protocols: enabledProtocols,
  bootOrder: namesOfOrder,
  uefiPassword: hasUefiPassword,
  dpuMode,
  measurements: measurementsForBaseline,
};

/** A part, or why it is not known. `silent`: the BMC has stopped answering. */
async function readPart(
  member: keyof BmcBaseline,
  session: StepClient,
): Promise<{ readonly read: Read; readonly silent: boolean }> {
  try {
    const value = await lookAt[member](session);
    if (value === null) return { read: { reason: absentWords(member) }, silent: false };
    const read = value === undefined ? { reason: "the BMC shows several that differ" } : { value };
    return { read, silent: false };
  } catch (error) {
    if (error instanceof StepFailed) return { read: { reason: error.message }, silent: false };
    if (!(error instanceof StepStopped || error instanceof CannotTell)) throw error;
    return { read: { reason: error.error.message }, silent: error.error.kind === "unreachable" };
  }
}

/** @param session makes a new one for each part, so that what one part leaves out does not fail the next */
export async function readBmcSettings(session: () => StepClient): Promise<BmcSettings> {
  let isSilent = false;
  const part = async (member: keyof BmcBaseline): Promise<Read> => {
    if (isSilent) return { reason: "the BMC fell silent" };
    const { read, silent } = await readPart(member, session());
    isSilent = silent;
    return read;
  };
  return keptBmcSettings({
    accounts: await part("accounts"),
    subscriptions: await part("subscriptions"),
    keys: await part("keys"),
    hostInterface: await part("hostInterface"),
    bootEntries: await part("bootEntries"),
    secureBoot: await part("secureBoot"),
    protocols: await part("protocols"),
    bootOrder: await part("bootOrder"),
    uefiPassword: await part("uefiPassword"),
    dpuMode: await part("dpuMode"),
    measurements: await part("measurements"),
  });
}
