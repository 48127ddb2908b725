// What a tenant may have left on the BMC: accounts, event subscriptions, virtual media. Foreign ones are removed, and all is read again.
import { z } from "zod";
import { optionalLink, pathOf, text } from "@/server/hardware/redfish/references";
import { managerResource, optionalAction, pathOfLink } from "@/server/hardware/redfish/resources";
import { done, failed, stepMaker } from "./step-code";
import { StepFailed, StepStopped, unsupported } from "./stopped";
import type { Resource, Talk } from "./talk";

const accountService = z.object({ Accounts: optionalLink });
const account = z.object({ UserName: text, Enabled: z.boolean().nullish().catch(null) });
const eventService = z.object({ Subscriptions: optionalLink });
const subscription = z.object({ Destination: text });
const medium = z.object({ Inserted: z.boolean().nullish().catch(null), Image: text, Actions: z.object({ "#VirtualMedia.EjectMedia": optionalAction }).nullish().catch(null) });

interface Foreign {
  /** For people: what it is. */
  readonly what: string;
  readonly remove: (talk: Talk) => Promise<void>;
}

/** The collection that a service of the root leads to; null where the BMC has no such service. */
async function collectionOf(talk: Talk, service: { readonly "@odata.id": string } | null | undefined, schema: z.ZodType<Record<string, { readonly "@odata.id": string } | null | undefined>>, member: string): Promise<string | null> {
  const path = pathOfLink(service);
  return path === null ? null : pathOfLink((await talk.get(path, schema)).body[member]);
}

async function accounts(talk: Talk, allowed: readonly string[]): Promise<readonly Foreign[]> {
  const collection = await collectionOf(talk, (await talk.root()).AccountService, accountService, "Accounts");
  if (collection === null) throw unsupported("the BMC does not tell its accounts");
  const found = await talk.all(collection, account);
  // Our own account is the site's, whatever the baseline names: without it nothing could be read back.
  const foreign = found.filter(({ body }) => body.Enabled !== false && (body.UserName ?? "") !== "" && body.UserName !== talk.call.target.username && !allowed.includes(body.UserName ?? ""));
  return foreign.map((row) => ({ what: `account ${row.body.UserName ?? ""}`, remove: () => endAccount(talk, row) }));
}

async function endAccount(talk: Talk, row: Resource<unknown>): Promise<void> {
  if (!talk.profile.accountSlots) {
    const replied = await talk.tryChange("DELETE", row.path, null);
    if (replied.ok) return;
    if (replied.error.kind !== "unsupported") throw new StepStopped(replied.error);
  }
  await talk.patch(row, { Enabled: false }, account);
}

async function subscriptions(talk: Talk, allowed: readonly string[]): Promise<readonly Foreign[]> {
  const collection = await collectionOf(talk, (await talk.root()).EventService, eventService, "Subscriptions");
  if (collection === null) return [];
  const foreign = (await talk.all(collection, subscription)).filter(({ body }) => !allowed.includes(body.Destination ?? ""));
  return foreign.map(({ path, body }) => ({
    what: `event subscription to ${body.Destination ?? "nowhere"}`,
    remove: async () => {
      await talk.change("DELETE", path, null);
    },
  }));
}

async function media(talk: Talk): Promise<readonly Foreign[]> {
  const manager = await talk.get(talk.links.manager, managerResource);
  const collections = [manager.body.VirtualMedia, (await talk.system()).VirtualMedia].map(pathOfLink).filter((path) => path !== null);
  const found: Foreign[] = [];
  for (const collection of new Set(collections)) {
    for (const row of await talk.all(collection, medium)) {
      if (row.body.Inserted !== true && (row.body.Image ?? "") === "") continue;
      found.push({ what: `virtual medium ${row.body.Image ?? row.path}`, remove: () => eject(talk, row) });
    }
  }
  return found;
}

async function eject(talk: Talk, row: Resource<z.infer<typeof medium>>): Promise<void> {
  const target = row.body.Actions?.["#VirtualMedia.EjectMedia"]?.target;
  const path = target === undefined ? null : pathOf(target);
  if (path === null) await talk.patch(row, { Image: null, Inserted: false }, medium);
  // The same drive may be listed twice, by the manager and by the system: then it is empty by now.
  else if ((await talk.get(row.path, medium)).body.Inserted === true) await talk.change("POST", path, {});
}

async function foreign(talk: Talk): Promise<readonly Foreign[]> {
  const wanted = talk.step.known.baseline?.bmc;
  if (wanted === undefined) throw new StepFailed("the SKU's baseline says nothing of the BMC");
  return [...(await accounts(talk, wanted.accounts)), ...(await subscriptions(talk, wanted.subscriptions)), ...(await media(talk))];
}

const list = (rows: readonly Foreign[]): string => rows.map(({ what }) => what).join(", ");

export const verifyBmcBaseline = stepMaker({
  begin: async (talk) => {
    const found = await foreign(talk);
    if (found.length === 0) return done("accounts, event subscriptions and virtual media are as the baseline wants them");
    for (const { remove } of found) await remove(talk);
    const back = await talk.until(talk.client.settings.limits.settingReadBackMs, () => foreign(talk), (left) => left.length === 0);
    return back.ok ? done(`removed ${list(found)}`) : failed(`removed, but still there: ${list(back.value)}`);
  },
  check: async (talk) => {
    const left = await foreign(talk);
    return left.length === 0 ? done("accounts, event subscriptions and virtual media are as the baseline wants them") : failed(`still there: ${list(left)}`);
  },
});
