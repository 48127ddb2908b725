// Tenants as accounts with the provider: all of them for the provider's people, its own for a tenant; and the changes that NICo's API makes to one.
import { sql } from "kysely";
import { z } from "zod";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { accessChanged } from "@/server/usecases/access/access-changes";
import type { Backend } from "@/server/usecases/backend";
import { defineAct } from "@/server/usecases/define-act";
import type { Member } from "@/server/usecases/instances/tenant-instances";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { instanceStatus, instanceStatuses } from "@/server/usecases/instances/status-tables";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { lockTenant, writeGrant } from "@/server/usecases/sites/tenants/write-grants";

export interface TenantAccount {
  readonly tenantId: string;
  readonly org: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly createdAt: Date;
  /** Sites with a network allocation. */
  readonly allocations: number;
  /** Sites with the capability. */
  readonly targetedAt: readonly string[];
  /** Number of all sites. */
  readonly sites: number;
}

const readAccounts = (reader: SqlReader, org: string | null) =>
  queryRows(
    reader,
    sql<TenantAccount>`
    SELECT t.id::text AS "tenantId", t.org, t.name, t.disabled_at IS NOT NULL AS disabled, t.created_at AS "createdAt",
      (SELECT count(*)::int FROM tenant_grant g WHERE g.tenant_id = t.id AND g.kind = 'networkAllocation') AS allocations,
      ARRAY(SELECT g.site_id::text FROM tenant_grant g WHERE g.tenant_id = t.id AND g.kind = 'targetedInstanceCreation' ORDER BY g.site_id) AS "targetedAt",
      (SELECT count(*)::int FROM site) AS sites
    FROM tenant t WHERE ${org}::text IS NULL OR t.org = ${org} ORDER BY t.created_at DESC, t.id`,
  );

/** All accounts, for the provider's people. */
export async function listAccounts(
  { database }: Backend,
  { actor }: Member,
): Promise<Outcome<readonly TenantAccount[]>> {
  const scope = scopeOf(actor, "tenant.read");
  return scope.ok ? done(await readAccounts(database, null)) : scope;
}

/** The account of the actor's own tenant. */
export async function ownAccount(
  { database }: Backend,
  { actor, org }: Member,
): Promise<Outcome<TenantAccount>> {
  const [account] = actor.tenantId === null ? [] : await readAccounts(database, org);
  return account === undefined || account.tenantId !== actor.tenantId
    ? refused("forbidden", `${actor.name} belongs to no tenant of ${org}.`)
    : done(account);
}

/** How many of the tenant's instances have each of NICo's statuses. */
export async function ownInstances(
  { database }: Backend,
  { actor, org }: Member,
): Promise<Outcome<ReadonlyMap<string, number>>> {
  if (actor.tenantId === null) return refused("forbidden", `${actor.name} belongs to no tenant of ${org}.`);
  const rows = await queryRows(
    database,
    sql<{ status: string; count: number }>`
    SELECT ${instanceStatus} AS status, count(*)::int AS count
    FROM instance i LEFT JOIN host_run r ON r.host_id = i.host_id
      LEFT JOIN ${instanceStatuses} ON p.state = r.state AND p.released = (i.release_requested_at IS NOT NULL)
    WHERE i.tenant_id = ${actor.tenantId}::uuid AND i.ended_at IS NULL GROUP BY 1`,
  );
  return done(new Map(rows.map(({ status, count }) => [status, count])));
}

const capabilities = z.strictObject({
  tenantId: z.guid("must be a valid UUID"),
  /** At the sites that `at` does not name. */
  elsewhere: z.boolean(),
  /** By site id. */
  at: z.record(z.guid("must be a valid UUID"), z.boolean()),
});

/** Replaces all grants of the capability `targetedInstanceCreation`, at every existing site. */
export const replaceCapabilities = defineAct({
  action: "tenant.setCapabilities",
  right: "tenant.manage",
  input: capabilities,
  names: ({ tenantId }) => ({ kind: "tenant", id: tenantId }),
  committed: accessChanged,
  find: async ({ tx }, { tenantId }) => {
    await lockShared(tx);
    const tenant = await tx.tenant.findUnique({ where: { id: tenantId }, select: { org: true } });
    if (tenant === null) return null;
    await lockTenant(tx, tenant.org);
    return { id: tenantId, belongs: { tenantId: null }, value: tenant.org };
  },
  run: async ({ tx, actor }, org, { tenantId, elsewhere, at }) => {
    const sites = await tx.site.findMany({ select: { id: true, name: true }, orderBy: { name: "asc" } });
    const wanted = new Map(Object.entries(at).map(([id, given]) => [id.toLowerCase(), given]));
    const unknown = [...wanted.keys()].find((id) => sites.every((site) => site.id !== id));
    if (unknown !== undefined)
      return refused("invalid", `Site ${unknown} is not associated with Tenant`, "siteIds");
    const [given, taken]: [string[], string[]] = [[], []];
    for (const { id: siteId, name } of sites) {
      const is = wanted.get(siteId) ?? elsewhere;
      const grant = { tenantId, siteId, kind: "targetedInstanceCreation", by: actor.name } as const;
      if (await writeGrant(tx, grant, is)) (is ? given : taken).push(name);
    }
    return done({
      value: { tenantId },
      changes:
        given.length + taken.length === 0
          ? []
          : [
              {
                targetId: org,
                tenantId: null,
                before: null,
                after: { capability: "targetedInstanceCreation", given, taken },
              },
            ],
    });
  },
});
