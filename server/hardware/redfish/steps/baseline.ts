// What a tenant may have left on the BMC: accounts and their keys, event subscriptions, virtual media, and the parts in baseline-firmware.ts.
// Whatever the baseline does not allow is removed, and everything is read again.
import { z } from "zod";
import { eventPlace, imagePlace } from "@/server/domain/hardware/shown-address";
import { optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";
import { otherSystem } from "@/server/hardware/redfish/resources/other-systems";
import { managerResource, optionalAction, pathOfLink } from "@/server/hardware/redfish/resources/resources";
import {
  accountKeys,
  bootEntries,
  hostInterfaces,
  secureBootKeys,
  type Foreign,
  type Part,
} from "@/server/hardware/redfish/steps/baseline-firmware";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { StepStopped, WrongArgument, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { Neighbour } from "@/server/domain/hosts/enrolment/neighbour";
import type { Resource, StepClient } from "@/server/hardware/redfish/steps/step-client";

const accountService = z.object({ Accounts: optionalLink });
const account = z.object({ UserName: text, Enabled: z.boolean().nullish().catch(null) });
const eventService = z.object({ Subscriptions: optionalLink });
const subscription = z.object({ Destination: text });
const medium = z.object({
  Inserted: z.boolean().nullish().catch(null),
  Image: text,
  Actions: z.object({ "#VirtualMedia.EjectMedia": optionalAction }).nullish().catch(null),
});

/** The collection that a service of the root links to; null if the BMC has no such service. */
async function collectionOf(
  session: StepClient,
  service: { readonly "@odata.id": string } | null | undefined,
  schema: z.ZodType<Record<string, { readonly "@odata.id": string } | null | undefined>>,
  member: string,
): Promise<string | null> {
  const path = pathOfLink(service);
  return path === null ? null : pathOfLink((await session.get(path, schema)).body[member]);
}

/** The collection of accounts. A BMC that does not list its accounts is unsupported. */
export async function accountsPath(session: StepClient): Promise<string> {
  const collection = await collectionOf(
    session,
    (await session.root()).AccountService,
    accountService,
    "Accounts",
  );
  if (collection === null) throw unsupported("the BMC does not list its accounts");
  return collection;
}

/** Accounts that somebody can sign in with, including ours. */
export const enabledAccounts = async (session: StepClient, collection: string) =>
  (await session.all(collection, account)).filter(
    ({ body }) => body.Enabled !== false && (body.UserName ?? "") !== "",
  );

/** The other host at this address that Reclaim signs in to with this account; verified hosts come first. */
function neighbourOf({ call: { target } }: StepClient, name: string | null | undefined): Neighbour | null {
  const all = target.neighbours?.filter(({ username }) => username === name) ?? [];
  return all.find(({ verified }) => verified) ?? all[0] ?? null;
}

/** Names of the enabled accounts, without those that Reclaim signs in with: to this host, and to verified hosts at the same address. */
export const foreignAccounts = async (session: StepClient, collection: string): Promise<string[]> =>
  (await enabledAccounts(session, collection)).flatMap(({ body: { UserName } }) =>
    UserName == null ||
    UserName === session.call.target.username ||
    neighbourOf(session, UserName)?.verified === true
      ? []
      : [UserName],
  );

/** Accounts other than ours that are enabled and not allowed. */
export async function accounts(
  session: StepClient,
  collection: string,
  allowed: readonly string[],
): Promise<readonly Foreign[]> {
  const found = await enabledAccounts(session, collection);
  // Our own account stays, whatever the baseline lists: without it nothing could be read back.
  const foreign = found.filter(
    ({ body }) =>
      body.UserName !== session.call.target.username &&
      neighbourOf(session, body.UserName)?.verified !== true &&
      !allowed.includes(body.UserName ?? ""),
  );
  return foreign.map((row) => ({
    path: row.path,
    what: `account ${row.body.UserName ?? ""}`,

    held: entered(neighbourOf(session, row.body.UserName)),
    remove: () => endAccount(session, row),
  }));
}

const entered = (other: Neighbour | null): string | null =>
  other === null ? null : unverifiedText([other.name]);

/** Why hosts that were entered with this address but never verified are a problem, and what to do. */
export const unverifiedText = (names: readonly string[]): string =>
  `${names.join(", ")} at the same address ${names.length === 1 ? "was" : "were"} never verified: have ${names.length === 1 ? "it" : "them"} read, correct the address, or delete the record`;

/** The account that we sign in with, while it is enabled; null if the BMC lists no enabled account with its name. */
export async function ownAccount(session: StepClient): Promise<Resource<unknown> | null> {
  const found = await session.all(await accountsPath(session), account);
  return (
    found.find(({ body }) => body.UserName === session.call.target.username && body.Enabled !== false) ?? null
  );
}

/** Deletes an account, or disables it if the BMC has fixed account slots. */
export async function endAccount(session: StepClient, row: Resource<unknown>): Promise<void> {
  if (!session.profile.accountSlots) {
    const replied = await session.tryChange("DELETE", row.path, null);
    if (replied.ok) return;
    if (replied.error.kind !== "unsupported") throw new StepStopped(replied.error);
  }
  await session.patch(row, { Enabled: false }, account);
}

/** All destinations of the BMC's events. */
export async function allSubscriptions(session: StepClient) {
  const { EventService } = await session.root();
  const collection = await collectionOf(session, EventService, eventService, "Subscriptions");
  return collection === null ? [] : session.all(collection, subscription);
}

/** The destinations of the BMC's events that are not allowed. */
export async function subscriptions(
  session: StepClient,
  allowed: readonly string[],
): Promise<readonly Foreign[]> {
  const foreign = (await allSubscriptions(session)).filter(
    ({ body }) => !allowed.includes(body.Destination ?? ""),
  );
  return foreign.map(({ path, body }) => ({
    path,
    what: `event subscription to ${eventPlace(body.Destination)}`,
    remove: async () => {
      await session.change("DELETE", path, null);
    },
  }));
}

/** Virtual media that are inserted. */
export async function media(session: StepClient): Promise<readonly Foreign[]> {
  const manager = await session.get(session.links.manager, managerResource);
  const collections = [manager.body.VirtualMedia, (await session.system()).VirtualMedia]
    .map(pathOfLink)
    .filter((path) => path !== null);
  const found: Foreign[] = [];
  for (const collection of new Set(collections)) {
    for (const row of await session.all(collection, medium)) {
      if (row.body.Inserted !== true && (row.body.Image ?? "") === "") continue;
      found.push({
        path: row.path,
        what: `virtual medium ${row.body.Image == null ? row.path : imagePlace(row.body.Image)}`,
        remove: () => eject(session, row),
      });
    }
  }
  return found;
}

async function eject(session: StepClient, row: Resource<z.infer<typeof medium>>): Promise<void> {
  const target = row.body.Actions?.["#VirtualMedia.EjectMedia"]?.target;
  const path = target === undefined ? null : pathOf(target);
  if (path === null) await session.patch(row, { Image: null, Inserted: false }, medium);
  // Manager and system may list the same virtual drive, which is then already empty.
  else if ((await session.get(row.path, medium)).body.Inserted === true)
    await session.change("POST", path, {});
}

/** Who else uses what belongs to the service: hosts verified there, or a system that nobody entered; null: nobody. */
export async function otherUsers({ call, client, links }: StepClient): Promise<string | null> {
  const names = (call.target.neighbours ?? []).flatMap(({ name, verified }) => (verified ? [name] : []));
  if (names.length > 0) return `the same BMC serves ${names.join(", ")}`;
  const other = await otherSystem(client, call, links.system);
  if (!other.ok) throw new StepStopped(other.error);
  return other.path === null ? null : `the same BMC serves ${other.path}`;
}

/** Anything outside the host's own system may belong to any system behind the service: it is reported, not changed. */
async function ofService(session: StepClient, part: Part): Promise<Part> {
  if ("leftOut" in part || part.foreign.length === 0) return part;
  const own = `${session.links.system.replace(/\/$/, "")}/`;
  const users = await otherUsers(session);
  return {
    foreign: part.foreign.map((row) => ({
      ...row,

      held: row.path.startsWith(own) ? null : users,
    })),
  };
}

interface Comparison {
  readonly foreign: readonly Foreign[];
  /** Parts that the baseline names and this BMC does not show. */
  readonly leftOut: readonly string[];
}

/** Reads everything that the baseline names. What it does not name is not judged. */
async function look(session: StepClient): Promise<Comparison> {
  const wanted = session.step.known.baseline?.bmc;
  if (wanted === undefined) throw new WrongArgument("the SKU's baseline has no BMC settings");
  const collection = await accountsPath(session);
  const parts: Part[] = [
    {
      foreign: [...(await accounts(session, collection, wanted.accounts))],
    },
    await ofService(session, { foreign: await subscriptions(session, wanted.subscriptions) }),
    await ofService(session, { foreign: await media(session) }),
    ...(wanted.keys === undefined
      ? []
      : [await ofService(session, await accountKeys(session, collection, wanted.keys))]),
    ...(wanted.hostInterface === undefined
      ? []
      : [await ofService(session, await hostInterfaces(session, wanted.hostInterface))]),
    ...(wanted.bootEntries === undefined ? [] : [await bootEntries(session, wanted.bootEntries)]),
    ...(wanted.secureBoot === undefined ? [] : [await secureBootKeys(session, wanted.secureBoot)]),
  ];
  return {
    foreign: parts.flatMap((part) => ("foreign" in part ? part.foreign : [])),
    leftOut: parts.flatMap((part) => ("leftOut" in part ? [part.leftOut] : [])),
  };
}

const isHeld = ({ held }: Foreign): boolean => held != null;
const list = (rows: readonly Foreign[]): string =>
  rows.map(({ what, held }) => (held == null ? what : `${what} (${held})`)).join(", ");
const ended = (words: string, { leftOut }: Comparison) =>
  done([words, ...leftOut.map((part) => `left out ${part}`)].join("; "));
const asWanted = "the BMC matches the baseline";

export const verifyBmcBaseline = stepMaker({
  begin: async (session) => {
    const found = await look(session);
    if (found.foreign.length === 0) return ended(asWanted, found);
    const removable = found.foreign.filter((row) => !isHeld(row));
    for (const { remove } of removable) await remove(session);
    const back = await session.until(
      session.client.settings.limits.settingReadBackMs,
      () => look(session),
      ({ foreign }) => foreign.every(isHeld),
    );
    if (back.ok && back.value.foreign.length > 0) return failed(`not removed: ${list(back.value.foreign)}`);
    return back.ok
      ? ended(`removed ${list(removable)}`, found)
      : failed(`removed, but still there: ${list(back.value.foreign)}`);
  },
  check: async (session) => {
    const left = await look(session);
    return left.foreign.length === 0 ? ended(asWanted, left) : failed(`still there: ${list(left.foreign)}`);
  },
});
