// An organisation that is provider and tenant in one, which NICo calls a service account (docs/api.md#service-account). Off unless the server names it.
import { tenants as contract } from "@/server/contract/access/tenants";
import { queryRows } from "@/server/db/sql";
import { sql } from "kysely";
import { tenantGrants } from "@/server/domain/access/tenant-grants";
import { accessChanged } from "@/server/usecases/access/access-changes";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { lockTenant, writeGrant } from "@/server/usecases/tenants/write-grants";

/** Whether the provider's people act for the organisation's tenant, too. */
export const isServiceAccount = ({ serviceAccountOrg }: Backend, org: string): boolean =>
  serviceAccountOrg !== undefined && serviceAccountOrg === org;

/** Makes the organisation's tenant where there is none, and lets it repair at every site. Asked again it changes what is missing, and no more. */
export const provideServiceAccount = defineAct({
  action: "tenant.serviceAccount",
  right: contract.create.right,
  input: contract.create.input.pick({ org: true }),
  names: ({ org }) => ({ kind: "tenant", id: org }),
  committed: accessChanged,
  find: async ({ tx }, { org }) => {
    await lockShared(tx);
    return { id: org, belongs: { tenantId: null }, value: await lockTenant(tx, org) };
  },
  run: async ({ tx, actor }, known, { org }) => {
    const tenantId = known ?? (await tx.tenant.create({ data: { org, name: org }, select: { id: true } })).id;
    const sites = await tx.site.findMany({ select: { id: true, name: true }, orderBy: { name: "asc" } });
    const given: string[] = [];
    for (const { id: siteId, name } of sites)
      if (await writeGrant(tx, { tenantId, siteId, kind: "targetedInstanceCreation", by: actor.name }, true))
        given.push(name);
    const isChange = known === null || given.length > 0;
    return done({
      value: { tenantId },
      changes: isChange
        ? [
            {
              targetId: org,
              tenantId: null,
              before: null,
              after: { created: known === null, targetedAt: given },
            },
          ]
        : [],
    });
  },
});

interface TenantRow {
  readonly id: string;
  readonly targetedAt: readonly string[];
}

/** A provider admin as the tenant of the service account's organisation; null for anybody else, and where there is no such tenant. */
export async function serviceActor(backend: Backend, actor: Actor, org: string): Promise<Actor | null> {
  // safety: access: a provider admin is a tenant of the service account alone
  if (!isServiceAccount(backend, org) || actor.role !== "provider-admin") return null;
  const [tenant] = await queryRows(
    backend.database,
    sql<TenantRow>`SELECT t.id::text, ARRAY(SELECT g.site_id::text FROM tenant_grant g WHERE g.tenant_id = t.id AND g.kind = ${tenantGrants[1]}) AS "targetedAt"
    FROM tenant t WHERE t.org = ${org} AND t.disabled_at IS NULL`,
  );
  return tenant === undefined
    ? null
    : { ...actor, role: "repair-tenant-admin", tenantId: tenant.id, org, targetedAt: tenant.targetedAt };
}
