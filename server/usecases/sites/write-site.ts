// Writes the differences between two documents into the tables that the server reads. Only called by `apply-site.ts`, which holds the locks and logs it.
import { sql } from "kysely";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { replacePolicy } from "@/server/domain/cleaning/policy/policy";
import { tokenHash } from "@/server/domain/access/tokens";
import type { SiteDocument } from "@/server/domain/sites/document";
import { memberChanges, siteDifference } from "@/server/domain/sites/difference";
import { authoritiesChanged } from "@/server/domain/hardware/certificate";
import { authoritiesFor, replaceAuthorities } from "@/server/domain/sites/authorities";
import { tenantGrants } from "@/server/domain/access/tenant-grants";
import type { Transaction } from "@/server/db/prisma";
import { execute } from "@/server/db/sql";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import type { Actor } from "@/server/usecases/actor";
import { lockPolicy, writePolicy } from "@/server/usecases/cleaning/policy/site-policy";
import { holdFailed } from "@/server/usecases/hosts/attestation/judge-again";
import { insertCandidate } from "@/server/usecases/cleaning/images/new-candidate";
import { writeCredentials } from "@/server/usecases/sites/write-credentials";
import { changedPriorities } from "@/server/usecases/sites/priorities";
import type { LeftOut } from "@/server/usecases/sites/removal-faults";
import type { NewSecrets } from "@/server/usecases/sites/site-secrets";
import { networkAdapter } from "@/server/usecases/sites/site-state";
import { replaceGrants } from "@/server/usecases/sites/tenants/write-grants";
import { readSkuPriorities } from "@/server/usecases/hosts/skus/sku-record";

export interface Writing {
  readonly tx: Transaction;
  readonly actor: Actor;
  readonly secrets: SecretBox;
  readonly siteId: string;
  readonly before: SiteDocument;
  readonly after: SiteDocument;
}

/** A new image goes to one host; people widen the rollout (docs/cleaning.md#new-agent-images). */
const firstHosts = 1;

/** Creates the site, with its policy as the first version. Returns its id. */
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

async function writePolicyOf({ tx, actor, siteId, before, after }: Writing): Promise<void> {
  const locked = await lockPolicy({ tx }, siteId);
  if (locked === null) throw new Error(`the site ${siteId} has no policy`);
  await writePolicy({ tx, actor }, locked, replacePolicy(locked.body, after.policy));
  if (after.policy.attestation === "required" && before.policy.attestation !== "required")
    await holdFailed(tx, siteId);
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

async function writeTrust({ tx, siteId, before, after }: Writing): Promise<void> {
  if (same(before, after, "bmcTrust") && same(before, after, "authorities")) return;
  const { bmcTrust, authorities = {} } = after;
  const stored = await tx.site.findUniqueOrThrow({ where: { id: siteId }, select: { authorities: true } });
  const replaced = replaceAuthorities(stored.authorities, authorities);
  await execute(
    tx,
    sql`UPDATE site SET bmc_trust = ${bmcTrust}, authorities = ${replaced}::jsonb WHERE id = ${siteId}::uuid`,
  );
  if (authoritiesFor(before.authorities ?? {}, "bmc") !== authoritiesFor(authorities, "bmc"))
    await forgetVouching(tx, siteId);
}

async function writeLocation({ tx, siteId, before, after }: Writing): Promise<void> {
  if (same(before, after, "location")) return;
  const location = after.location ?? null;
  await execute(tx, sql`UPDATE site SET location = ${location}::jsonb WHERE id = ${siteId}::uuid`);
}

/**
 * Certificates that the previous authorities vouched for are not trusted until the BMC is verified again. Runs are locked first, in the order that every
 * statement uses for hosts.
 */
const forgetVouching = (tx: Transaction, siteId: string): Promise<unknown> =>
  execute(
    tx,
    sql`
    UPDATE host h SET certificate_seen = h.certificate_seen || ${{ trusted: false, refusal: authoritiesChanged }}::jsonb
    FROM (SELECT r.host_id FROM host_run r JOIN host o ON o.id = r.host_id
      WHERE r.site_id = ${siteId}::uuid AND (o.certificate_seen ->> 'trusted')::boolean ORDER BY r.host_id FOR UPDATE OF r) l
    WHERE h.id = l.host_id`,
  );

/** Writes and removes the priorities that differ. */
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

/** Only those that differ, so that the others keep what only another release knows. */
async function writeSkus(writing: Writing): Promise<void> {
  const { tx, before, after } = writing;
  const known = new Map(before.skus?.map((sku) => [sku.name, sku]));
  for (const sku of after.skus ?? []) {
    const { name, components, priorities } = sku;
    const old = known.get(name);
    if (old !== undefined && memberChanges(old, sku).length === 0) continue;
    const { id } = await tx.sku.upsert({
      where: { name },
      create: { name, components },
      update: { components },
      select: { id: true },
    });
    // A SKU that could not be read is new to the document, but may already have priorities.
    const had = old?.priorities ?? (await readSkuPriorities(tx, id));
    await writePriorities(writing, "sku", id, had, priorities);
  }
}

/** Names and quotas at all sites, and grants at this one. Writing them locks the rows of existing tenants. */
async function writeTenants({ tx, actor, siteId, before, after }: Writing): Promise<void> {
  if (same(before, after, "tenants")) return;
  const tenants = after.tenants ?? [];
  for (const { org, name, instanceQuota } of tenants)
    await tx.tenant.upsert({
      where: { org },
      create: { org, name, instanceQuota },
      update: { name, instanceQuota },
    });
  const wanted = tenants.flatMap((tenant) =>
    tenantGrants.filter((kind) => tenant[kind]).map((kind) => ({ org: tenant.org, kind })),
  );
  await replaceGrants(tx, siteId, wanted, actor.name);
}

/** Everything except removals. */
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
  await writeTrust(writing);
  await writeLocation(writing);
  await writePriorities(writing, "site", siteId, before.priorities, after.priorities);
  if (after.agentImage !== undefined && !same(before, after, "agentImage"))
    await insertCandidate(tx, actor, siteId, after.agentImage, firstHosts);
  await writeSkus(writing);
  await writeTenants(writing);
}

/** Removes what the document omits. Call it only if nobody uses it: `sharedFaults`. */
export async function removeLeftOut({ tx }: Writing, { skus, tenants }: LeftOut): Promise<void> {
  const gone = await tx.sku.findMany({ where: { name: { in: [...skus] } }, select: { id: true } });
  const ids = gone.map(({ id }) => id);
  await tx.stepOverride.deleteMany({ where: { scope: "sku", scopeId: { in: ids } } });
  await tx.sku.deleteMany({ where: { id: { in: ids } } });
  await tx.tenant.deleteMany({ where: { org: { in: [...tenants] } } });
}
