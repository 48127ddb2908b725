// Previews of acts on many hosts that nobody started: thrown away, because they say how hosts were then.
import { sql } from "kysely";
import { execute } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";

/** A preview can be started for this long. */
const keptMinutes = 60;

export async function pruneBulkPreviews(database: Database): Promise<void> {
  await execute(
    database,
    sql`DELETE FROM bulk_act WHERE started_at IS NULL AND created_at < now() - ${keptMinutes} * interval '1 minute'`,
  );
}
