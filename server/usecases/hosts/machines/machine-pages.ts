// Pages of hosts, as lists of machines.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { hostStandingSql } from "@/server/db/host-standing";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { NicoMachineStatus } from "@/server/domain/lifecycle/projections";
import { machineStatus, machineStatuses } from "@/server/usecases/instances/status-tables";
import { orderSql, readPage, type Page, type Paged } from "@/server/usecases/page";

export const machineOrders = [
  "CREATED_DESC",
  "CREATED_ASC",
  "STATUS_ASC",
  "STATUS_DESC",
  "UPDATED_ASC",
  "UPDATED_DESC",
  "ID_ASC",
  "ID_DESC",
] as const;
export type MachineOrder = (typeof machineOrders)[number];

const orderColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  CREATED: sql`h.created_at`,
  STATUS: machineStatus,
  UPDATED: sql`r.state_since`,
  ID: sql`h.id`,
};

export interface MachineFilter {
  /** Only hosts held by this tenant's instances, */
  readonly heldBy?: string;
  /** plus those at these sites. */
  readonly orAtSites?: readonly string[];
  readonly ids?: readonly string[] | null;
  readonly siteIds?: readonly string[] | null;
  readonly tenantIds?: readonly string[] | null;
  readonly statuses?: readonly NicoMachineStatus[] | null;
  readonly hasInstance?: boolean | null;
  readonly text?: string | null;
}

export interface MachineRow {
  readonly id: string;
  readonly name: string;
  readonly siteId: string;
  readonly rack: string | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly labels: unknown;
  readonly state: string;
  readonly maintenance: boolean;
  readonly allocatable: boolean;
  readonly maintenanceReason: string | null;
  readonly instanceId: string | null;
  readonly tenantId: string | null;
  /** When the instance that holds it was created. */
  readonly heldSince: Date | null;
  readonly createdAt: Date;
  readonly stateSince: Date;
  /** Its overall health as shown; null if no source reports. */
  readonly health: unknown;
  readonly healthObservedAt: Date | null;
  /** An agent's newest inventory; null before the first. */
  readonly inventory: unknown;
  /** Its ports, the oldest first. */
  readonly ports: readonly MachinePort[];
  /** What is proven of it. */
  readonly standing: string;
  /** Full name of the clean step that runs; null: none does. */
  readonly runningStep: string | null;
}

/** A network card's port, as it was enrolled or read from the BMC. Times are ISO. */
export interface MachinePort {
  readonly id: string;
  readonly mac: string;
  readonly created: string;
  readonly updated: string | null;
}

const whereSql = (filter: MachineFilter): RawBuilder<unknown> => {
  const parts = [sql`true`];
  if (filter.heldBy !== undefined)
    parts.push(
      sql`(i.tenant_id = ${filter.heldBy}::uuid OR h.site_id = ANY(${[...(filter.orAtSites ?? [])]}::uuid[]))`,
    );
  if (filter.ids) parts.push(sql`h.id = ANY(${[...filter.ids]}::uuid[])`);
  if (filter.siteIds) parts.push(sql`h.site_id = ANY(${[...filter.siteIds]}::uuid[])`);
  if (filter.tenantIds) parts.push(sql`i.tenant_id = ANY(${[...filter.tenantIds]}::uuid[])`);
  if (filter.statuses) parts.push(sql`${machineStatus} = ANY(${[...filter.statuses]}::text[])`);
  if (filter.hasInstance === true) parts.push(sql`i.id IS NOT NULL`);
  if (filter.hasInstance === false) parts.push(sql`i.id IS NULL`);
  if (filter.text) {
    const like = containing(filter.text);
    parts.push(
      sql`(h.id::text ILIKE ${like} OR h.manufacturer ILIKE ${like} OR h.model ILIKE ${like} OR h.name ILIKE ${like} OR ${machineStatus} ILIKE ${like})`,
    );
  }
  return sql.join(parts, sql` AND `);
};

const fromSql = sql`FROM host h JOIN host_run r ON r.host_id = h.id
  LEFT JOIN ${machineStatuses} ON p.state = r.state AND p.maintenance = r.maintenance AND p.allocatable = r.allocatable
  LEFT JOIN instance i ON i.host_id = h.id AND i.ended_at IS NULL`;

const portsSql = sql`(SELECT coalesce(json_agg(json_build_object('id', p.id, 'mac', p.address, 'created', p.created_at, 'updated', p.updated_at) ORDER BY p.created_at, p.id), '[]')
      FROM node_port p WHERE p.host_id = m.id::uuid)`;

const stepSql = sql`(SELECT t.interface || '.' || t.step FROM step_run t WHERE t.reclamation_id = m."reclamationId" AND t.status = 'running' LIMIT 1)`;

/** Reads inventories, ports and steps only for the page. */
export async function readMachines(
  database: Database,
  filter: MachineFilter,
  page: Page<MachineOrder>,
): Promise<Paged<MachineRow>> {
  const where = whereSql(filter);
  const order = orderSql(page.orderBy, orderColumns, sql`h.id`);
  return readPage(
    database,
    sql<MachineRow>`
    SELECT m.*, n.body AS inventory, ${portsSql} AS ports, ${stepSql} AS "runningStep", e.shown AS health, e.observed_at AS "healthObservedAt" FROM (
      SELECT h.id::text, h.name, h.site_id::text AS "siteId", h.rack, h.manufacturer, h.model, h.serial, h.labels, r.state, r.maintenance, r.allocatable,
             r.maintenance_reason AS "maintenanceReason", i.id::text AS "instanceId", i.tenant_id::text AS "tenantId", i.created_at AS "heldSince", h.created_at AS "createdAt", r.state_since AS "stateSince", ${sql.raw(hostStandingSql)} AS standing,
             r.reclamation_id AS "reclamationId",
             row_number() OVER (ORDER BY ${order}) AS place
      ${fromSql} WHERE ${where} ORDER BY ${order}
      LIMIT ${page.pageSize} OFFSET ${(page.pageNumber - 1) * page.pageSize}) m
    LEFT JOIN host_health e ON e.host_id = m.id::uuid AND e.observed_at IS NOT NULL
    LEFT JOIN host_inventory n ON n.host_id = m.id::uuid AND n.source = 'agent' ORDER BY m.place`,
    sql`${fromSql} WHERE ${where}`,
  );
}

export interface MachineStateLine {
  readonly hostId: string;
  readonly state: string;
  readonly at: Date;
}

/** A host whose history may be read since a certain time; null for all of it. */
export interface HistoryQuestion {
  readonly hostId: string;
  readonly since: Date | null;
}

/** The newest states of each host since its given time, newest first. */
export async function readRecentStates(
  database: Database,
  wanted: readonly HistoryQuestion[],
  most: number,
): Promise<readonly MachineStateLine[]> {
  if (wanted.length === 0) return [];
  return queryRows(
    database,
    sql<MachineStateLine>`
    SELECT s.host_id::text AS "hostId", s.state, s.at FROM unnest(${wanted.map(({ hostId }) => hostId)}::uuid[], ${wanted.map(({ since }) => since)}::timestamptz[]) AS wanted(id, since)
    CROSS JOIN LATERAL (SELECT * FROM state_history x WHERE x.host_id = wanted.id AND (wanted.since IS NULL OR x.at >= wanted.since) ORDER BY x.version DESC LIMIT ${most}) s`,
  );
}
