// Deletes previews of bulk acts that nobody started, because they show the hosts as they were then.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";

/** How long a preview can be started. */
const keptMinutes = 60;

export async function pruneBulkPreviews(database: Database): Promise<void> {
  await execute(
    database,
    sql`DELETE FROM bulk_act WHERE started_at IS NULL AND created_at < now() - ${keptMinutes} * interval '1 minute'`,
  );
}
