// Which part of the fleet a person looks at: all of it, or a site, a SKU or a tenant; and over which period.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { FleetFilter } from "@/server/domain/fleet/fleet-filter";
import type { Database } from "@/server/db/prisma";
import { notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export interface FleetScope {
  readonly siteId: string | null;
  readonly skuId: string | null;
  readonly tenantId: string | null;
  readonly hours: number;
  /** Equal scopes have equal keys. */
  readonly key: string;
  /** The scope as terms of the host filter, with a leading space; empty for the whole fleet. */
  readonly terms: string;
}

const hourMs = 3_600_000;
/** A term of the host filter (docs/design/console.md#host-filter). */
const term = (name: string, value: string | undefined): string =>
  value === undefined ? "" : ` ${name}:${/[\s,"*]/.test(value) ? `"${value}"` : value}`;

/** The whole fleet over the last day. */
export const wholeFleet: FleetScope = {
  siteId: null,
  skuId: null,
  tenantId: null,
  hours: 24,
  key: "all",
  terms: "",
};

/** Looks up what the filter names. An unknown site, SKU or tenant is a problem, and does not mean the whole fleet. */
export async function findScope(database: Database, filter: FleetFilter): Promise<Outcome<FleetScope>> {
  const { site, sku, tenant, hours } = filter;
  const [siteRow, skuRow, tenantRow] = await Promise.all([
    site === undefined ? null : database.site.findFirst({ where: { name: site }, select: { id: true } }),
    sku === undefined ? null : database.sku.findFirst({ where: { name: sku }, select: { id: true } }),
    tenant === undefined
      ? null
      : database.tenant.findUnique({ where: { org: tenant }, select: { id: true } }),
  ]);
  if (site !== undefined && siteRow === null) return notFound("site", site);
  if (sku !== undefined && skuRow === null) return notFound("SKU", sku);
  if (tenant !== undefined && tenantRow === null) return notFound("tenant", tenant);
  const ids = { siteId: siteRow?.id ?? null, skuId: skuRow?.id ?? null, tenantId: tenantRow?.id ?? null };
  return {
    ok: true,
    value: {
      ...ids,
      hours,
      key: JSON.stringify([ids, hours]),
      terms: `${term("site", site)}${term("sku", sku)}${term("tenant", tenant)}`,
    },
  };
}

const all = (conditions: readonly (RawBuilder<unknown> | null)[]): RawBuilder<unknown> => {
  const said = conditions.filter((condition) => condition !== null);
  return said.length === 0 ? sql`true` : sql`(${sql.join(said, sql` AND `)})`;
};

/** Condition on `host_run r`. A host counts for the tenant that has it, or that had it before the open reclamation. */
export const ofHosts = ({ siteId, skuId, tenantId }: FleetScope): RawBuilder<unknown> =>
  all([
    siteId === null ? null : sql`r.site_id = ${siteId}::uuid`,
    skuId === null ? null : sql`r.host_id IN (SELECT id FROM host WHERE sku_id = ${skuId}::uuid)`,
    tenantId === null
      ? null
      : sql`(r.tenant_id = ${tenantId}::uuid OR EXISTS (SELECT 1 FROM reclamation o WHERE o.id = r.reclamation_id AND o.ended_at IS NULL AND o.tenant_id = ${tenantId}::uuid))`,
  ]);

/** Condition on a reclamation. @param trip alias of a `reclamation`, with `host_id` and `tenant_id` */
export const ofTrips = ({ siteId, skuId, tenantId }: FleetScope, trip: string): RawBuilder<unknown> =>
  all([
    siteId === null && skuId === null
      ? null
      : sql`${sql.ref(`${trip}.host_id`)} IN (SELECT id FROM host WHERE ${all([
          siteId === null ? null : sql`site_id = ${siteId}::uuid`,
          skuId === null ? null : sql`sku_id = ${skuId}::uuid`,
        ])})`,
    tenantId === null ? null : sql`${sql.ref(`${trip}.tenant_id`)} = ${tenantId}::uuid`,
  ]);

/** Buckets of the period: hours of a day, six hours of a week, days of a month. The last bucket is still running. */
export function bucketsOf({ hours }: Pick<FleetScope, "hours">, now: Date) {
  const bucketMs = (hours <= 24 ? 1 : hours <= 168 ? 6 : 24) * hourMs;
  const count = Math.ceil((hours * hourMs) / bucketMs);
  const last = Math.floor(now.getTime() / bucketMs) * bucketMs;
  const from = new Date(last - (count - 1) * bucketMs);
  return {
    from,
    bucketMs,
    marks: Array.from({ length: count }, (_, index) => from.getTime() + index * bucketMs),
  };
}
