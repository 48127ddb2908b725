// Stores the report of a BMC's test, and tells the pages that show it.
import type { Pool } from "pg";
import { sql } from "kysely";
import { withTransaction } from "@/server/db/connection";
import { jsonText } from "@/server/db/hot/json-text";
import { tellWithin } from "@/server/db/hot/signal";
import { execute, sqlOn } from "@/server/db/sql";
import type { BmcCheck } from "@/server/domain/hardware/bmc-report";

export const storeBmcTest = (
  pool: Pool,
  hostId: string,
  { address, checks }: { readonly address: string | null; readonly checks: readonly BmcCheck[] },
): Promise<void> =>
  withTransaction(pool, async (client) => {
    const tx = sqlOn(client);
    await execute(
      tx,
      sql`UPDATE bmc_test SET wanted_at = NULL, tested_at = now(), address = ${address}, checks = ${jsonText(checks)}::jsonb WHERE host_id = ${hostId}::uuid`,
    );
    await tellWithin(tx, { feed: [{ hostId, tenantId: null, what: "settings" }] });
  });
