// Stores what a host's BMC says of its health, as a report of Reclaim's own (docs/bmc-health.md).
import type { Pool } from "pg";
import { sql } from "kysely";
import { withTransaction } from "@/server/db/connection";
import { jsonText } from "@/server/db/hot/json-text";
import { execute, queryRows, sqlOn } from "@/server/db/sql";
import type { Sql, SqlReader } from "@/server/db/sql";
import { bmcParts, bmcText } from "@/server/domain/repair/health/bmc/component";
import type { HealthReading } from "@/server/domain/repair/health/bmc/component";
import { foldLogs, logReport, marksOf, noLogRead, storedLogs } from "@/server/domain/repair/health/bmc/log";
import type { LogMarks, LogReadings, LogStates } from "@/server/domain/repair/health/bmc/log";
import { bmcReport, nothingRead } from "@/server/domain/repair/health/bmc/report";
import type { ReportChange } from "@/server/domain/repair/health/change-report";
import { reportInput } from "@/server/domain/repair/health/report";
import type { ReportInput } from "@/server/domain/repair/health/report";
import { bmcLogSource, bmcSource } from "@/server/domain/repair/health/templates";
import { lockHealth, readReports } from "@/server/usecases/repair/health/stored-reports";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import type { Written } from "@/server/usecases/repair/health/write-reports";
import { notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export type BmcHealthRead =
  | { readonly ok: true; readonly health: HealthReading; readonly logs: LogReadings }
  /** Nothing could be read. */
  | { readonly ok: false; readonly why: string };

const maxFailure = 1_000;
/** In an alert, which repair tenants read, too. Why is kept beside the report, for the provider: it may name another machine. */
const hidden = "the BMC could not be read at all";

async function readLogStates(reader: SqlReader, hostId: string): Promise<LogStates> {
  const [row] = await queryRows(
    reader,
    sql<{ logs: unknown }>`SELECT logs FROM bmc_health WHERE host_id = ${hostId}::uuid`,
  );
  // Of another release, or none: the logs begin anew.
  return storedLogs.safeParse(row?.logs ?? {}).data ?? {};
}

/** Where the reading of a host's logs goes on. */
export const readLogMarks = async (pool: Pool, hostId: string): Promise<LogMarks> =>
  marksOf(await readLogStates(sqlOn(pool), hostId));

interface Kept {
  readonly read: BmcHealthRead;
  readonly notOffered: readonly string[];
  readonly logs: LogStates;
}

const storeRead = (tx: Sql, hostId: string, { read, notOffered, logs }: Kept): Promise<number> =>
  execute(
    tx,
    read.ok
      ? sql`
    INSERT INTO bmc_health (host_id, tried_at, read_at, not_offered, logs) VALUES (${hostId}::uuid, now(), now(), ${[...notOffered]}::text[], ${jsonText(logs)}::jsonb)
    ON CONFLICT (host_id) DO UPDATE SET tried_at = now(), read_at = now(), wanted_at = NULL, failing_since = NULL, failure = NULL, not_offered = excluded.not_offered, logs = excluded.logs`
      : sql`
    INSERT INTO bmc_health (host_id, tried_at, failing_since, failure, logs) VALUES (${hostId}::uuid, now(), now(), ${bmcText(read.why, maxFailure)}, ${jsonText(logs)}::jsonb)
    ON CONFLICT (host_id) DO UPDATE SET tried_at = now(), wanted_at = NULL, failing_since = coalesce(bmc_health.failing_since, now()), failure = excluded.failure, logs = excluded.logs`,
  );

const ofSource = (
  source: string,
  report: Pick<ReportInput, "alerts" | "successes">,
): Extract<ReportChange, { kind: "set" }> => ({
  ...{ kind: "set", source, mode: "merge", heartbeatSeconds: null },
  report: reportInput.parse(report),
});

/** In one transaction: the report, what it adds up to, and what was read. */
export const storeBmcHealth = (pool: Pool, hostId: string, read: BmcHealthRead): Promise<Outcome<Written>> =>
  withTransaction(
    pool,
    async (client) => {
      const tx = sqlOn(client);
      const lock = await lockHealth(tx, hostId);
      if (lock === null) return notFound("host", hostId);
      const reports = await readReports(tx, hostId);
      const last = (of: string) =>
        reports.find(({ source, mode }) => source === of && mode === "merge") ?? null;
      const health = bmcReport(read.ok ? read.health : nothingRead(hidden), last(bmcSource), lock.nowMs);
      const before = await readLogStates(tx, hostId);
      const readings = read.ok ? read.logs : noLogRead(marksOf(before), hidden);
      const logs = foldLogs(before, readings, lock.nowMs);
      const notOffered = health.notOffered.map((part) => bmcParts[part]);
      const hasLogs = Object.keys(logs).length > 0;
      await storeRead(tx, hostId, {
        ...{ read, logs },
        notOffered: hasLogs || !read.ok ? notOffered : [...notOffered, "event logs"],
      });
      return writeReports(
        tx,
        hostId,
        [
          ofSource(bmcSource, { alerts: [...health.alerts], successes: health.successes }),
          ...(hasLogs || last(bmcLogSource) !== null ? [ofSource(bmcLogSource, logReport(logs))] : []),
        ],
        { name: "Reclaim", reason: null },
      );
    },
    (result) => result.ok,
  );
