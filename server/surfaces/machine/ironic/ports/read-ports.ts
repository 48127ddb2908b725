// Ports as answers have them: their columns, and lists by page.
import type { Pool } from "pg";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";
import { linksTo } from "@/server/surfaces/machine/ironic/wire/links";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import { maskSecrets } from "@/server/domain/nodes/masking";
import type { PortFields } from "@/server/domain/nodes/node-values";

export interface PortRow extends PortFields {
  readonly id: string;
  readonly hostId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

const columns = `q.id::text, q.host_id::text AS "hostId", q.address, q.name, q.description, q.extra, q.local_link_connection AS "localLinkConnection", q.physical_network AS "physicalNetwork",
  q.pxe_enabled AS "pxeEnabled", q.is_smartnic AS "isSmartnic", q.created_at AS "createdAt", q.updated_at AS "updatedAt"`;

/** Columns that a list may be sorted by, by Ironic's name of them. */
const sortable: ReadonlyMap<string, string> = new Map([
  ["id", "q.created_at"],
  ["uuid", "q.id"],
  ["address", "q.address"],
  ["created_at", "q.created_at"],
  ["updated_at", "q.updated_at"],
  ["node_uuid", "q.host_id"],
  ["name", "q.name"],
  ["pxe_enabled", "q.pxe_enabled"],
  ["physical_network", "q.physical_network"],
  ["is_smartnic", "q.is_smartnic"],
  ["description", "q.description"],
]);

export interface PortList {
  readonly hostId: string | null;
  readonly address: string | null;
  readonly limit: number;
  readonly marker: string | undefined;
  readonly sortKey: string;
  readonly descending: boolean;
}

/** Throws 400 for a sort key that there is not, 404 for a marker that is no port. */
export async function readPorts(
  pool: Pool,
  { hostId, address, limit, marker, sortKey, descending }: PortList,
): Promise<readonly PortRow[]> {
  const column = sortable.get(sortKey);
  if (column === undefined)
    throw fault(400, `The sort_key value "${sortKey.slice(0, 50)}" is an invalid field for sorting`);
  if (marker !== undefined) await readPort(pool, marker);
  const direction = descending ? "DESC" : "ASC";
  // Places are counted before the page is cut out, so that a column with many equal values pages as well.
  const { rows } = await pool.query<PortRow>(
    `WITH found AS (SELECT q.id, row_number() OVER (ORDER BY ${column} ${direction}, q.id ${direction}) AS place FROM node_port q WHERE ($1::uuid IS NULL OR q.host_id = $1) AND ($2::text IS NULL OR q.address = $2))
     SELECT ${columns} FROM found f JOIN node_port q ON q.id = f.id WHERE f.place > coalesce((SELECT m.place FROM found m WHERE m.id = $3::uuid), 0) ORDER BY f.place LIMIT $4`,
    [hostId, address, marker ?? null, limit],
  );
  return rows;
}

/** Throws 404. */
export async function readPort(pool: Pool, portId: string): Promise<PortRow> {
  const {
    rows: [row],
  } = await pool.query<PortRow>(`SELECT ${columns} FROM node_port q WHERE q.id = $1`, [portId]);
  if (row === undefined) throw fault(404, `Port ${portId} could not be found.`);
  return row;
}

const since: Readonly<Record<string, Microversion>> = {
  local_link_connection: 19,
  pxe_enabled: 19,
  portgroup_uuid: 24,
  physical_network: 34,
  is_smartnic: 53,
  name: 88,
  description: 97,
};

export const portFieldSince = (field: string): Microversion => since[field] ?? 1;

/** A whole port, with what the version has of it. */
export function portView(
  row: PortRow,
  baseUrl: string,
  version: Microversion,
): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = {
    uuid: row.id,
    address: row.address,
    node_uuid: row.hostId,
    extra: maskSecrets(row.extra),
    internal_info: {},
    local_link_connection: row.localLinkConnection,
    pxe_enabled: row.pxeEnabled,
    portgroup_uuid: null,
    physical_network: row.physicalNetwork,
    is_smartnic: row.isSmartnic,
    name: row.name,
    description: row.description,
    created_at: row.createdAt.toISOString().replace("Z", "+00:00"),
    updated_at: row.updatedAt?.toISOString().replace("Z", "+00:00") ?? null,
    links: linksTo(baseUrl, `ports/${row.id}`),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => version >= portFieldSince(name)));
}

export const portFieldNames: ReadonlySet<string> = new Set([
  "uuid",
  "address",
  "node_uuid",
  "extra",
  "internal_info",
  "local_link_connection",
  "pxe_enabled",
  "portgroup_uuid",
  "physical_network",
  "is_smartnic",
  "name",
  "description",
  "created_at",
  "updated_at",
  "links",
]);
