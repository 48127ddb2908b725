// Sources that have not reported as they promised: their hosts get an alert that ends when they report again (docs/repair.md#sources).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { reportModes } from "@/server/domain/health/report";
import { writeReports } from "@/server/usecases/health/write-reports";

const atOnce = 200;
/** A server that has just begun was not there to be reported to. A source with a longer promise is waited for so long. */
const mostGraceSeconds = 600;

/** Raises what is due, as far as one look finds; returns how many sources of hosts are silent since. @param uptimeSeconds of this process */
export async function raiseSilent(database: Database, uptimeSeconds: number): Promise<number> {
  const due = await queryRows(
    database,
    sql<{ host_id: string; source: string; mode: string }>`
    SELECT host_id::text, source, mode FROM health_report
    WHERE silent_since IS NULL AND silent_at <= clock_timestamp() AND least(2 * heartbeat_seconds, ${mostGraceSeconds}::int) <= ${uptimeSeconds}::float8
    ORDER BY silent_at, host_id, source LIMIT ${atOnce}`,
  );
  let raised = 0;
  for (const { host_id: hostId, source, mode: stored } of due) {
    const mode = reportModes.find((known) => known === stored) ?? "merge";
    const result = await inTransaction(database, (tx) =>
      writeReports(tx, hostId, [{ kind: "silent", source, mode }], { name: "Reclaim", reason: null }),
    );
    if (result.ok && result.value.news) raised += 1;
  }
  return raised;
}
