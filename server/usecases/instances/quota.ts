// What a tenant holds and may hold: its quota, and the sites at which it has a network allocation and the capability to name a host.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

export interface TenantStanding {
  /** Those that have not ended, so that one that is being released still counts. */
  readonly held: number;
  /** Null: no limit. */
  readonly quota: number | null;
  readonly disabled: boolean;
  /** Sites with a network allocation. */
  readonly allocatedAt: readonly string[];
  /** Sites with the capability `targetedInstanceCreation`. */
  readonly targetedAt: readonly string[];
}

export async function readStanding(reader: SqlReader, tenantId: string): Promise<TenantStanding> {
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
 * The same for a claim. Claims of a tenant with a quota come one after another: the second counts what the first has made. Whoever gives or takes
 * a grant, or disables the tenant, waits for claims that have begun, and claims that begin wait for it. The locks are the weakest that do this:
 * claims of a tenant without a quota hold up nobody else, and rows that name the tenant are not held up by any.
 */
export async function lockStanding(tx: SqlReader, tenantId: string): Promise<TenantStanding> {
  await queryRows(
    tx,
    sql`SELECT 1 FROM tenant WHERE id = ${tenantId}::uuid AND instance_quota IS NOT NULL FOR NO KEY UPDATE`,
  );
  await queryRows(tx, sql`SELECT 1 FROM tenant WHERE id = ${tenantId}::uuid FOR SHARE`);
  // A statement of its own: it sees what was committed while the lock was waited for.
  return readStanding(tx, tenantId);
}
