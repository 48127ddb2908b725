// Hosts expected back from erases that run now, by the devices' own estimates and nothing else.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { FleetSummary } from "@/server/contract/answers/fleet";
import { perDatabase } from "@/server/usecases/timed-cache";

const bucketMs = 30 * 60_000;
const cacheOf = perDatabase("capacity", { ttlMs: 5_000, max: 1 });

/** One row per host in cleaning: the latest end that one of its devices estimates, or null. Bounded by the hosts at work. */
const readEnds = (database: Database): Promise<{ ends: Date | null; hosts: number }[]> =>
  queryRows(
    database,
    sql`
  SELECT to_timestamp(ceil(extract(epoch FROM ends) * 1000 / ${bucketMs}) * ${bucketMs} / 1000) AS ends, count(*)::int AS hosts FROM (
    SELECT r.host_id, (
      SELECT to_timestamp(max((d.value #>> '{}')::float8) / 1000) FROM step_run t
      JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
      CROSS JOIN LATERAL jsonb_each(a.erase_ends) d
      WHERE t.reclamation_id = r.reclamation_id AND t.status = 'running') AS ends
    FROM host_run r WHERE r.state = 'WaitingForCleanup/HostCleanup') x
  GROUP BY 1 ORDER BY 1`,
  );

export function readCapacity(database: Database): Promise<FleetSummary["capacity"]> {
  return cacheOf(database).get("all", async () => {
    const rows = await readEnds(database);
    return {
      buckets: rows.flatMap(({ ends, hosts }) => (ends === null ? [] : [{ until: ends, hosts }])),
      unknown: rows.find(({ ends }) => ends === null)?.hosts ?? 0,
    };
  });
}
