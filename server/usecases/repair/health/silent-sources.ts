// Raises an alert for hosts whose source missed its promised reports; it ends with the next report (docs/repair.md#sources).
import { sql } from "kysely";
import type { Logger } from "pino";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { reportModes } from "@/server/domain/repair/health/report";
import { writeReports } from "@/server/usecases/repair/health/write-reports";

const atOnce = 200;
/** Maximum grace period after a server starts: nobody could report to it before that. */
const maxGraceSeconds = 600;

interface DueRow {
  readonly host_id: string;
  readonly source: string;
  readonly mode: string;
  readonly silent_at: Date;
}

/** Continues after `last`, so that a row that cannot be written is tried once per pass and does not block those after it. `now()` lets an index find them. */
const findDue = (
  database: Database,
  uptimeSeconds: number,
  last: DueRow | null,
): Promise<readonly DueRow[]> =>
  queryRows(
    database,
    sql<DueRow>`
    SELECT host_id::text, source, mode, silent_at FROM health_report
    WHERE silent_since IS NULL AND silent_at <= now() AND least(2 * heartbeat_seconds, ${maxGraceSeconds}::int) <= ${uptimeSeconds}::float8
      AND (${last === null} OR (silent_at, host_id, source, mode) > (${last?.silent_at ?? null}::timestamptz, ${last?.host_id ?? null}::uuid, ${last?.source ?? null}::text, ${last?.mode ?? null}::text))
    ORDER BY silent_at, health_report.host_id, source, mode LIMIT ${atOnce}`,
  );

async function raise(database: Database, { host_id: hostId, source, mode: stored }: DueRow): Promise<number> {
  const mode = reportModes.find((known) => known === stored) ?? "merge";
  const result = await inTransaction(database, (tx) =>
    writeReports(tx, hostId, [{ kind: "silent", source, mode }], { name: "Reclaim", reason: null }),
  );
  return result.ok && result.value.news ? 1 : 0;
}

/**
 * Raises what is due, and returns how many sources of hosts have become silent. A host whose health cannot be written is logged, and the others are still
 * processed.
 * @param uptimeSeconds of this process
 * @param ends stops before the next host
 * @throws if the due reports cannot be read
 */
export async function raiseSilent(
  database: Database,
  uptimeSeconds: number,
  logger: Pick<Logger, "warn">,
  ends: AbortSignal,
): Promise<number> {
  let raised = 0;
  for (let last: DueRow | null = null; ;) {
    const due: readonly DueRow[] = await findDue(database, uptimeSeconds, last);
    for (const row of due) {
      if (ends.aborted) return raised;
      try {
        raised += await raise(database, row);
      } catch (error) {
        logger.warn(
          { err: error, hostId: row.host_id, source: row.source },
          "a silent health source could not be raised",
        );
      }
    }
    last = due.at(-1) ?? null;
    if (due.length < atOnce) return raised;
  }
}
