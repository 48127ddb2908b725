// Writes what differs between two documents into the tables that the server reads. Called by `apply-site.ts` alone, which holds the locks and logs it.
import type { Policy } from "@/server/domain/cleaning/policy";
import { replacePolicy } from "@/server/domain/cleaning/policy";
import { tokenHash } from "@/server/domain/access/tokens";
import type { SiteDocument } from "@/server/domain/site/document";
import { siteDifference } from "@/server/domain/site/difference";
import type { Transaction } from "@/server/db/prisma";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { Actor } from "@/server/usecases/actor";
import { lockPolicy, writePolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { insertCandidate } from "@/server/usecases/images/new-candidate";
import { writeCredentials } from "@/server/usecases/sites/write-credentials";
import { changedPriorities } from "@/server/usecases/sites/priorities";
import type { LeftOut } from "@/server/usecases/sites/removal-faults";
import type { NewSecrets } from "@/server/usecases/sites/site-secrets";
import { networkAdapter } from "@/server/usecases/sites/site-state";

export interface Writing {
  readonly tx: Transaction;
  readonly actor: Actor;
  readonly secrets: SecretBox;
  readonly siteId: string;
  readonly before: SiteDocument;
  readonly after: SiteDocument;
}

/** A new image goes to one host; people widen it (docs/cleaning.md#new-agent-images). */
const firstHosts = 1;

/** Makes the site, with its policy as the first version. Returns its id. */
export async function createSite(
  tx: Transaction,
  actor: Actor,
  name: string,
  policy: Policy,
): Promise<string> {
  const { id } = await tx.site.create({
    data: { name, policies: { create: { version: 1, body: policy, createdBy: actor.personId } } },
    select: { id: true },
  });
  return id;
}

const same = (a: SiteDocument, b: SiteDocument, member: string): boolean =>
  siteDifference(a, b).every(({ path }) => path[0] !== member);

async function writePolicyOf({ tx, actor, siteId, after }: Writing): Promise<void> {
  const locked = await lockPolicy({ tx }, siteId);
  if (locked === null) throw new Error(`the site ${siteId} has no policy`);
  await writePolicy({ tx, actor }, locked, replacePolicy(locked.body, after.policy));
}

async function writeController({ tx, secrets, siteId, after }: Writing, values: NewSecrets): Promise<void> {
  const { networkController: controller } = after;
  const { token, acknowledgementToken } = values;
  await tx.site.update({
    where: { id: siteId },
    data:
      controller === undefined
        ? { networkUrl: null, networkToken: null }
        : {
            networkUrl: controller.url,
            ...(token === undefined
              ? {}
              : { networkToken: secrets.seal(token, secretPlaces.networkToken(siteId)) }),
          },
  });
  const gone = controller?.acknowledgementToken === undefined;
  if (gone || acknowledgementToken !== undefined)
    await tx.adapterToken.deleteMany({ where: { siteId, adapter: networkAdapter } });
  if (!gone && acknowledgementToken !== undefined)
    await tx.adapterToken.create({
      data: { siteId, adapter: networkAdapter, hash: tokenHash(acknowledgementToken) },
    });
}

/** Sets and takes away what differs. */
export async function writePriorities(
  { tx, actor }: Pick<Writing, "tx" | "actor">,
  scope: "site" | "sku",
  scopeId: string,
  before: SiteDocument["priorities"],
  after: SiteDocument["priorities"],
): Promise<void> {
  for (const { interface: stepInterface, step, priority } of changedPriorities(before, after)) {
    if (priority === null) {
      await tx.stepOverride.deleteMany({ where: { scope, scopeId, interface: stepInterface, step } });
      continue;
    }
    const written = { priority, changedAt: new Date(), changedBy: actor.personId };
    await tx.stepOverride.upsert({
      where: { scopeId_interface_step: { scopeId, interface: stepInterface, step } },
      create: { scope, scopeId, interface: stepInterface, step, ...written },
      update: written,
    });
  }
}

async function writeSkus(writing: Writing): Promise<void> {
  const { tx, before, after } = writing;
  const known = new Map(before.skus?.map((sku) => [sku.name, sku]));
  for (const { name, components, priorities } of after.skus ?? []) {
    const old = known.get(name);
    if (old !== undefined && same(before, after, "skus")) continue;
    const { id } = await tx.sku.upsert({
      where: { name },
      create: { name, components },
      update: { components },
      select: { id: true },
    });
    await writePriorities(writing, "sku", id, old?.priorities ?? {}, priorities);
  }
}

async function writeTenants({ tx, before, after }: Writing): Promise<void> {
  if (same(before, after, "tenants")) return;
  for (const { org, ...tenant } of after.tenants ?? [])
    await tx.tenant.upsert({ where: { org }, create: { org, ...tenant }, update: tenant });
}

/** Everything but what goes. */
export async function writeSite(writing: Writing, values: NewSecrets): Promise<void> {
  const { tx, actor, siteId, before, after } = writing;
  if (!same(before, after, "policy")) await writePolicyOf(writing);
  if (
    !same(before, after, "networkController") ||
    values.token !== undefined ||
    values.acknowledgementToken !== undefined
  )
    await writeController(writing, values);
  await writeCredentials(writing, values.passwords);
  await writePriorities(writing, "site", siteId, before.priorities, after.priorities);
  if (after.agentImage !== undefined && !same(before, after, "agentImage"))
    await insertCandidate(tx, actor, siteId, after.agentImage, firstHosts);
  await writeSkus(writing);
  await writeTenants(writing);
}

/** What the document leaves out. Only when nobody uses it: `sharedFaults`. */
export async function removeLeftOut({ tx }: Writing, { skus, tenants }: LeftOut): Promise<void> {
  const gone = await tx.sku.findMany({ where: { name: { in: [...skus] } }, select: { id: true } });
  const ids = gone.map(({ id }) => id);
  await tx.stepOverride.deleteMany({ where: { scope: "sku", scopeId: { in: ids } } });
  await tx.sku.deleteMany({ where: { id: { in: ids } } });
  await tx.tenant.deleteMany({ where: { org: { in: [...tenants] } } });
}
