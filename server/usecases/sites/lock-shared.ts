// Held by whoever changes what all sites share: SKUs and tenants.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";

/** Until the transaction ends. Taken before the lock on priorities, by everybody. */
export async function lockShared(tx: SqlReader): Promise<void> {
  await queryRows(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended('site_document', 0))::text`);
}
