// Ports of nodes: a single one, and pages.
import type { PortFields } from "@/server/domain/hosts/nodes/node-values";
import type { HotPool } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import type { FleetScope } from "@/server/domain/access/access";

export interface PortRow extends PortFields {
  readonly id: string;
  readonly hostId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

const columns = `q.id::text, q.host_id::text AS "hostId", q.address, q.name, q.description, q.extra, q.local_link_connection AS "localLinkConnection", q.physical_network AS "physicalNetwork",
  q.pxe_enabled AS "pxeEnabled", q.is_smartnic AS "isSmartnic", q.created_at AS "createdAt", q.updated_at AS "updatedAt"`;

/** The sort keys of ports, with their columns. */
const sorts = {
  id: "q.created_at",
  uuid: "q.id",
  address: "q.address",
  created_at: "q.created_at",
  updated_at: "q.updated_at",
  node_uuid: "q.host_id",
  name: "q.name",
  pxe_enabled: "q.pxe_enabled",
  physical_network: "q.physical_network",
  is_smartnic: "q.is_smartnic",
  description: "q.description",
} as const;
export type PortSortKey = keyof typeof sorts;

export const isPortSortKey = (key: string): key is PortSortKey => Object.hasOwn(sorts, key);

export interface PortQuery {
  /** Null for all hosts in the scope. */
  readonly hostId: string | null;
  readonly address: string | null;
  readonly limit: number;
  /** The last port of the previous page. */
  readonly marker: string | undefined;
  readonly sortKey: PortSortKey;
  readonly descending: boolean;
}

/** `notFound` for a marker that is no port. */
export async function listPorts(
  pool: HotPool,
  scope: FleetScope,
  { hostId, address, limit, marker, sortKey, descending }: PortQuery,
): Promise<Outcome<readonly PortRow[]>> {
  const column = sorts[sortKey];
  if (marker !== undefined) {
    const found = await getPort(pool, scope, marker);
    if (!found.ok) return found;
  }
  const direction = descending ? "DESC" : "ASC";
  // Places are numbered before the page is cut, so that a column with many equal values can be paged as well.
  const { rows } = await pool.query<PortRow>(
    `WITH found AS (SELECT q.id, row_number() OVER (ORDER BY ${column} ${direction}, q.id ${direction}) AS place FROM node_port q WHERE ($1::uuid IS NULL OR q.host_id = $1) AND ($2::text IS NULL OR q.address = $2))
     SELECT ${columns} FROM found f JOIN node_port q ON q.id = f.id WHERE f.place > coalesce((SELECT m.place FROM found m WHERE m.id = $3::uuid), 0) ORDER BY f.place LIMIT $4`,
    [hostId, address, marker ?? null, limit],
  );
  return done(rows);
}

/** One port, whoever holds its host. */
export async function getPort(pool: HotPool, _scope: FleetScope, portId: string): Promise<Outcome<PortRow>> {
  const {
    rows: [row],
  } = await pool.query<PortRow>(`SELECT ${columns} FROM node_port q WHERE q.id = $1`, [portId]);
  return row === undefined ? notFound("port", portId) : done(row);
}
