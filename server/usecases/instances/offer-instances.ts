// What a tenant may claim now: its remaining quota, and free hosts by site and SKU. Never reveals how many hosts there are, or which.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { InstanceOffer, OfferedKind } from "@/server/contract/instances/instances-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { allocationStop, tenantStop } from "@/server/usecases/database/allocation-stop";
import { isFree } from "@/server/usecases/instances/free-hosts";
import { readTenantStanding } from "@/server/usecases/instances/quota";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { contentsOf, readStoredSku } from "@/server/domain/hosts/inventory/sku";
import { scopeOf } from "@/server/usecases/read";

/** A SKU with hosts at a site of the tenant's allocation is listed even if none is free. */
export async function offerInstances({ database }: Backend, actor: Actor): Promise<Outcome<InstanceOffer>> {
  const scope = scopeOf(actor, "instance.create");
  if (!scope.ok) return scope;
  if (scope.value.kind === "all")
    return refused("forbidden", `The role ${actor.role} cannot create instances for a tenant.`);
  const { tenantId } = scope.value;
  const [{ held, quota, targetedAt, allocatedAt }, stop, kinds] = await Promise.all([
    readTenantStanding(database, tenantId),
    allocationStop(database),
    queryRows(
      database,
      sql<Omit<OfferedKind, "contents"> & { readonly components: unknown }>`
      SELECT s.id::text AS "siteId", s.name AS site, k.id::text AS "skuId", k.name AS sku, k.components, count(*) FILTER (WHERE ${isFree})::int AS free
      FROM host_run r JOIN host h ON h.id = r.host_id JOIN site s ON s.id = r.site_id JOIN sku k ON k.id = h.sku_id
      WHERE r.site_id IN (SELECT g.site_id FROM tenant_grant g WHERE g.tenant_id = ${tenantId}::uuid AND g.kind = 'networkAllocation')
      GROUP BY s.id, k.id ORDER BY s.name, k.name`,
    ),
  ]);
  return done({
    held,
    quota,
    targeted: targetedAt.some((siteId) => allocatedAt.includes(siteId)),
    allocated: allocatedAt.length > 0,
    kinds: kinds.map(({ components, ...kind }) => {
      const sku = readStoredSku(components);
      return { ...kind, contents: sku.ok ? contentsOf(sku.components) : null };
    }),
    stopped: stop === null ? null : tenantStop,
  });
}
