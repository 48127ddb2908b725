// Reports the checks that hosts failed as health, and ends a report when its host passes (docs/repair.md#failed-checks).
import { sql } from "kysely";
import type { Logger } from "pino";
import { z } from "zod";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { inTransaction } from "@/server/db/transaction";
import { checks } from "@/server/domain/repair/health/checks";
import type { ReportChange } from "@/server/domain/repair/health/change-report";
import { reportInput } from "@/server/domain/repair/health/report";
import { writeReports } from "@/server/usecases/repair/health/write-reports";

type Check = (typeof checks)[number];

interface Row {
  readonly host_id: string;
  /** False: it passed since the report. */
  readonly failed: boolean;
  readonly message: string | null;
  readonly failed_tests: unknown;
}

const atOnce = 200;

/**
 * All tests that the alerts of report `e` name are among those that run `r` passed; where they name none, it passed some. A file with a fault is told like a
 * test, by its own name: none failed since.
 */
const testsPassed = sql`coalesce((r.context #>> '{proven,tests,passed}')::int, 0) > 0
      AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(e.body -> 'alerts') a
        WHERE a ->> 'target' IS NOT NULL AND (r.context #> '{proven,tests,names}' ? (a ->> 'target')) IS NOT TRUE
          AND NOT (a ->> 'target' LIKE '%.json' AND r.context #> '{proven,tests,failed}' = '[]'))`;

/**
 * Hosts whose report does not say what their state says: one that failed and has no report since, and one that has a report and passed. Any other state keeps
 * the report, because it says neither.
 */
const findDue = (
  database: Database,
  { source, failedIn, passedIn, byTest }: Check,
): Promise<readonly Row[]> =>
  queryRows(
    database,
    sql<Row>`
    SELECT r.host_id::text, true AS failed, r.last_error AS message, r.context #> '{proven,tests,failed}' AS failed_tests
    FROM host_run r LEFT JOIN health_report e ON e.host_id = r.host_id AND e.source = ${source} AND e.mode = 'merge'
    WHERE r.state = ${failedIn} AND (e.host_id IS NULL OR e.received_at < r.state_since)
    UNION ALL
    SELECT r.host_id::text, false, NULL, NULL FROM health_report e JOIN host_run r ON r.host_id = e.host_id
    WHERE e.source = ${source} AND e.mode = 'merge' AND r.state LIKE ANY (${[...passedIn]}::text[]) AND (NOT ${byTest}::boolean OR ${testsPassed})
    LIMIT ${atOnce}`,
  );

const names = z.array(z.string()).catch([]);

const changeOf = ({ source, alertsOf }: Check, row: Row): ReportChange =>
  row.failed
    ? {
        ...{ kind: "set", source, mode: "merge", heartbeatSeconds: null },
        report: reportInput.parse({
          alerts: alertsOf({ message: row.message, failedTests: names.parse(row.failed_tests) }),
        }),
      }
    : { kind: "removed", source, mode: "merge" };

/**
 * What is due now, each host in a transaction of its own; what fails is logged and tried again in the next round.
 * @param ends stops before the next host
 * @returns how many reports changed
 */
export async function reportChecks(
  database: Database,
  logger: Pick<Logger, "warn">,
  ends: AbortSignal,
): Promise<number> {
  let changed = 0;
  for (const check of checks)
    for (const row of await findDue(database, check)) {
      if (ends.aborted) return changed;
      try {
        const written = await inTransaction(database, (tx) =>
          writeReports(tx, row.host_id, [changeOf(check, row)], { name: "Reclaim", reason: null }),
        );
        if (!written.ok)
          logger.warn(
            { problem: written.problem, hostId: row.host_id, source: check.source },
            "a failed check could not be reported",
          );
        else if (written.value.news) changed += 1;
      } catch (error) {
        logger.warn(
          { err: error, hostId: row.host_id, source: check.source },
          "a failed check could not be reported",
        );
      }
    }
  return changed;
}
