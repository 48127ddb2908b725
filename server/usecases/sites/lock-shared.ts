// The lock for changing what all sites share: SKUs and tenants.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

/** Held until the transaction ends. Always taken before the lock on priorities. */
export async function lockShared(tx: SqlReader): Promise<void> {
  await queryRows(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended('site_document', 0))::text`);
}
