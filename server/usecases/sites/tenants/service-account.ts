// An organisation that is both provider and tenant, which NICo calls a service account (docs/api.md#service-account). Disabled unless the server names it.
import { tenants as contract } from "@/server/contract/sites/tenants";
import { queryRows } from "@/server/db/sql";
import { sql } from "kysely";
import { reachOf } from "@/server/domain/access/access";
import { tenantGrants } from "@/server/domain/access/tenant-grants";
import { accessChanged } from "@/server/usecases/access/access-changes";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { lockTenant, writeGrant } from "@/server/usecases/sites/tenants/write-grants";

/** Whether the provider's people also act for the organisation's tenant. */
export const isServiceAccount = ({ serviceAccountOrg }: Backend, org: string): boolean =>
  serviceAccountOrg !== undefined && serviceAccountOrg === org;

/** Creates the organisation's tenant, with the right to repair at every existing site. No-op if it exists, so its grants, given or revoked, stay. */
const makeServiceAccount = defineAct({
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
    if (known !== null) return unchanged({ tenantId: known });
    const { id: tenantId } = await tx.tenant.create({ data: { org, name: org }, select: { id: true } });
    const sites = await tx.site.findMany({ select: { id: true, name: true }, orderBy: { name: "asc" } });
    for (const { id: siteId } of sites)
      await writeGrant(tx, { tenantId, siteId, kind: "targetedInstanceCreation", by: actor.name }, true);
    const after = { created: true, targetedAt: sites.map(({ name }) => name) };
    return acted({ value: { tenantId }, targetId: org, tenantId: null, before: null, after });
  },
});

/** The organisation's tenant, created if there is none; null if disabled. Clients call this repeatedly, so an existing tenant is read without a lock. */
export async function serviceAccount(
  backend: Backend,
  actor: Actor,
  request: Request,
  org: string,
): Promise<Outcome<{ readonly tenantId: string } | null>> {
  const { right } = makeServiceAccount;
  const known =
    reachOf(actor.role, right) === "none"
      ? null
      : await backend.database.tenant.findUnique({
          where: { org },
          select: { id: true, disabledAt: true },
        });
  if (known === null) return makeServiceAccount(backend, actor, request, { org });
  return done(known.disabledAt === null ? { tenantId: known.id } : null);
}

interface TenantRow {
  readonly id: string;
  readonly targetedAt: readonly string[];
}

/** Whether a person may also act as a tenant. Pure. */
export function actsAsTenant(
  serviceAccountOrg: string | undefined,
  { role }: Pick<Actor, "role">,
  org: string,
): boolean {
  // safety: access: a provider admin is a tenant of the service account alone
  if (serviceAccountOrg === undefined || serviceAccountOrg !== org) return false;
  return role === "provider-admin";
}

/** A provider admin as the tenant of the service account's organisation; null for anybody else, or if there is no such tenant. */
export async function serviceActor(backend: Backend, actor: Actor, org: string): Promise<Actor | null> {
  if (!actsAsTenant(backend.serviceAccountOrg, actor, org)) return null;
  const [tenant] = await queryRows(
    backend.database,
    sql<TenantRow>`SELECT t.id::text, ARRAY(SELECT g.site_id::text FROM tenant_grant g WHERE g.tenant_id = t.id AND g.kind = ${tenantGrants[1]}) AS "targetedAt"
    FROM tenant t WHERE t.org = ${org} AND t.disabled_at IS NULL`,
  );
  return tenant === undefined
    ? null
    : { ...actor, role: "repair-tenant-admin", tenantId: tenant.id, org, targetedAt: tenant.targetedAt };
}
