// The tenants, for readers of all of them: people, instances, and what each may do at every site.
import { sql } from "kysely";
import type { TenantLine } from "@/server/contract/sites/tenants";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export async function listTenants(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly TenantLine[]>> {
  const scope = scopeOf(actor, "tenant.read");
  if (!scope.ok) return scope;
  return done(
    await queryRows(
      database,
      sql<TenantLine>`
      SELECT t.id::text AS "tenantId", t.org, t.name, t.disabled_at AS "disabledAt", t.instance_quota AS "instanceQuota", t.created_at AS "createdAt",
        (SELECT count(*)::int FROM instance i WHERE i.tenant_id = t.id AND i.ended_at IS NULL) AS instances,
        (SELECT count(*)::int FROM person p WHERE p.tenant_id = t.id AND p.disabled_at IS NULL) AS people,
        coalesce((SELECT json_agg(json_build_object('siteId', s.id, 'site', s.name,
            'networkAllocation', EXISTS (SELECT 1 FROM tenant_grant g WHERE g.tenant_id = t.id AND g.site_id = s.id AND g.kind = 'networkAllocation'),
            'targetedInstanceCreation', EXISTS (SELECT 1 FROM tenant_grant g WHERE g.tenant_id = t.id AND g.site_id = s.id AND g.kind = 'targetedInstanceCreation'),
            'instances', (SELECT count(*) FROM instance i JOIN host h ON h.id = i.host_id WHERE i.tenant_id = t.id AND i.ended_at IS NULL AND h.site_id = s.id)) ORDER BY s.name)
          FROM site s), '[]') AS sites
      FROM tenant t ORDER BY t.disabled_at IS NOT NULL, t.org`,
    ),
  );
}
