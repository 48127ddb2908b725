// Pages of instances that have not ended, and the status history of any instance.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { containing } from "@/server/db/like";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import type { NicoInstanceStatus } from "@/server/domain/lifecycle/projections";
import { instanceStatus, instanceStatuses } from "@/server/usecases/instances/status-tables";
import { orderSql, readPage, type Page, type Paged } from "@/server/usecases/page";

export const instanceOrders = [
  "CREATED_DESC",
  "CREATED_ASC",
  "NAME_ASC",
  "NAME_DESC",
  "STATUS_ASC",
  "STATUS_DESC",
  "UPDATED_ASC",
  "UPDATED_DESC",
  "MACHINE_ID_ASC",
  "MACHINE_ID_DESC",
  "TENANT_ORG_DISPLAY_NAME_ASC",
  "TENANT_ORG_DISPLAY_NAME_DESC",
  "INSTANCE_TYPE_NAME_ASC",
  "INSTANCE_TYPE_NAME_DESC",
  "HAS_INFINIBAND_ASC",
  "HAS_INFINIBAND_DESC",
] as const;
export type InstanceOrder = (typeof instanceOrders)[number];

/** Reclaim has no instance types or InfiniBand partitions: sorted by those, all are equal and the id decides. */
const orderColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  CREATED: sql`i.created_at`,
  NAME: sql`i.name`,
  STATUS: instanceStatus,
  UPDATED: sql`i.updated_at`,
  MACHINE_ID: sql`i.host_id`,
  TENANT_ORG_DISPLAY_NAME: sql`t.name`,
};

export interface InstanceFilter {
  /** Null for every tenant. */
  readonly tenantId: string | null;
  readonly id?: string;
  readonly siteIds?: readonly string[] | null;
  readonly skuIds?: readonly string[] | null;
  /** Networks, as named by their tenants. */
  readonly vpcIds?: readonly string[] | null;
  readonly hostIds?: readonly string[] | null;
  readonly name?: string | null;
  /** *Terminated*: no instance here has ended. */
  readonly statuses?: readonly (NicoInstanceStatus | "Terminated")[] | null;
  readonly text?: string | null;
}

export interface InstanceRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly tenantId: string;
  readonly tenantOrg: string;
  /** Null, like `hostId`, if the host's record is gone. */
  readonly siteId: string | null;
  readonly hostId: string | null;
  readonly skuId: string | null;
  readonly vpcId: string | null;
  readonly labels: unknown;
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const whereSql = (filter: InstanceFilter): RawBuilder<unknown> => {
  const parts = [sql`i.ended_at IS NULL`];
  if (filter.tenantId !== null) parts.push(sql`i.tenant_id = ${filter.tenantId}::uuid`);
  if (filter.id !== undefined) parts.push(sql`i.id = ${filter.id}::uuid`);
  if (filter.siteIds) parts.push(sql`r.site_id = ANY(${[...filter.siteIds]}::uuid[])`);
  if (filter.skuIds) parts.push(sql`h.sku_id::text = ANY(${[...filter.skuIds]}::text[])`);
  if (filter.vpcIds) parts.push(sql`i.network->>'vpcId' = ANY(${[...filter.vpcIds]}::text[])`);
  if (filter.hostIds) parts.push(sql`i.host_id::text = ANY(${[...filter.hostIds]}::text[])`);
  if (filter.name !== undefined && filter.name !== null) parts.push(sql`i.name = ${filter.name}`);
  if (filter.statuses) parts.push(sql`${instanceStatus} = ANY(${[...filter.statuses]}::text[])`);
  if (filter.text) {
    const like = containing(filter.text);
    parts.push(
      sql`(i.name ILIKE ${like} OR i.description ILIKE ${like} OR ${instanceStatus} ILIKE ${like} OR i.labels::text ILIKE ${like})`,
    );
  }
  return sql.join(parts, sql` AND `);
};

/** An instance outlives its host's record and remains visible to the tenant. */
const fromSql = sql`FROM instance i JOIN tenant t ON t.id = i.tenant_id LEFT JOIN host_run r ON r.host_id = i.host_id LEFT JOIN host h ON h.id = i.host_id
  LEFT JOIN ${instanceStatuses} ON p.state = r.state AND p.released = (i.release_requested_at IS NOT NULL)`;

export async function readInstances(
  database: Database,
  filter: InstanceFilter,
  page: Page<InstanceOrder>,
): Promise<Paged<InstanceRecord>> {
  const where = whereSql(filter);
  return readPage(
    database,
    sql<InstanceRecord>`
    SELECT i.id::text, i.name, i.description, i.tenant_id::text AS "tenantId", t.org AS "tenantOrg", r.site_id::text AS "siteId", r.host_id::text AS "hostId",
           h.sku_id::text AS "skuId", i.network->>'vpcId' AS "vpcId", i.labels, ${instanceStatus} AS status, i.created_at AS "createdAt", i.updated_at AS "updatedAt"
    ${fromSql} WHERE ${where} ORDER BY ${orderSql(page.orderBy, orderColumns, sql`i.id`)}
    LIMIT ${page.pageSize} OFFSET ${(page.pageNumber - 1) * page.pageSize}`,
    sql`${fromSql} WHERE ${where}`,
  );
}

/** Includes ended instances, whose history stays readable. */
export async function findInstanceOwner(
  database: Database,
  id: string,
): Promise<{ readonly tenantId: string; readonly tenantOrg: string; readonly ended: boolean } | null> {
  const [row] = await queryRows(
    database,
    sql<{ tenantId: string; tenantOrg: string; ended: boolean }>`
    SELECT i.tenant_id::text AS "tenantId", t.org AS "tenantOrg", i.ended_at IS NOT NULL AS ended FROM instance i JOIN tenant t ON t.id = i.tenant_id WHERE i.id = ${id}::uuid`,
  );
  return row ?? null;
}

export const historyOrders = [
  "CREATED_DESC",
  "CREATED_ASC",
  "STATUS_ASC",
  "STATUS_DESC",
  "UPDATED_ASC",
  "UPDATED_DESC",
] as const;
export type HistoryOrder = (typeof historyOrders)[number];

export interface StatusLine {
  readonly instanceId: string;
  readonly status: string;
  readonly message: string;
  readonly at: Date;
}

export async function readStatusHistory(
  database: Database,
  instanceId: string,
  page: Page<HistoryOrder>,
): Promise<Paged<StatusLine>> {
  const direction = page.orderBy.endsWith("_DESC") ? ("desc" as const) : ("asc" as const);
  const [rows, total] = await Promise.all([
    database.instanceStatusHistory.findMany({
      where: { instanceId },
      orderBy: page.orderBy.startsWith("STATUS")
        ? [{ status: direction }, { id: direction }]
        : [{ id: direction }],
      skip: (page.pageNumber - 1) * page.pageSize,
      take: page.pageSize,
    }),
    database.instanceStatusHistory.count({ where: { instanceId } }),
  ]);
  return { rows, total };
}

/** The newest lines for each instance, newest first. */
export async function readRecentStatus(
  database: Database,
  instanceIds: readonly string[],
  most: number,
): Promise<readonly StatusLine[]> {
  if (instanceIds.length === 0) return [];
  return queryRows(
    database,
    sql<StatusLine>`
    SELECT h.instance_id::text AS "instanceId", h.status, h.message, h.at FROM unnest(${[...instanceIds]}::uuid[]) AS wanted(id)
    CROSS JOIN LATERAL (SELECT * FROM instance_status_history s WHERE s.instance_id = wanted.id ORDER BY s.id DESC LIMIT ${most}) h`,
  );
}
