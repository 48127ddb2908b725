// How many instances a tenant holds, and may hold.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

interface Quota {
  /** Those that have not ended, so that one that is being released still counts. */
  readonly held: number;
  /** Null: no limit. */
  readonly quota: number | null;
}

export async function readQuota(reader: SqlReader, tenantId: string): Promise<Quota> {
  const [row] = await queryRows(
    reader,
    sql<Quota>`
    SELECT t.instance_quota AS quota, (SELECT count(*)::int FROM instance i WHERE i.tenant_id = t.id AND i.ended_at IS NULL) AS held
    FROM tenant t WHERE t.id = ${tenantId}::uuid`,
  );
  if (row === undefined) throw new Error(`there is no tenant ${tenantId}`);
  return row;
}

/**
 * The same for a claim. Claims of a tenant with a quota come one after another: the second counts what the first has made. A tenant
 * without one takes no lock. The lock is the weakest that two claims cannot both have: rows that name the tenant are not held up by it.
 */
export async function lockQuota(tx: SqlReader, tenantId: string): Promise<Quota> {
  await queryRows(
    tx,
    sql`SELECT 1 FROM tenant WHERE id = ${tenantId}::uuid AND instance_quota IS NOT NULL FOR NO KEY UPDATE`,
  );
  // A statement of its own: it sees what was committed while the lock was waited for.
  return readQuota(tx, tenantId);
}
