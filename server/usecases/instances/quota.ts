// What a tenant holds and may hold: its quota, and the sites where it has a network allocation or may name an exact host.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

export interface TenantStanding {
  /** Instances that have not ended, so that one being released still counts. */
  readonly held: number;
  /** Null if unlimited. */
  readonly quota: number | null;
  readonly disabled: boolean;
  /** Sites with a network allocation. */
  readonly allocatedAt: readonly string[];
  /** Sites with the capability `targetedInstanceCreation`. */
  readonly targetedAt: readonly string[];
}

export async function readTenantStanding(reader: SqlReader, tenantId: string): Promise<TenantStanding> {
  const [row] = await queryRows(
    reader,
    sql<TenantStanding>`
    SELECT t.instance_quota AS quota, (SELECT count(*)::int FROM instance i WHERE i.tenant_id = t.id AND i.ended_at IS NULL) AS held,
      t.disabled_at IS NOT NULL AS disabled,
      ARRAY(SELECT g.site_id::text FROM tenant_grant g WHERE g.tenant_id = t.id AND g.kind = 'networkAllocation') AS "allocatedAt",
      ARRAY(SELECT g.site_id::text FROM tenant_grant g WHERE g.tenant_id = t.id AND g.kind = 'targetedInstanceCreation') AS "targetedAt"
    FROM tenant t WHERE t.id = ${tenantId}::uuid`,
  );
  if (row === undefined) throw new Error(`there is no tenant ${tenantId}`);
  return row;
}

/**
 * Reads the same for a claim, with locks. Claims of a tenant with a quota are serialized, so that the second counts what the first created. Changing a
 * grant or disabling the tenant waits for claims in progress, and new claims wait for it. These are the weakest locks that do this: claims of a tenant
 * without a quota do not block each other, and inserts that reference the tenant are never blocked.
 */
export async function lockStanding(tx: SqlReader, tenantId: string): Promise<TenantStanding> {
  await queryRows(
    tx,
    sql`SELECT 1 FROM tenant WHERE id = ${tenantId}::uuid AND instance_quota IS NOT NULL FOR NO KEY UPDATE`,
  );
  await queryRows(tx, sql`SELECT 1 FROM tenant WHERE id = ${tenantId}::uuid FOR SHARE`);
  // A separate statement, which sees what was committed while waiting for the lock.
  return readTenantStanding(tx, tenantId);
}
