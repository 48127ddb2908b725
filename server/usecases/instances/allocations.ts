// Instances that hold a host, as Ironic's allocations.
import { z } from "zod";
import type { HotPool } from "@/server/usecases/backend";
import type { FleetScope } from "@/server/domain/access/access";

export interface AllocationRow {
  readonly id: string;
  readonly name: string;
  readonly hostId: string;
  readonly resourceClass: string | null;
  readonly traits: readonly string[];
  readonly owner: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const from = `SELECT i.id::text, i.name, i.host_id::text AS "hostId", h.resource_class AS "resourceClass", h.traits, t.org AS owner, i.created_at AS "createdAt", i.updated_at AS "updatedAt"
  FROM instance i JOIN host h ON h.id = i.host_id JOIN tenant t ON t.id = i.tenant_id WHERE i.ended_at IS NULL`;

const uuid = z.guid();

export interface AllocationQuery {
  readonly hostId: string | null;
  readonly resourceClass: string | null;
  readonly owner: string | null;
  /** The last allocation of the previous page. */
  readonly marker: string | null;
  readonly limit: number;
}

/** Ordered by id. */
export async function listAllocations(
  pool: HotPool,
  _scope: FleetScope,
  { hostId, resourceClass, owner, marker, limit }: AllocationQuery,
): Promise<readonly AllocationRow[]> {
  const { rows } = await pool.query<AllocationRow>(
    `${from} AND ($1::uuid IS NULL OR i.host_id = $1) AND ($2::text IS NULL OR h.resource_class = $2) AND ($3::text IS NULL OR t.org = $3) AND ($4::uuid IS NULL OR i.id > $4) ORDER BY i.id LIMIT $5`,
    [hostId, resourceClass, owner, marker, limit],
  );
  return rows;
}

/** By id or name. Instances of two tenants may share a name, so up to two are returned. */
export async function findAllocations(
  pool: HotPool,
  _scope: FleetScope,
  ident: string,
): Promise<readonly AllocationRow[]> {
  const column = uuid.safeParse(ident).success ? "i.id" : "i.name";
  const { rows } = await pool.query<AllocationRow>(
    `${from} AND ${column} = $1 ORDER BY i.created_at, i.id LIMIT 2`,
    [ident],
  );
  return rows;
}

/** Null if no instance holds the host. */
export async function allocationOf(pool: HotPool, hostId: string): Promise<AllocationRow | null> {
  const { rows } = await pool.query<AllocationRow>(`${from} AND i.host_id = $1`, [hostId]);
  return rows[0] ?? null;
}
